/**
 * How old a figure is, in a few words. Times in milliseconds since 1970; a time in the future (the visitor's clock is
 * behind) counts as now. null: never read.
 */
export function ageInWords(asOf: string | null, nowMs: number): string {
  if (asOf === null) return 'never read';
  const ageSeconds = Math.floor(Math.max(0, nowMs - Date.parse(asOf)) / 1_000);
  if (Number.isNaN(ageSeconds)) return 'age unknown';
  return ageSeconds < 60 ? 'under a minute ago' : `${durationInWords(ageSeconds)} ago`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

const dayOfYear = (time: Date): string => `${time.getUTCDate()} ${months[time.getUTCMonth()]}`;

/** `14:02 UTC`. */
export const timeOfDay = (at: string): string => {
  const time = new Date(at);
  return `${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())} UTC`;
};

/**
 * `20 Nov 2026, 14:02 UTC`: the same for every reader, whatever their time zone. By hand: the first use of `Intl` costs
 * a phone a tenth of a second (see decimal-text.ts).
 */
export function instantInWords(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return 'time unknown';
  return `${dayOfYear(time)} ${time.getUTCFullYear()}, ${timeOfDay(at)}`;
}

/** `20 Nov 14:02 UTC`, where the year is obvious. */
export const recentInstantInWords = (at: string): string => `${dayOfYear(new Date(at))} ${timeOfDay(at)}`;

/** A duration in seconds as a person says it: '40 s', '12 min', '3 h'. */
export function durationInWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** 'in 12 min'; a time that has passed is 'now'. */
export function timeUntilInWords(at: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(at) - nowMs) / 1_000);
  if (Number.isNaN(seconds)) return 'time unknown';
  return seconds <= 0 ? 'now' : `in ${durationInWords(seconds)}`;
}
