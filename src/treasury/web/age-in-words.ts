const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * How old a figure is, in a few words. Times in milliseconds since 1970; a time in the future (the visitor's clock is
 * behind) counts as now. null: never read.
 */
export function ageInWords(asOf: string | null, nowMs: number): string {
  if (asOf === null) return 'never read';
  const ageMs = Math.max(0, nowMs - Date.parse(asOf));
  if (Number.isNaN(ageMs)) return 'age unknown';
  if (ageMs < minuteMs) return 'under a minute ago';
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  if (ageMs < 2 * dayMs) return `${Math.floor(ageMs / hourMs)} h ago`;
  return `${Math.floor(ageMs / dayMs)} days ago`;
}

const instant = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `20 Nov 2026, 14:02 UTC`: the same for every reader, whatever their clock's zone. */
export const instantInWords = (at: string): string => `${instant.format(new Date(at))} UTC`;
