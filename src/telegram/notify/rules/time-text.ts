import { minuteInDay, offsetMinutesAt } from './time-zone.ts';

const minuteMs = 60_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** `UTC`, `UTC+2`, `UTC-3:30`. */
const offsetText = (utcOffsetMinutes: number): string => {
  if (utcOffsetMinutes === 0) return 'UTC';
  const minutes = Math.abs(utcOffsetMinutes);
  const rest = minutes % 60;
  return `UTC${utcOffsetMinutes < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${twoDigits(rest)}`}`;
};

/** `Europe/Berlin`, `America/New York`, `UTC+2`: the readable name of a time zone. */
export const zoneText = (timeZone: string): string => {
  const hours = /^Etc\/GMT([+-]\d+)$/.exec(timeZone)?.[1];
  return hours === undefined ? timeZone.replaceAll('_', ' ') : offsetText(-60 * Number(hours));
};

/** `08:30` for a minute of the day. */
export const minuteText = (minuteOfDay: number): string => {
  const minute = minuteInDay(minuteOfDay);
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
};

/** The zone's local time, to be read as UTC. */
const localDate = (at: Date, timeZone: string): Date =>
  new Date(at.getTime() + offsetMinutesAt(at, timeZone) * minuteMs);

const dayText = (local: Date): string => `${local.getUTCDate()} ${months[local.getUTCMonth()] ?? ''}`;

const clockText = (local: Date): string => minuteText(local.getUTCHours() * 60 + local.getUTCMinutes());

/** `20 Nov 03:10 to 08:20 UTC`; null without times. */
export const spanText = (times: readonly Date[], timeZone: string): string | null => {
  if (times.length === 0) return null;
  const sorted = times.map((at) => at.getTime()).toSorted((one, other) => one - other);
  const [first = 0, last = first] = [sorted[0], sorted.at(-1)];
  const [from, to] = [localDate(new Date(first), timeZone), localDate(new Date(last), timeZone)];
  const [fromDay, toDay] = [dayText(from), dayText(to)];
  const end = fromDay === toDay ? clockText(to) : `${toDay} ${clockText(to)}`;
  const span = first === last ? '' : ` to ${end}`;
  return `${fromDay} ${clockText(from)}${span} ${offsetText(offsetMinutesAt(new Date(last), timeZone))}`;
};

/** `just now`, `40 seconds`, `5 minutes`, `3 hours`, `2 days`: a span in the largest unit that fits. */
export const ageText = (ageMs: number): string => {
  const seconds = Math.max(0, Math.round(ageMs / 1000));
  const steps = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [unit, noun] = steps.find(([length]) => seconds >= length) ?? [1, 'second'];
  const count = Math.floor(seconds / unit);
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
};
