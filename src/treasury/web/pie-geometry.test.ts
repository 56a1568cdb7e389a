import { describe, expect, it } from 'vitest';
import { allocationCategories, focusPercent } from './allocation-categories.tsx';
import { isLabelShown, labelOf, pieSlices } from './allocation-pie.tsx';

describe('Specification 9: treasury allocation', () => {
  it('is 40, 30, 20 and 10 percent, 80 of it investment focus', () => {
    expect(allocationCategories.map((category) => [category.name, category.value])).toEqual([
      ['Leveraged Trading', 40],
      ['SUI NFT Treasury', 30],
      ['Operations', 20],
      ['Degen Plays', 10],
    ]);
    expect(focusPercent('investment')).toBe(80);
    expect(focusPercent('operations')).toBe(20);
  });

  it('specification 3: each category has a name, a value, a color of its own and a description', () => {
    expect(new Set(allocationCategories.map(({ color }) => color)).size).toBe(4);
    for (const { name, value, description } of allocationCategories) {
      expect([name, value, description]).toEqual([
        expect.stringMatching(/\w/),
        expect.any(Number),
        expect.stringMatching(/\w \w/),
      ]);
    }
  });

  it('splits operations 60, 25 and 15', () => {
    expect(allocationCategories.flatMap(({ split = [] }) => split.map((part) => part.value))).toEqual([60, 25, 15]);
  });
});

describe('Specification 2 and 9: slice labels are hidden under 5 percent', () => {
  it.each([
    [40, true],
    [5, true],
    [4.999, false],
    [0, false],
  ])('%d percent: shown is %s', (percent, shown) => expect(isLabelShown(percent)).toBe(shown));
});

describe('Pie geometry', () => {
  const radius = 160;
  const slices = pieSlices();

  it('keeps the order of the plan and turns clockwise from twelve', () => {
    expect(slices.map((slice) => slice.category.name)).toEqual(allocationCategories.map((category) => category.name));
    expect(slices[0]?.path.startsWith('M0,-160')).toBe(true);
  });

  it('shows the percents of the plan, which add up to 100', () => {
    expect(slices.reduce((sum, { percent }) => sum + percent, 0)).toBe(100);
  });

  it('puts the label on the slice, in the direction it lifts', () => {
    for (const { labelAt, direction } of slices) {
      const distance = Math.hypot(...labelAt);
      expect(distance).toBeGreaterThan(0.5 * radius);
      expect(distance).toBeLessThan(0.8 * radius);
      expect(labelAt[0] / distance).toBeCloseTo(direction[0], 6);
      expect(labelAt[1] / distance).toBeCloseTo(direction[1], 6);
    }
  });

  it('keeps every plaque on its slice: within the rim and off its neighbours', () => {
    let from = 0;
    for (const slice of slices) {
      const { halfWidth, halfHeight } = labelOf(slice);
      const [x, y] = slice.labelAt;
      const until = from + slice.percent;
      const steps = [-1, -0.5, 0, 0.5, 1];
      const edge = steps.flatMap((step) => [
        [x + step * halfWidth, y - halfHeight],
        [x + step * halfWidth, y + halfHeight],
        [x - halfWidth, y + step * halfHeight],
        [x + halfWidth, y + step * halfHeight],
      ]);
      for (const [pointX = 0, pointY = 0] of edge) {
        const percent = ((Math.atan2(pointX, -pointY) / (2 * Math.PI)) * 100 + 100) % 100;
        expect(Math.hypot(pointX, pointY), slice.category.name).toBeLessThan(radius);
        expect(percent, slice.category.name).toBeGreaterThan(from);
        expect(percent, slice.category.name).toBeLessThan(until);
      }
      from = until;
    }
    // The narrowest slice has room for its percent alone; the list beside the pie names it.
    expect(slices.map((slice) => labelOf(slice).hasName)).toEqual([true, true, true, false]);
  });
});
