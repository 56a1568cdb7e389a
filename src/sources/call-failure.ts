import { Unavailable } from '../shared/failure.ts';

/** Every way a call to the outside ends without an answer. Stable codes: they stand in logs and metrics. */
export type CallFailureReason =
  | 'rate-limited'
  | 'upstream-error'
  | 'timeout'
  | 'network'
  | 'refused-by-upstream'
  | 'malformed-answer'
  | 'answer-too-large'
  | 'breaker-open'
  | 'stopped';

const sentences: Readonly<Record<CallFailureReason, string>> = {
  'rate-limited': 'asks us to slow down',
  'upstream-error': 'reports an error of its own',
  timeout: 'did not answer in time',
  network: 'could not be reached, or the connection broke',
  'refused-by-upstream': 'refused the request',
  'malformed-answer': 'gave an answer that cannot be read',
  'answer-too-large': 'gave an answer larger than is accepted',
  'breaker-open': 'failed repeatedly and is left alone for a moment',
  stopped: 'was not waited for: the caller stopped',
};

/** Another attempt may well succeed. Refusals and nonsense stay what they are however often one asks. */
const transientReasons: ReadonlySet<string> = new Set<CallFailureReason>([
  'rate-limited',
  'upstream-error',
  'timeout',
  'network',
]);

export interface CallFailureDetails {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | null;
}

/** The one form of a failed call. The message never holds the other side's text: that is untrusted and may be long. */
export function callFailure(
  upstream: string,
  reason: CallFailureReason,
  details: CallFailureDetails = {},
): Unavailable {
  const { cause, retryAfterMs = null } = details;
  return new Unavailable(reason, `${upstream} ${sentences[reason]}`, cause, retryAfterMs, upstream);
}

export function isTransient(error: unknown): error is Unavailable {
  return error instanceof Unavailable && transientReasons.has(error.reason);
}

/** What an HTTP status without a usable answer means; null for 2xx. */
export function failureOfStatus(status: number): CallFailureReason | null {
  if (status >= 200 && status < 300) return null;
  if (status === 429) return 'rate-limited';
  if (status === 408 || status === 504) return 'timeout';
  return status >= 500 ? 'upstream-error' : 'refused-by-upstream';
}

/** Milliseconds of a `retry-after` header (seconds or an HTTP date, RFC 9110 10.2.3); null when absent or unreadable. */
export function retryAfterOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const atMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
