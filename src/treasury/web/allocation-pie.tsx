import { useId, useState } from 'react';
import { allocationCategories, type AllocationCategory } from './allocation-categories.ts';
import { patternFill } from './allocation-patterns.tsx';
import { formatPercent } from './number-format.ts';
import { isLabelShown, labelOf, pieSlices, type Slice } from './pie-geometry.ts';

const radius = 160;
const halfFrame = 176;
const liftBy = 9;
const slices = pieSlices(allocationCategories, radius);

/** Specification 2, Fund Allocation: the plan as a pie. Every slice can be pointed at, tapped and focused. */
export function AllocationPie() {
  const [active, setActive] = useState<AllocationCategory | null>(null);
  const tooltipId = useId();
  const activeSlice = slices.find((slice) => slice.category === active);
  return (
    <div className="relative mx-auto w-full max-w-112">
      <svg
        viewBox={`${-halfFrame} ${-halfFrame} ${2 * halfFrame} ${2 * halfFrame}`}
        role="group"
        aria-label="Fund allocation, a pie chart"
        className="block w-full overflow-visible"
      >
        {slices.map((slice) => (
          <PieSlice
            key={slice.category.name}
            slice={slice}
            tooltipId={slice.category === active ? tooltipId : null}
            onShow={() => setActive(slice.category)}
            onHide={() => setActive(null)}
          />
        ))}
        {activeSlice === undefined ? null : <SliceRing slice={activeSlice} />}
        {slices.map((slice) =>
          isLabelShown(slice.percent) ? <SliceLabel key={slice.category.name} slice={slice} /> : null,
        )}
      </svg>
      <PieTooltip id={tooltipId} slice={activeSlice} />
    </div>
  );
}

interface PieSliceProps {
  readonly slice: Slice<AllocationCategory>;
  /** Set while this slice is the one spoken of. */
  readonly tooltipId: string | null;
  readonly onShow: () => void;
  readonly onHide: () => void;
}

function PieSlice({ slice, tooltipId, onShow, onHide }: PieSliceProps) {
  const { category, percent, path } = slice;
  return (
    <g
      role="img"
      tabIndex={0}
      aria-label={`${category.name}: ${formatPercent(percent)}`}
      {...(tooltipId === null ? {} : { 'aria-describedby': tooltipId })}
      {...(tooltipId === null ? {} : { transform: lifted(slice) })}
      className="cursor-help outline-none"
      onPointerEnter={onShow}
      onPointerLeave={onHide}
      onFocus={onShow}
      onBlur={onHide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onHide();
      }}
    >
      <path d={path} fill={patternFill(category.color)} strokeLinejoin="round" className="stroke-ground stroke-[4]" />
    </g>
  );
}

const lifted = ({ direction: [x, y] }: Slice<AllocationCategory>): string => `translate(${x * liftBy} ${y * liftBy})`;

/** Drawn over all slices: as the slice's own outline the next slice would cover half of it. */
function SliceRing({ slice }: { readonly slice: Slice<AllocationCategory> }) {
  return (
    <path
      d={slice.path}
      transform={lifted(slice)}
      fill="none"
      strokeLinejoin="round"
      className="pointer-events-none stroke-ink stroke-[5]"
      aria-hidden="true"
    />
  );
}

/** A plaque on the slice: the text stands on plain stone, whatever the slice's colour and mark. */
function SliceLabel({ slice }: { readonly slice: Slice<AllocationCategory> }) {
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
      {hasName ? (
        <text textAnchor="middle" y="14" className="fill-quiet text-[12.5px] font-semibold">
          {slice.category.name}
        </text>
      ) : null}
    </g>
  );
}

interface PieTooltipProps {
  readonly id: string;
  readonly slice: Slice<AllocationCategory> | undefined;
}

/** Under the pie, in room that is kept for it: it covers no text, and nothing moves when it comes. */
function PieTooltip({ id, slice }: PieTooltipProps) {
  return (
    <div className="mt-3 min-h-24">
      {slice === undefined ? (
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
}
