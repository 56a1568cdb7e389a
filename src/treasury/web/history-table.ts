import type { ShownPoint } from './treasury-answer.ts';

/** One line of the table behind the chart: a single reading, or the readings of one UTC day. */
export interface HistoryRow {
  readonly from: string;
  readonly lastUsd: number;
  readonly lowUsd: number;
  readonly highUsd: number;
  readonly readings: number;
}

/** Hourly rows for up to two days, daily rows beyond (a thousand rows help nobody). Newest first. */
export function historyRows(points: readonly ShownPoint[], days: number): readonly HistoryRow[] {
  const groups = new Map<string, HistoryRow>();
  for (const point of points) {
    const key = days > 2 ? point.at.slice(0, 10) : point.at;
    const known = groups.get(key);
    const usd = point.totalUsdValue;
    groups.set(key, {
      from: known?.from ?? point.at,
      lastUsd: usd,
      lowUsd: Math.min(known?.lowUsd ?? usd, usd),
      highUsd: Math.max(known?.highUsd ?? usd, usd),
      readings: (known?.readings ?? 0) + 1,
    });
  }
  return [...groups.values()].toReversed();
}

/** Change from the first to the last reading, in percent; null when it cannot be told. */
export function changePercent(points: readonly ShownPoint[]): number | null {
  const first = points.at(0)?.totalUsdValue;
  const last = points.at(-1)?.totalUsdValue;
  if (first === undefined || last === undefined || points.length < 2 || first === 0) return null;
  return ((last - first) / first) * 100;
}
