import { lastDay } from '../../core/time-zone.ts';

interface RecapState {
  /** Minutes after midnight in the chat's own time; null: this chat wants none. */
  readonly recapMinute: number | null;
  readonly timeZone: string;
  /** Where the last recap ended, or when the recap was switched on. */
  readonly recappedUntil: Date;
  readonly now: Date;
}

/**
 * The span that a daily recap now due tells of; null: none is due. A day is as long as the chat's clocks make it: 23 hours in
 * spring, 25 in autumn. After days of downtime it is one recap of the last day, never one for each day missed; a clock that
 * went back makes none twice.
 */
export const dueDailyRecap = (state: RecapState): { readonly from: Date; readonly to: Date } | null => {
  const { recapMinute, timeZone, recappedUntil, now } = state;
  if (recapMinute === null) return null;
  const day = lastDay(now, recapMinute, timeZone);
  return day.to.getTime() <= recappedUntil.getTime() ? null : day;
};
