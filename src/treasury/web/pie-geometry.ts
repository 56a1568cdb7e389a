import { arc, pie } from 'd3-shape';

/** Specification 9: a slice under this many percent carries no label. */
const labelHideThresholdPercent = 5;

export const isLabelShown = (percent: number): boolean => percent >= labelHideThresholdPercent;

/** Half the size of the plaque that carries a slice's percent and name, in the units of a pie with a radius of 160. */
export const labelHalfSize = (name: string): readonly [width: number, height: number] => [
  Math.max(30, name.length * 3.4 + 8),
  23,
];

export interface Slice<T> {
  readonly category: T;
  readonly percent: number;
  /** SVG path around the origin. */
  readonly path: string;
  /** Where the label's middle stands, around the origin. */
  readonly labelAt: readonly [x: number, y: number];
  /** Unit vector from the centre through the slice's middle: the way it lifts. */
  readonly direction: readonly [x: number, y: number];
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
  // The narrower the slice, the nearer to the rim is room for words.
  const labelRadius = (share: number): number => radius * (share >= 0.25 ? 0.56 : share >= 0.15 ? 0.62 : 0.7);
  const outline = arc<{ startAngle: number; endAngle: number }>().innerRadius(0).outerRadius(radius);
  return layout([...categories]).map((part) => {
    const angle = (part.startAngle + part.endAngle) / 2;
    return {
      category: part.data,
      percent: sum === 0 ? 0 : (part.data.value / sum) * 100,
      path: outline(part) ?? '',
      labelAt: [
        Math.sin(angle) * labelRadius(part.data.value / sum),
        -Math.cos(angle) * labelRadius(part.data.value / sum),
      ],
      direction: [Math.sin(angle), -Math.cos(angle)],
    };
  });
}
