import { localMinute } from './time-zone.ts';

const dayMinutes = 1440;

/** Minutes after midnight in the chat's own time; `from` later than `to` crosses midnight. */
export interface QuietHours {
  readonly fromMinute: number;
  readonly toMinute: number;
}

const inDay = (minute: number): number => ((minute % dayMinutes) + dayMinutes) % dayMinutes;

/** Rulings R4. The first minute is quiet, the last one is not; equal ends mean no quiet hours. */
export const isQuiet = (at: Date, hours: QuietHours | null, timeZone: string): boolean => {
  if (hours === null) return false;
  const sinceStart = inDay(localMinute(at, timeZone) - hours.fromMinute);
  return sinceStart < inDay(hours.toMinute - hours.fromMinute);
};
