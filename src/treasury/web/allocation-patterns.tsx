import type { ReactElement } from 'react';
import { allocationCategories } from './allocation-categories.ts';

const tile = 12;

/** One mark per slice, so that slices differ without colour: bare stone, hatching, strata, pebbles. */
const marks: readonly ReactElement[] = [
  <path key="bare" d="" />,
  <path key="hatch" d="M-3,3 l6,-6 M0,12 l12,-12 M9,15 l6,-6" />,
  <path key="strata" d="M0,3 h12 M0,9 h12" />,
  <path key="pebbles" d="M3,3 h0.01 M9,9 h0.01" />,
];

export const patternId = (color: string): string => `slice-${color}`;
export const patternFill = (color: string): string => `url(#${patternId(color)})`;

/** The fills of the pie, of its legend and of the bars: the collection's colour under a mark. */
export function AllocationPatterns() {
  return (
    <defs>
      {allocationCategories.map((category, index) => (
        <pattern
          key={category.color}
          id={patternId(category.color)}
          width={tile}
          height={tile}
          patternUnits="userSpaceOnUse"
        >
          <rect width={tile} height={tile} fill={`var(--color-${category.color})`} />
          <g fill="none" strokeWidth={1.5} strokeLinecap="round" className="stroke-ink opacity-35">
            {marks[index % marks.length]}
          </g>
        </pattern>
      ))}
    </defs>
  );
}
