import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCheckBudget } from './check-requests.ts';

describe('How many checks a member may cause', () => {
  it('five at once, then one a minute; requests made while one waits share it', () => {
    let nowMs = 1_000_000;
    const budget = createCheckBudget(() => nowMs);
    const take = () => budget.take('gwen');
    expect([take(), take(), take(), take(), take()]).toEqual([0, 0, 0, 0, 0]);
    expect([take(), take()]).toEqual([60_000, 60_000]);
    nowMs += 20_000;
    expect(take()).toBe(40_000);
    nowMs += 41_000;
    expect(take()).toBe(59_000);
    expect(budget.take('gregor')).toBe(0);
    nowMs += 10 * 60_000;
    expect([take(), take(), take(), take(), take(), take()]).toEqual([0, 0, 0, 0, 0, 60_000]);
  });

  it('never more, whatever the timing of the requests', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 200 }), (pausesMs) => {
        let nowMs = 0;
        const budget = createCheckBudget(() => nowMs);
        const begunAtMs = new Set<number>();
        let atOnce = 0;
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs;
          const delayMs = budget.take('gwen');
          if (delayMs === 0) atOnce += 1;
          else begunAtMs.add(nowMs + delayMs);
        }
        expect(atOnce + begunAtMs.size).toBeLessThanOrEqual(5 + 1 + nowMs / 60_000);
      }),
    );
  });
});
