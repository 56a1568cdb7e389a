import { describe, expect, it } from 'vitest';
import { dayChange } from './day-change.ts';

const nowMs = Date.parse('2026-11-25T12:30:00Z');
const now = { totalUsdValue: 110, asOf: new Date(nowMs).toISOString() };
const point = (hoursAgo: number, totalUsdValue: number) => ({
  at: new Date(nowMs - hoursAgo * 3_600_000).toISOString(),
  totalUsdValue,
});

describe('Issue 19 F: the change beside the total', () => {
  it('is against the reading of 24 hours before', () => {
    expect(dayChange([point(48, 5), point(24.5, 100), point(23.5, 7), point(0.5, 9)], now)).toEqual({
      percent: 10,
      hours: 25,
    });
  });

  it('goes as far as the history goes, and says how far', () => {
    expect(dayChange([point(5, 88), point(1, 99)], now)).toEqual({ percent: 25, hours: 5 });
    expect(dayChange([point(72, 88), point(10, 100)], now)?.hours).toBe(10);
  });

  it('says nothing without an hour of history, a total or a time', () => {
    expect(dayChange([], now)).toBeNull();
    expect(dayChange([point(0.5, 100)], now)).toBeNull();
    expect(dayChange([point(24, 0)], now)).toBeNull();
    expect(dayChange([point(24, 100)], { ...now, totalUsdValue: null })).toBeNull();
    expect(dayChange([point(24, 100)], { ...now, asOf: null })).toBeNull();
  });
});
