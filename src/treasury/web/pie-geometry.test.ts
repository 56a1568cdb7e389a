import { describe, expect, it } from 'vitest';
import { allocationCategories, focusPercent, operationsSplit } from './allocation-categories.tsx';
import { isLabelShown, labelOf, pieSlices, staysOn } from './allocation-pie.tsx';

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
    expect(operationsSplit.map((part) => part.value)).toEqual([60, 25, 15]);
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
  const slices = pieSlices(allocationCategories, 100);

  it('keeps the order of the plan and turns clockwise from twelve', () => {
    expect(slices.map((slice) => slice.category.name)).toEqual(allocationCategories.map((category) => category.name));
    expect(slices[0]?.path.startsWith('M0,-100')).toBe(true);
  });

  it('starts at twelve with the first category even when it is the smaller one', () => {
    const [first, second] = pieSlices([{ value: 1 }, { value: 3 }], 10);
    expect(first?.path.startsWith('M0,-10')).toBe(true);
    expect(second?.path.startsWith('M10,0')).toBe(true);
  });

  it('gives each slice its percent of the sum', () => {
    expect(pieSlices([{ value: 1 }, { value: 3 }], 10).map((slice) => slice.percent)).toEqual([25, 75]);
  });

  it('puts the label on the slice, in the direction it lifts', () => {
    for (const { labelAt, direction } of slices) {
      const distance = Math.hypot(...labelAt);
      expect(distance).toBeGreaterThan(50);
      expect(distance).toBeLessThan(80);
      expect(labelAt[0] / distance).toBeCloseTo(direction[0], 6);
      expect(labelAt[1] / distance).toBeCloseTo(direction[1], 6);
    }
  });

  it('keeps every plaque on its slice: within the rim and off its neighbours', () => {
    const labels = pieSlices(allocationCategories, 160).map((slice) => {
      const label = labelOf(slice, 160);
      expect(staysOn(slice, label.halfSize, 160), slice.category.name).toBe(true);
      return [slice.category.name, label.hasName];
    });
    // The narrowest slice has room for its percent alone; the list beside the pie names it.
    expect(labels.at(-1)).toEqual(['Degen Plays', false]);
  });

  it('draws nothing wrong of nothing', () => {
    expect(pieSlices([], 100)).toEqual([]);
    expect(pieSlices([{ value: 0 }], 100)[0]?.percent).toBe(0);
  });
});
