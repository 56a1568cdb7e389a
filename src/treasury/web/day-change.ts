import type { ShownPoint } from './treasury-answer.ts';

const hourMs = 3_600_000;

export interface DayChange {
  readonly percent: number;
  readonly hours: number;
}

/**
 * The change beside the total: against the reading of 24 hours before, or the oldest there is since then. Readings are hourly, so one up
 * to three hours older stands for it. null: there is none that is an hour old, or no total.
 */
export function dayChange(
  points: readonly ShownPoint[],
  now: { readonly totalUsdValue: number | null; readonly asOf: string | null },
): DayChange | null {
  if (now.totalUsdValue === null || now.asOf === null) return null;
  const ageMs = ({ at }: ShownPoint): number => Date.parse(now.asOf ?? '') - Date.parse(at);
  const dayOld = points.findLast((point) => ageMs(point) >= 24 * hourMs && ageMs(point) <= 27 * hourMs);
  const before = dayOld ?? points.find((point) => ageMs(point) < 24 * hourMs);
  if (before === undefined || ageMs(before) < hourMs || before.totalUsdValue <= 0) return null;
  return {
    percent: ((now.totalUsdValue - before.totalUsdValue) / before.totalUsdValue) * 100,
    hours: Math.round(ageMs(before) / hourMs),
  };
}
