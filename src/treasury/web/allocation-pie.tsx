import { useId, useState } from 'react';
import { allocationCategories, type AllocationCategory } from './allocation-categories.ts';
import { AllocationPatterns, patternFill } from './allocation-patterns.tsx';
import { formatPercent } from './number-format.ts';
import { isLabelShown, pieSlices, type Slice } from './pie-geometry.ts';

const radius = 150;
const frame = 360;
const liftBy = 8;
const slices = pieSlices(allocationCategories, radius);

/** Specification 2, Fund Allocation: the plan as a pie. Every slice can be pointed at, tapped and focused. */
export function AllocationPie() {
  const [active, setActive] = useState<AllocationCategory | null>(null);
  const tooltipId = useId();
  const activeSlice = slices.find((slice) => slice.category === active);
  return (
    <div className="relative mx-auto w-full max-w-104">
      <svg
        viewBox={`${-frame / 2} ${-frame / 2} ${frame} ${frame}`}
        role="group"
        aria-label="Fund allocation, a pie chart"
      >
        <AllocationPatterns />
        {slices.map((slice) => (
          <PieSlice
            key={slice.category.name}
            slice={slice}
            lifted={slice.category === active}
            describedBy={slice.category === active ? tooltipId : undefined}
            onShow={() => setActive(slice.category)}
            onHide={() => setActive(null)}
          />
        ))}
      </svg>
      {activeSlice === undefined ? null : <PieTooltip id={tooltipId} slice={activeSlice} />}
    </div>
  );
}

interface PieSliceProps {
  readonly slice: Slice<AllocationCategory>;
  readonly lifted: boolean;
  readonly describedBy: string | undefined;
  readonly onShow: () => void;
  readonly onHide: () => void;
}

function PieSlice({ slice, lifted, describedBy, onShow, onHide }: PieSliceProps) {
  const { category, percent, path, direction } = slice;
  const shift = lifted ? `translate(${direction[0] * liftBy} ${direction[1] * liftBy})` : 'translate(0 0)';
  return (
    <g
      role="img"
      tabIndex={0}
      aria-label={`${category.name}: ${formatPercent(percent)}`}
      aria-describedby={describedBy}
      transform={shift}
      className="pie-slice cursor-pointer"
      onPointerEnter={onShow}
      onPointerLeave={onHide}
      onFocus={onShow}
      onBlur={onHide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onHide();
      }}
    >
      <path
        d={path}
        fill={patternFill(category.color)}
        className="stroke-ground"
        strokeWidth={3}
        strokeLinejoin="round"
      />
      {isLabelShown(percent) ? <SliceLabel slice={slice} /> : null}
    </g>
  );
}

function SliceLabel({ slice }: { readonly slice: Slice<AllocationCategory> }) {
  const [x, y] = slice.labelAt;
  const words = slice.category.name.split(' ');
  const first = words.slice(0, Math.ceil(words.length / 2)).join(' ');
  const second = words.slice(Math.ceil(words.length / 2)).join(' ');
  const top = second === '' ? y - 4 : y - 12;
  return (
    <text textAnchor="middle" className="pointer-events-none" aria-hidden="true">
      <tspan x={x} y={top} className="pie-percent">
        {formatPercent(slice.percent)}
      </tspan>
      <tspan x={x} y={top + 18} className="pie-name">
        {first}
      </tspan>
      {second === '' ? null : (
        <tspan x={x} y={top + 32} className="pie-name">
          {second}
        </tspan>
      )}
    </text>
  );
}

function PieTooltip({ id, slice }: { readonly id: string; readonly slice: Slice<AllocationCategory> }) {
  const below = slice.labelAt[1] < 0;
  return (
    <div
      id={id}
      role="tooltip"
      className={`pointer-events-none absolute inset-x-4 z-10 ${below ? 'bottom-2' : 'top-2'}`}
    >
      <p>
        <strong>{slice.category.name}</strong> <span>{formatPercent(slice.percent)}</span>
      </p>
      <p>{slice.category.description}</p>
    </div>
  );
}
