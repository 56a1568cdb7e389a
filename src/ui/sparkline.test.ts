import { describe, expect, it } from 'vitest';
import { sparkRuns } from './sparkline.tsx';

const points = (...values: readonly (number | null)[]) => values.map((value) => ({ value, isDashed: false }));

describe('a small line', () => {
  it('goes from edge to edge, the highest value on top', () => {
    expect(sparkRuns(points(1, 3, 2))).toEqual([{ path: 'M0.0,60.0L150.0,0.0L300.0,30.0', isDashed: false }]);
  });

  it('is never drawn across a value that is not known', () => {
    expect(sparkRuns(points(1, 1, null, 1)).map(({ path }) => path)).toEqual([
      'M0.0,30.0L100.0,30.0',
      'M300.0,30.0h0.01',
    ]);
    expect(sparkRuns(points(null, null))).toEqual([]);
  });

  it('is dashed where it is estimated, and goes on from there', () => {
    const runs = sparkRuns([
      { value: 1, isDashed: true },
      { value: 1, isDashed: false },
    ]);
    expect(runs).toEqual([
      { path: 'M0.0,30.0h0.01', isDashed: true },
      { path: 'M0.0,30.0L300.0,30.0', isDashed: false },
    ]);
  });
});
