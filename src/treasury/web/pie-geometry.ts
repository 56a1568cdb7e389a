import { arc, pie } from 'd3-shape';

/** Specification 9: a slice under this many percent carries no label. */
const labelHideThresholdPercent = 5;

export const isLabelShown = (percent: number): boolean => percent >= labelHideThresholdPercent;

type Size = readonly [width: number, height: number];

/** Half the size of the plaque that carries a slice's percent and name, in the units of a pie with a radius of 160. */
const namedHalfSize = (name: string): Size => [Math.max(30, name.length * 3.4 + 8), 23];
const percentHalfSize: Size = [26, 14];

interface Label {
  /** The name stands under the percent where the slice has room for it; the list beside the pie names every slice. */
  readonly hasName: boolean;
  readonly halfSize: Size;
}

/** The plaque that stays on its slice. */
export function labelOf(slice: Slice<{ readonly name: string }>, radius: number): Label {
  const named = namedHalfSize(slice.category.name);
  return staysOn(slice, named, radius)
    ? { hasName: true, halfSize: named }
    : { hasName: false, halfSize: percentHalfSize };
}

/** Whether all of a plaque lies on its slice: none of its edge beyond the rim or on a neighbour. */
export function staysOn(slice: Slice<unknown>, [width, height]: Size, radius: number): boolean {
  const [x, y] = slice.labelAt;
  const steps = [-1, -0.5, 0, 0.5, 1];
  const edge = steps.flatMap((step) => [
    [x + step * width, y - height],
    [x + step * width, y + height],
    [x - width, y + step * height],
    [x + width, y + step * height],
  ]);
  return edge.every(([px = 0, py = 0]) => {
    const angle = (Math.atan2(px, -py) + 2 * Math.PI) % (2 * Math.PI);
    return Math.hypot(px, py) < radius && angle > slice.fromAngle && angle < slice.toAngle;
  });
}

export interface Slice<T> {
  readonly category: T;
  readonly percent: number;
  /** SVG path around the origin. */
  readonly path: string;
  /** Where the label's middle stands, around the origin. */
  readonly labelAt: readonly [x: number, y: number];
  /** Unit vector from the centre through the slice's middle: the way it lifts. */
  readonly direction: readonly [x: number, y: number];
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
      fromAngle: part.startAngle,
      toAngle: part.endAngle,
    };
  });
}
