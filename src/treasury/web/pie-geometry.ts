import { arc, pie } from 'd3-shape';

type Pair = readonly [x: number, y: number];

export interface Slice<T> {
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
