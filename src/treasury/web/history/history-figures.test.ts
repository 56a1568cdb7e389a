import { describe, expect, it } from 'vitest';
import type { TreasuryHistoryPoint } from '../../contract.ts';
import {
  changePercent,
  linePath,
  nearestIndex,
  notesByReading,
  plotHistory,
  roundTicks,
  tableRows,
} from './history-plot.ts';

const frame = { width: 100, height: 50 };
const hour = (hours: number, totalUsdValue: number): TreasuryHistoryPoint => ({
  at: new Date(Date.parse('2026-11-01T00:00:00Z') + hours * 3_600_000).toISOString(),
  totalUsdValue,
  nftTotalValueUsd: null,
  tokenTotalUsd: null,
  estimated: false,
  heldInSui: null,
});

describe('Rulings R3: value over time, hourly', () => {
  it('spreads the readings over the width, oldest left, higher values higher', () => {
    const plot = plotHistory([hour(0, 100), hour(1, 200), hour(2, 300)], frame, false);
    expect(plot?.segments).toHaveLength(1);
    expect(plot?.segments[0]?.map((spot) => spot.x)).toEqual([0, 50, 100]);
    const ys = plot?.segments[0]?.map((spot) => spot.y) ?? [];
    expect(ys).toEqual(ys.toSorted((a, b) => b - a));
    expect(Math.min(...ys)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ys)).toBeLessThanOrEqual(50);
  });

  it('never bridges a gap in the readings', () => {
    const plot = plotHistory([hour(0, 1), hour(1, 1), hour(2, 1), hour(5, 1)], frame, false);
    expect(plot?.segments.map((segment) => segment.length)).toEqual([3, 1]);
  });

  it('draws a single reading and a value that never moved', () => {
    const plot = plotHistory([hour(0, 500)], frame, false);
    const [only = []] = plot?.segments ?? [];
    expect(only[0]?.y).toBeGreaterThanOrEqual(0);
    expect(linePath(only)).toMatch(/^M0,[\d.]+h0\.01$/);
    expect(
      plotHistory([hour(0, 0), hour(1, 0)], frame, false)?.segments[0]?.every((spot) => Number.isFinite(spot.y)),
    ).toBe(true);
  });

  it('has nothing to draw without readings', () => {
    expect(plotHistory([], frame, false)).toBeNull();
  });

  it('draws a run as a line', () => {
    const segment = plotHistory([hour(0, 100), hour(1, 300)], frame, false)?.segments[0] ?? [];
    expect(linePath(segment)).toMatch(/^M0,.+L100,/);
  });

  it('finds the reading nearest to the pointer', () => {
    const spots = plotHistory([hour(0, 1), hour(1, 2), hour(2, 3)], frame, false)?.segments.flat() ?? [];
    expect(nearestIndex(spots, 60)).toBe(1);
    expect(nearestIndex(spots, 999)).toBe(2);
  });
});

describe('Rulings R8: notes of the team are marks on the line', () => {
  const note = (hours: number, text: string) => ({ at: hour(hours, 0).at, digest: text, text });
  const spots = plotHistory([hour(0, 1), hour(1, 2), hour(5, 3)], frame, false)?.segments.flat() ?? [];

  it('each is at the first reading after its movement, where that shows, even across a gap', () => {
    const marks = notesByReading(spots, [note(0.5, 'paint'), note(1, 'rent'), note(2, 'sweep')]);
    expect([...marks].map(([at, notes]) => [at, notes.map(({ text }) => text)])).toEqual([
      [1, ['paint', 'rent']],
      [2, ['sweep']],
    ]);
  });

  it('a movement after the last reading has its mark at the last reading', () => {
    expect([...notesByReading(spots, [note(9, 'new')]).keys()]).toEqual([2]);
  });
});

describe('Axis ticks are round and cover the range', () => {
  it.each([
    [0, 100],
    [1247, 1251],
    [51_234, 98_765],
    [5, 5],
    [0, 0],
    [0.0001, 0.0007],
  ])('%d to %d', (low, high) => {
    const ticks = roundTicks(low, high, 4);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks[0]).toBeLessThanOrEqual(low);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(high);
  });
});

describe('The table behind the chart', () => {
  const points = [hour(0, 10), hour(1, 30), hour(23, 20), hour(24, 50)];

  it('has a row per reading for short ranges, newest first', () => {
    expect(tableRows(points, false).map((row) => row.totalUsdValue)).toEqual([50, 20, 30, 10]);
  });

  it('has the last reading of each day for longer ranges', () => {
    expect(tableRows(points, true)).toEqual([points[3], points[2]]);
  });

  it('gives the change only if it can be calculated', () => {
    expect(changePercent(points)).toBe(400);
    expect(changePercent([hour(0, 10)])).toBeNull();
    expect(changePercent([hour(0, 0), hour(1, 5)])).toBeNull();
  });
});
