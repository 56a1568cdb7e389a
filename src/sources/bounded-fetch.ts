import { Unavailable } from '../shared/failure.ts';
import type { z } from 'zod';

/** All reasons why a call to the outside ends without an answer. Stable codes, used in logs and metrics. */
export type CallFailureReason =
  | 'rate-limited'
  | 'upstream-error'
  | 'timeout'
  | 'network'
  | 'refused-by-upstream'
  | 'malformed-answer'
  | 'answer-too-large'
  | 'stopped';

const sentences: Readonly<Record<CallFailureReason, string>> = {
  'rate-limited': 'asks us to slow down',
  'upstream-error': 'reports an internal error',
  timeout: 'did not answer in time',
  network: 'could not be reached, or the connection broke',
  'refused-by-upstream': 'refused the request',
  'malformed-answer': 'gave an answer that cannot be read',
  'answer-too-large': 'gave too large an answer',
  stopped: 'was interrupted: the caller stopped',
};

/** Another attempt may succeed. Refusals and malformed answers would only repeat. */
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

/** Makes the error of every failed call. Its message never contains the upstream's text, which is untrusted and may be long. */
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

/** The failure that an HTTP status means; null for 2xx. */
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

export interface BoundedRequest {
  /** The name of the service, for messages. */
  readonly upstream: string;
  /** Limit for the decompressed body. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** For statuses with a special meaning at this upstream; null: the usual meaning. */
  readonly failureOf?: (status: number) => Unavailable | null;
}

export interface BoundedAnswer {
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * One HTTP exchange whose answer is read in full, up to a limit. Redirects are not followed: they would carry keys to
 * another host. Throws Unavailable for every status but 2xx; an abort throws the signal's reason.
 */
export async function fetchBounded(url: string, init: RequestInit, request: BoundedRequest): Promise<BoundedAnswer> {
  const { upstream, signal } = request;
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const reason = failureOfStatus(response.status);
    if (reason !== null) {
      const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), Date.now());
      await response.body?.cancel();
      const cause = new Error(`HTTP status ${response.status}`);
      throw request.failureOf?.(response.status) ?? callFailure(upstream, reason, { cause, retryAfterMs });
    }
    return { headers: response.headers, body: await readBounded(response, request) };
  } catch (error) {
    // Errors from fetch and its streams (TypeError with a cause) mean the network; our own are rethrown unchanged.
    if (error instanceof TypeError || isStreamError(error)) throw callFailure(upstream, 'network', { cause: error });
    throw error;
  }
}

async function readBounded(response: Response, { upstream, maxAnswerBytes }: BoundedRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream, so a huge answer costs no more than the limit.
    if (length > maxAnswerBytes) throw callFailure(upstream, 'answer-too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function isStreamError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** One exchange whose answer is JSON of this schema. Throws Unavailable, also `malformed-answer`. */
export async function fetchJson<T extends z.ZodType>(
  url: string,
  init: RequestInit,
  request: BoundedRequest,
  schema: T,
): Promise<z.infer<T>> {
  const { body } = await fetchBounded(url, init, request);
  return parseAnswer(request.upstream, body, schema);
}

/** Checks a JSON body against its schema. The text itself never appears in an error. */
function parseAnswer<T extends z.ZodType>(upstream: string, body: Buffer, schema: T): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // V8 quotes the offending text in its message, so the original error is not kept as a cause.
    throw callFailure(upstream, 'malformed-answer', { cause: new Error('The body is not JSON') });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.code}`);
  throw callFailure(upstream, 'malformed-answer', { cause: new Error(where.join('; ')) });
}
