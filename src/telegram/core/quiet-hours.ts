const minuteMs = 60_000;
const dayMinutes = 1440;

/** Minutes after midnight in the chat's own time; `from` later than `to` crosses midnight. */
export interface QuietHours {
  readonly fromMinute: number;
  readonly toMinute: number;
}

const inDay = (minute: number): number => ((minute % dayMinutes) + dayMinutes) % dayMinutes;

/** Minutes after midnight where the chat is. Offsets are fixed: a group names its own, so no daylight saving is guessed. */
const localMinute = (at: Date, utcOffsetMinutes: number): number =>
  inDay(Math.floor(at.getTime() / minuteMs) + utcOffsetMinutes);

/** Rulings R4. The first minute is quiet, the last one named is not; equal ends mean no quiet at all. */
export const isQuiet = (at: Date, hours: QuietHours | null, utcOffsetMinutes: number): boolean => {
  if (hours === null) return false;
  const sinceStart = inDay(localMinute(at, utcOffsetMinutes) - hours.fromMinute);
  return sinceStart < inDay(hours.toMinute - hours.fromMinute);
};

/** When the quiet that reigns at `at` ends: the time of the morning recap. null: it is not quiet. */
export const quietEndsAt = (at: Date, hours: QuietHours | null, utcOffsetMinutes: number): Date | null => {
  if (hours === null || !isQuiet(at, hours, utcOffsetMinutes)) return null;
  const minutesLeft = inDay(hours.toMinute - localMinute(at, utcOffsetMinutes));
  return new Date(Math.floor(at.getTime() / minuteMs) * minuteMs + minutesLeft * minuteMs);
};
