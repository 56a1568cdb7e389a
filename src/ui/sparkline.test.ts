import { describe, expect, it } from 'vitest';
import { sparkPaths } from './sparkline.tsx';

const points = (...values: readonly (number | null)[]) => values.map((value) => ({ value, isDashed: false }));

describe('a small line', () => {
  it('goes from edge to edge, the highest value on top', () => {
    expect(sparkPaths(points(1, 3, 2))).toEqual({ solid: 'M0.0,60.0h0.01L150.0,0.0L300.0,30.0', dashed: '' });
  });

  it('is never drawn across a value that is not known', () => {
    expect(sparkPaths(points(1, 1, null, 1)).solid).toBe('M0.0,30.0h0.01L100.0,30.0M300.0,30.0h0.01');
    expect(sparkPaths(points(null, null))).toEqual({ solid: '', dashed: '' });
  });

  it('is dashed where it is estimated, and continues from there', () => {
    const paths = sparkPaths([
      { value: 1, isDashed: true },
      { value: 1, isDashed: false },
    ]);
    expect(paths).toEqual({ dashed: 'M0.0,30.0h0.01', solid: 'M0.0,30.0L300.0,30.0' });
  });
});
