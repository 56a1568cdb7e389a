import { useId, useState } from 'react';
import { arc, pie } from 'd3-shape';
import { allocationCategories, type AllocationCategory, patternFill } from './allocation-categories.tsx';
import { formatPercent } from './number-format.ts';

const radius = 160;
const halfFrame = 176;
const liftBy = 9;
const slices = pieSlices();

const lifted = ({ direction: [x, y] }: Slice): string => `translate(${x * liftBy} ${y * liftBy})`;

/** Specification 2, Fund Allocation: the plan as a pie. Every slice can be pointed at, tapped and focused. */
export function AllocationPie() {
  const [active, setActive] = useState<Slice | null>(null);
  const tooltipId = useId();
  const hide = () => setActive(null);
  return (
    <div className="relative mx-auto w-full max-w-112">
      <svg
        viewBox={`${-halfFrame} ${-halfFrame} ${2 * halfFrame} ${2 * halfFrame}`}
        role="group"
        aria-label="Fund allocation, a pie chart"
        className="block w-full overflow-visible"
      >
        {slices.map((slice) => (
          <g
            key={slice.category.name}
            role="img"
            tabIndex={0}
            aria-label={`${slice.category.name}: ${formatPercent(slice.percent)}`}
            {...(slice === active && { 'aria-describedby': tooltipId, transform: lifted(slice) })}
            className="cursor-help outline-none"
            onPointerEnter={() => setActive(slice)}
            // On touch, the pointer leaves after every tap while the slice keeps the focus, so its text stays.
            onPointerLeave={({ pointerType }) => pointerType !== 'touch' && hide()}
            onFocus={() => setActive(slice)}
            onBlur={hide}
            onKeyDown={({ key }) => key === 'Escape' && hide()}
          >
            <path
              d={slice.path}
              fill={patternFill(slice.category.color)}
              strokeLinejoin="round"
              className="stroke-ground stroke-[4]"
            />
          </g>
        ))}
        {active !== null && (
          // Drawn over all slices, since the next slice would cover half of the slice's own outline.
          <path
            d={active.path}
            transform={lifted(active)}
            fill="none"
            strokeLinejoin="round"
            className="pointer-events-none stroke-ink stroke-[5]"
            aria-hidden="true"
          />
        )}
        {slices
          .filter(({ percent }) => isLabelShown(percent))
          .map((slice) => (
            <SliceLabel key={slice.category.name} slice={slice} />
          ))}
      </svg>
      <PieTooltip id={tooltipId} slice={active} />
    </div>
  );
}

/** A plaque on the slice, so that the text stays readable on any color and pattern. */
function SliceLabel({ slice }: { readonly slice: Slice }) {
  const [x, y] = slice.labelAt;
  const { hasName, halfWidth, halfHeight } = labelOf(slice);
  return (
    <g transform={`translate(${x} ${y})`} className="pointer-events-none" aria-hidden="true">
      <path
        d={`M${-halfWidth},${5 - halfHeight} l4,-5 H${halfWidth - 9} l9,6 V${halfHeight - 6} l-4,6 H${6 - halfWidth} l-6,-8 Z`}
        className="fill-slab stroke-line"
      />
      <text textAnchor="middle" y={hasName ? -3 : 6} className="fill-ink text-[19px] font-bold">
        {formatPercent(slice.percent)}
      </text>
      {hasName && (
        <text textAnchor="middle" y="14" className="fill-quiet text-[12.5px] font-semibold">
          {slice.category.name}
        </text>
      )}
    </g>
  );
}

/** Below the pie in reserved space: it covers no text, and nothing moves when it appears. */
const PieTooltip = ({ id, slice }: { readonly id: string; readonly slice: Slice | null }) => (
  <div className="mt-3 min-h-24">
    {slice === null ? (
      <p className="noscript:hidden text-center text-sm text-quiet">Point at a slice or tap it to read what it is.</p>
    ) : (
      <div id={id} role="tooltip" className="tooltip pointer-events-none relative mx-auto w-full">
        <p className="flex justify-between gap-4 font-bold">
          <span>{slice.category.name}</span> <span>{formatPercent(slice.percent)}</span>
        </p>
        <p className="mt-1 text-quiet">{slice.category.description}</p>
      </div>
    )}
  </div>
);

type Pair = readonly [x: number, y: number];

export interface Slice {
  readonly category: AllocationCategory;
  readonly percent: number;
  readonly path: string;
  /** The middle of the label, relative to the center of the pie. */
  readonly labelAt: Pair;
  /** Unit vector from the center through the slice's middle: the direction in which it lifts. */
  readonly direction: Pair;
}

/** The plan's slices, clockwise from twelve o'clock. */
export function pieSlices(): readonly Slice[] {
  const layout = pie<AllocationCategory>()
    .sort(null)
    .value(({ value }) => value);
  const outline = arc<{ startAngle: number; endAngle: number }>().innerRadius(0).outerRadius(radius);
  return layout(allocationCategories).map((part) => {
    const angle = (part.startAngle + part.endAngle) / 2;
    const direction: Pair = [Math.sin(angle), -Math.cos(angle)];
    const percent = part.data.value;
    // The narrower the slice, the nearer to the rim its label must be.
    const labelRadius = radius * (percent >= 25 ? 0.56 : percent >= 15 ? 0.62 : 0.7);
    return {
      category: part.data,
      percent,
      path: outline(part) ?? '',
      labelAt: [direction[0] * labelRadius, direction[1] * labelRadius],
      direction,
    };
  });
}

/** Specification 9: a slice under this many percent carries no label. */
const labelHideThresholdPercent = 5;

export const isLabelShown = (percent: number): boolean => percent >= labelHideThresholdPercent;

/** Size of the plaque in the units of the pie, and whether the slice has room for its name. The list beside the pie names every slice. */
export function labelOf({ percent, category: { name } }: Slice) {
  const hasName = percent >= 20;
  return hasName
    ? { hasName, halfWidth: Math.max(30, name.length * 3.4 + 8), halfHeight: 23 }
    : { hasName, halfWidth: 26, halfHeight: 14 };
}
