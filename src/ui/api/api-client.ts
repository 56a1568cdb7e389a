export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The version that a change is based on (rulings R6); sent as `If-Match`. */
  readonly ifMatch?: number;
  readonly signal?: AbortSignal;
}

/** A path with those query parameters that have a value. */
export function withQuery(path: string, query: Readonly<Record<string, string | false | null>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString().replaceAll('+', '%20');
  return text === '' ? path : `${path}?${text}`;
}

/**
 * On a dead connection a browser waits for minutes. The server gives up long before this limit, except when it reads many wallets
 * at once (a dry run); the page then says that there was no answer, and the visitor can try again.
 */
const longestCallMs = 60_000;

/** A signal that aborts with `signal`, and after `longestMs` at the latest. */
export function withLimit(signal?: AbortSignal, longestMs = longestCallMs): AbortSignal {
  const tooLong = AbortSignal.timeout(longestMs);
  if (signal === undefined) return tooLong;
  // Safari before 17.4 has no `AbortSignal.any`: there, a call with a signal has no time limit.
  return 'any' in AbortSignal ? AbortSignal.any([signal, tooLong]) : signal;
}

const textIn = (body: string, field: 'message' | 'code'): string | null => {
  try {
    const { [field]: text } = JSON.parse(body) as { readonly [name in typeof field]?: unknown };
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
};

/** Specification 8: the text is '{status}: {body text, or status text}'. */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly body: string;
  /** The answer's `message` field, shown in toasts where there is one (rulings R2). */
  readonly serverMessage: string | null;
  readonly code: string | null;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body === '' ? statusText : body}`);
    this.name = 'ApiError';
    this.status = status;
    this.statusText = statusText;
    this.body = body;
    this.serverMessage = textIn(body, 'message');
    this.code = textIn(body, 'code');
  }
}

/** How often to ask again for what a server that has just started has not read yet: that takes it seconds. */
const firstReadingAwaitedMs = 5_000;

/** When to ask again after a failure, or after `everyMs`. */
export const againAfterMs = (error: unknown, everyMs: number): number =>
  error instanceof ApiError && error.status === 503 && /-not-read(-yet)?$/.test(error.code ?? '')
    ? firstReadingAwaitedMs
    : everyMs;

/** The server's answer is not what was asked for. The message is a sentence for the visitor. */
export class UnexpectedAnswer extends Error {}

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

/**
 * Makes one call of specification 7: with credentials, JSON in and out. Resolves to the parsed body, or to the raw
 * response (body still unread) when the body is not JSON; rejects with ApiError on any status that is not a success,
 * and when no complete answer came within `longestMs`.
 */
export async function callApi(
  { method = 'GET', path, body, ifMatch, signal }: Call,
  fetchFrom: Fetch = fetch,
  longestMs = longestCallMs,
): Promise<unknown> {
  signal?.throwIfAborted();
  const response = await fetchFrom(path, {
    method,
    credentials: 'include',
    signal: withLimit(signal, longestMs),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  learnServerTime(response.headers, Date.now());
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  const text = await response.clone().text();
  try {
    return JSON.parse(text);
  } catch {
    return response;
  }
}

/** A visitor's clock this close to the server's counts as right: latency and the whole seconds of `Date` cause smaller differences. */
const rightWithinMs = 60_000;

/** `Date` has whole seconds. With the end of the second, nothing looks fresher, or lasts longer, than it really does. */
const cutByMs = 1_000;

let serverAheadMs = 0;

/** Learns from an answer's `Date` how far the visitor's clock is off; an answer from a proxy's cache carries its `Age` in seconds. */
export function learnServerTime(headers: Headers, nowMs: number): void {
  const sentAtMs = Date.parse(headers.get('date') ?? '');
  const aheadMs = sentAtMs + cutByMs + Number(headers.get('age') ?? 0) * 1000 - nowMs;
  if (Number.isNaN(aheadMs)) return;
  serverAheadMs = Math.abs(aheadMs) < rightWithinMs ? 0 : aheadMs;
}

/** The server's time, in milliseconds since 1970, at the visitor's time `nowMs`: every time shown is the server's. */
export const serverTimeMs = (nowMs: number): number => nowMs + serverAheadMs;

/** A toast's text for a failed call: the server's message where it has one (rulings R2), else the error's own text. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.serverMessage ?? error.message;
  if (error instanceof UnexpectedAnswer) return error.message;
  // A browser's own words for a server that does not answer ('Failed to fetch') are no help.
  return 'The server did not answer. Check the connection and try again.';
}
