import { useId, useState } from 'react';
import { arc, pie } from 'd3-shape';
import { allocationCategories, type AllocationCategory, patternFill } from './allocation-categories.tsx';
import { formatPercent } from './number-format.ts';

const radius = 160;
const halfFrame = 176;
const liftBy = 9;
const slices = pieSlices(allocationCategories, radius);

type AllocationSlice = Slice<AllocationCategory>;

const lifted = ({ direction: [x, y] }: AllocationSlice): string => `translate(${x * liftBy} ${y * liftBy})`;

/** Specification 2, Fund Allocation: the plan as a pie. Every slice can be pointed at, tapped and focused. */
export function AllocationPie() {
  const [active, setActive] = useState<AllocationSlice | null>(null);
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
            onPointerLeave={hide}
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
          // Drawn over all slices: as the slice's own outline the next slice would cover half of it.
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

/** A plaque on the slice: the text is on plain stone, whatever the slice's colour and mark. */
function SliceLabel({ slice }: { readonly slice: AllocationSlice }) {
  const [x, y] = slice.labelAt;
  const { hasName, halfSize } = labelOf(slice, radius);
  const [halfWidth, halfHeight] = halfSize;
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

/** Under the pie, in room that is kept for it: it covers no text, and nothing moves when it comes. */
const PieTooltip = ({ id, slice }: { readonly id: string; readonly slice: AllocationSlice | null }) => (
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

interface Slice<T> {
  readonly category: T;
  readonly percent: number;
  readonly path: string;
  /** Where the label's middle is, around the origin. */
  readonly labelAt: Pair;
  /** Unit vector from the centre through the slice's middle: the way it lifts. */
  readonly direction: Pair;
  /** Clockwise from twelve o'clock, in radians. */
  readonly fromAngle: number;
  readonly toAngle: number;
}

/** Slices in the given order, clockwise from twelve o'clock. `value` needs no particular sum; percents are of the sum. */
export function pieSlices<T extends { readonly value: number }>(
  categories: readonly T[],
  radius: number,
): readonly Slice<T>[] {
  const sum = categories.reduce((total, category) => total + category.value, 0);
  const layout = pie<T>()
    .sort(null)
    .value((category) => category.value);
  const outline = arc<{ startAngle: number; endAngle: number }>().innerRadius(0).outerRadius(radius);
  return layout([...categories]).map((part) => {
    const angle = (part.startAngle + part.endAngle) / 2;
    const share = sum === 0 ? 0 : part.data.value / sum;
    // The narrower the slice, the nearer to the rim is room for words.
    const labelRadius = radius * (share >= 0.25 ? 0.56 : share >= 0.15 ? 0.62 : 0.7);
    return {
      category: part.data,
      percent: share * 100,
      path: outline(part) ?? '',
      labelAt: [Math.sin(angle) * labelRadius, -Math.cos(angle) * labelRadius],
      direction: [Math.sin(angle), -Math.cos(angle)],
      fromAngle: part.startAngle,
      toAngle: part.endAngle,
    };
  });
}

/** Specification 9: a slice under this many percent carries no label. */
const labelHideThresholdPercent = 5;

export const isLabelShown = (percent: number): boolean => percent >= labelHideThresholdPercent;

/** Half the size of the plaque that carries a slice's percent and name, in the units of a pie with a radius of 160. */
const namedHalfSize = (name: string): Pair => [Math.max(30, name.length * 3.4 + 8), 23];
const percentHalfSize: Pair = [26, 14];

/** The plaque that stays on its slice, with the name where there is room; the list beside the pie names every slice. */
export function labelOf(slice: Slice<{ readonly name: string }>, radius: number) {
  const named = namedHalfSize(slice.category.name);
  const hasName = staysOn(slice, named, radius);
  return { hasName, halfSize: hasName ? named : percentHalfSize };
}

/** Whether all of a plaque lies on its slice: none of its edge beyond the rim or on a neighbour. */
export function staysOn(slice: Slice<unknown>, [width, height]: Pair, radius: number): boolean {
  const [x, y] = slice.labelAt;
  const steps = [-1, -0.5, 0, 0.5, 1];
  const edge = steps.flatMap((step): Pair[] => [
    [x + step * width, y - height],
    [x + step * width, y + height],
    [x - width, y + step * height],
    [x + width, y + step * height],
  ]);
  return edge.every(([px, py]) => {
    const angle = (Math.atan2(px, -py) + 2 * Math.PI) % (2 * Math.PI);
    return Math.hypot(px, py) < radius && angle > slice.fromAngle && angle < slice.toAngle;
  });
}
