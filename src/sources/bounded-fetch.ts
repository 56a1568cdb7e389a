import type { z } from 'zod';
import type { Unavailable } from '../shared/failure.ts';
import { callFailure, failureOfStatus, retryAfterOf } from './call-failure.ts';

export interface BoundedRequest {
  /** For messages: who is asked. */
  readonly upstream: string;
  /** Bytes of the decompressed body beyond which the answer is refused. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** Statuses that mean something of their own at this upstream; null for the common reading. */
  readonly failureOf?: (status: number) => Unavailable | null;
}

export interface BoundedAnswer {
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * One HTTP exchange whose answer is read whole, up to a limit. Redirects are not followed: they would carry keys to
 * another host. Throws Unavailable for every status but 2xx; an abort keeps the aborter's reason.
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
    // What fetch and its streams throw themselves (TypeError with a cause) is the network; ours passes as it is.
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

/** A JSON body held against its schema; the text itself goes nowhere. */
function parseAnswer<T extends z.ZodType>(upstream: string, body: Buffer, schema: T): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // V8 quotes the offending text in its message, so the original error is no cause to keep.
    throw callFailure(upstream, 'malformed-answer', { cause: new Error('The body is not JSON') });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.code}`);
  throw callFailure(upstream, 'malformed-answer', { cause: new Error(where.join('; ')) });
}
