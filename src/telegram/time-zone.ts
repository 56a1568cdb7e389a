const minuteMs = 60_000;
const dayMs = 86_400_000;
const dayMinutes = 1440;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Kept, as creating one takes longer than using it a hundred times. Throws RangeError for an unknown time zone. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  return format;
};

export const offsetMinutesAt = (at: Date, timeZone: string): number => {
  const parts = formatOf(timeZone).formatToParts(at);
  // `GMT+05:45`, or `GMT` alone for none.
  const shown = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(shown) ?? [];
  return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes));
};

/** A minute of any day, as minutes after midnight. */
export const minuteInDay = (minute: number): number => ((minute % dayMinutes) + dayMinutes) % dayMinutes;

export const localMinute = (at: Date, timeZone: string): number =>
  minuteInDay(Math.floor(at.getTime() / minuteMs) + offsetMinutesAt(at, timeZone));

/** Minutes after midnight in the chat's own time; `from` later than `to` crosses midnight. */
export interface QuietHours {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** Rulings R4. The first minute is quiet, the last one is not; equal ends mean no quiet hours. */
export const isQuiet = (at: Date, hours: QuietHours | null, timeZone: string): boolean => {
  if (hours === null) return false;
  const sinceStart = minuteInDay(localMinute(at, timeZone) - hours.fromMinute);
  return sinceStart < minuteInDay(hours.toMinute - hours.fromMinute);
};

const localDate = (at: Date, timeZone: string): Date =>
  new Date(at.getTime() + offsetMinutesAt(at, timeZone) * minuteMs);

/** Days since 1970 by the local calendar. */
const localDay = (at: Date, timeZone: string): number => Math.floor(localDate(at, timeZone).getTime() / dayMs);

/**
 * The moment of that minute on that day. If clocks show it twice (autumn), the first time; if they skip it (spring), as
 * long after midnight as on any other day.
 */
const momentOf = (day: number, minute: number, timeZone: string): Date => {
  const shownMs = day * dayMs + minute * minuteMs;
  const offsets = [-dayMs, dayMs].map((ms) => offsetMinutesAt(new Date(shownMs + ms), timeZone));
  const moments = offsets.map((offset) => new Date(shownMs - offset * minuteMs));
  const shown = moments.filter((at) => localMinute(at, timeZone) === minute && localDay(at, timeZone) === day);
  return shown.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? moments[0] ?? new Date(shownMs);
};

/** The last moment at or before `at` at that local minute, and the same of the day before: 23 to 25 hours. */
export const lastDay = (at: Date, minute: number, timeZone: string): { readonly from: Date; readonly to: Date } => {
  const today = localDay(at, timeZone);
  const day = momentOf(today, minute, timeZone).getTime() <= at.getTime() ? today : today - 1;
  return { from: momentOf(day - 1, minute, timeZone), to: momentOf(day, minute, timeZone) };
};

const isTimeZone = (name: string): boolean => {
  try {
    return /^[a-z]/i.test(name) && formatOf(name).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const regions = ['Europe', 'America', 'Asia', 'Africa', 'Australia', 'Pacific', 'Atlantic', 'Indian', 'Antarctica'];
const nameMaxLength = 60;

/** `Etc/GMT-2` for `UTC+2`: the names have the opposite sign. */
const zoneOfOffset = (typed: string): string | null => {
  const [, sign, hours] = /^(?:utc|gmt)?\s*([+-])0?(\d{1,2})(?::?00)?$/i.exec(typed) ?? [];
  if (sign === undefined || hours === undefined) return null;
  const zone = Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`;
  return isTimeZone(zone) ? zone : null;
};

/** Canonical spelling: `america/new_york` becomes `America/New_York`. Old and new names of a zone both stay. */
const written = (name: string): string => {
  const { timeZone } = formatOf(name).resolvedOptions();
  if (timeZone === 'UTC' || timeZone.toLowerCase() === name.toLowerCase()) return timeZone;
  return name.replaceAll(/[a-z]+/gi, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
};

/** A typed time zone: a name (`Europe/Berlin`), its city (`new york`) or whole hours (`UTC+2`); null: none. */
export const timeZoneOf = (text: string): string | null => {
  const typed = text.trim().replaceAll(/\s+/g, ' ');
  if (typed === '' || typed.length > nameMaxLength) return null;
  if (/^(?:utc|gmt)$/i.test(typed)) return 'UTC';
  const byOffset = zoneOfOffset(typed.replace('−', '-'));
  if (byOffset !== null) return byOffset;
  const name = typed.replaceAll(' ', '_');
  const names = name.includes('/') ? [name] : regions.map((region) => `${region}/${name}`);
  const found = names.find(isTimeZone);
  return found === undefined ? null : written(found);
};

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

const dayText = (local: Date): string => `${local.getUTCDate()} ${months[local.getUTCMonth()] ?? ''}`;

const clockText = (local: Date): string => minuteText(local.getUTCHours() * 60 + local.getUTCMinutes());

/** `20 Nov 03:10 to 08:20 UTC`; null without times. */
export const spanText = (times: readonly Date[], timeZone: string): string | null => {
  const sorted = times.toSorted((one, other) => one.getTime() - other.getTime());
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return null;
  const from = localDate(first, timeZone);
  const to = localDate(last, timeZone);
  const offset = offsetText(offsetMinutesAt(last, timeZone));
  const begin = `${dayText(from)} ${clockText(from)}`;
  if (Math.floor(first.getTime() / 60_000) === Math.floor(last.getTime() / 60_000)) return `${begin} ${offset}`;
  const end = dayText(from) === dayText(to) ? clockText(to) : `${dayText(to)} ${clockText(to)}`;
  return `${begin} to ${end} ${offset}`;
};
