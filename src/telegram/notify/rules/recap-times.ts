import { lastDay } from './time-zone.ts';

interface RecapState {
  /** Minutes after midnight in the chat's own time; null: no daily recap. */
  readonly recapMinute: number | null;
  readonly timeZone: string;
  /** Where the last recap ended, or when the recap was switched on. */
  readonly recappedUntil: Date;
  readonly now: Date;
}

/**
 * The span of the daily recap that is due now; null: none is due. A day follows the chat's clock: 23 hours in spring,
 * 25 in autumn. After days of downtime there is one recap of the last day, not one per day missed; a clock set back
 * never causes a second one.
 */
export const dueDailyRecap = (state: RecapState): { readonly from: Date; readonly to: Date } | null => {
  const { recapMinute, timeZone, recappedUntil, now } = state;
  if (recapMinute === null) return null;
  const day = lastDay(now, recapMinute, timeZone);
  return day.to.getTime() <= recappedUntil.getTime() ? null : day;
};
