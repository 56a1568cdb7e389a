/** Far beyond what Telegram asks for; a longer wait is a mistake, and fits neither a timer nor a time of the database. */
const longestWaitMs = 7 * 24 * 3_600_000;

/** `retry_after` (Bot API, ResponseParameters) in milliseconds; null: none, or none that can be read. */
export const askedWaitMs = (seconds: unknown): number | null =>
  typeof seconds === 'number' && !Number.isNaN(seconds) ? Math.min(longestWaitMs, Math.max(0, seconds * 1_000)) : null;
