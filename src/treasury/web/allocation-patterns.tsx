import { allocationCategories, type ChartColor } from './allocation-categories.ts';

const tile = 12;

/** One mark per slice, so that slices differ without colour: bare stone, hatching, strata, pebbles. */
const marks: Readonly<Record<ChartColor, string>> = {
  'chart-1': '',
  'chart-2': 'M-3,3l6,-6M0,12l12,-12M9,15l6,-6',
  'chart-3': 'M0,3h12M0,9h12',
  'chart-4': 'M3,3h0.01M9,9h0.01',
};

const fills: Readonly<Record<ChartColor, string>> = {
  'chart-1': 'fill-chart-1',
  'chart-2': 'fill-chart-2',
  'chart-3': 'fill-chart-3',
  'chart-4': 'fill-chart-4',
};

const patternId = (color: ChartColor): string => `slice-${color}`;

/** Needs `AllocationPatterns` once on the page. */
export const patternFill = (color: ChartColor): string => `url(#${patternId(color)})`;

/**
 * The fills of the pie, its legend and its chips: a chart colour under a mark. Outside the sections, each of which the
 * browser leaves out while it is far away (`below-fold`), and with it the fills of whoever takes them from there.
 */
export function AllocationPatterns() {
  return (
    <svg className="absolute size-0" aria-hidden="true">
      <defs>
        {allocationCategories.map(({ color }) => (
          <pattern key={color} id={patternId(color)} width={tile} height={tile} patternUnits="userSpaceOnUse">
            <rect width={tile} height={tile} className={fills[color]} />
            <path d={marks[color]} fill="none" strokeLinecap="round" className={markClass(color)} />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

const markClass = (color: ChartColor): string =>
  color === 'chart-4' ? 'stroke-slab/60 stroke-[3]' : 'stroke-slab/40 stroke-[1.5]';

/** Of what is no slice of the plan. */
const bareStone = 'fill-quiet';

/** A chip of the slice's stone, for lists that speak of it. */
export function AllocationSwatch({ color }: { readonly color: ChartColor | null }) {
  return (
    <svg viewBox="0 0 24 24" className="mt-0.5 size-6 shrink-0" aria-hidden="true">
      <path
        d="M6,1 L19,2 L23,11 L20,21 L9,23 L1,16 L2,6 Z"
        {...(color === null ? { className: bareStone } : { fill: patternFill(color) })}
      />
    </svg>
  );
}

interface ShareBarProps {
  readonly percent: number;
  readonly color: ChartColor | null;
  /** Where the plan's notch stands; left out: no notch. */
  readonly targetPercent?: number;
}

/** Decoration: the numbers stand beside it. */
export function ShareBar({ percent, color, targetPercent }: ShareBarProps) {
  const shown = Math.max(0, Math.min(percent, 100));
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="mt-1.5 block h-2.5 w-full" aria-hidden="true">
      <rect y="2" width="100" height="6" className="fill-line" />
      <rect y="2" width={shown} height="6" className={color === null ? bareStone : fills[color]} />
      {targetPercent === undefined ? null : (
        <path
          d={`M${targetPercent},0V10`}
          className="fill-none stroke-ink stroke-2 [vector-effect:non-scaling-stroke]"
        />
      )}
    </svg>
  );
}
