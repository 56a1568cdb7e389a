const minuteMs = 60_000;
const dayMs = 86_400_000;

interface DailyTime {
  /** Minutes after midnight in the chat's own time. */
  readonly recapMinute: number;
  readonly utcOffsetMinutes: number;
}

/** The last moment at or before `at` at which the chat's clock showed the time of its recap. */
const lastDailyRecapAt = ({ recapMinute, utcOffsetMinutes }: DailyTime, at: Date): Date => {
  const phaseMs = (recapMinute - utcOffsetMinutes) * minuteMs;
  return new Date(Math.floor((at.getTime() - phaseMs) / dayMs) * dayMs + phaseMs);
};

/** Strictly after `after`. */
export const nextDailyRecapAt = ({ after, ...time }: DailyTime & { readonly after: Date }): Date =>
  new Date(lastDailyRecapAt(time, after).getTime() + dayMs);

interface RecapState {
  /** null: this chat wants none. */
  readonly recapMinute: number | null;
  readonly utcOffsetMinutes: number;
  /** Where the last recap ended, or when the recap was switched on. */
  readonly recappedUntil: Date;
  readonly now: Date;
}

/**
 * The span that a daily recap now due tells of; null: none is due. After days of downtime it is one recap of the last
 * day, never one for each day missed; a clock that went back makes none twice.
 */
export const dueDailyRecap = (state: RecapState): { readonly from: Date; readonly to: Date } | null => {
  const { recapMinute, utcOffsetMinutes, recappedUntil, now } = state;
  if (recapMinute === null) return null;
  const to = lastDailyRecapAt({ recapMinute, utcOffsetMinutes }, now);
  return to.getTime() <= recappedUntil.getTime() ? null : { from: new Date(to.getTime() - dayMs), to };
};
