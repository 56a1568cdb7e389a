import { RpcError, SuiGrpcClient } from '@mysten/sui/grpc';
import { Unavailable } from '../../shared/failure.ts';
import { callFailure, type CallFailureReason, retryAfterOf, fetchBounded } from '../bounded-fetch.ts';
import { type CallLimits, type CallPolicyOptions, createCallPolicy } from '../call-policy.ts';

export interface SuiClientOptions extends Pick<CallPolicyOptions, 'limits' | 'rateLimiter' | 'onAttempt'> {
  readonly network: string;
  /** gRPC-web base URL of a full node. */
  readonly baseUrl: string;
  /** Sent with every call: a provider's key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its name in failures and metrics, as the beginning of a sentence. */
  readonly upstream?: string;
  readonly onTip?: (tip: NodeTip) => void;
}

/** The newest checkpoint of the node that gave an answer, if it says. Behind one address, some nodes lag behind others. */
export interface NodeTip {
  readonly checkpoint: bigint;
  /** The chain's own time of that checkpoint; null: the node does not say. */
  readonly at: Date | null;
}

const suiUpstream = 'The Sui full node';

/** The node cuts a page at about 512 KiB; even with a large batch, answers stay well below this. */
const answerMaxBytes = 16 * 1024 * 1024;

/** Long, because the calls for a wallet with hundreds of kiosks wait at the rate limiter of a public node. */
const suiLimits: Partial<CallLimits> = { totalTimeoutMs: 90_000 };

type Answered<T> = PromiseLike<{ readonly response: T }>;
type Unary<T> = (client: SuiGrpcClient, options: { readonly abort: AbortSignal }) => Answered<T>;

/** Runs one raw gRPC call under the policy, and gives its response. Throws Unavailable only. */
export type SuiCall = <T>(operation: string, unary: Unary<T>, stop?: AbortSignal) => Promise<T>;

/**
 * The SDK has no timeout of its own (`timeout` is only a header) and its Core API hides errors (reference: coin
 * metadata becomes null on a rate limit), so the raw services are called, each with the attempt's signal.
 */
export function createSuiCall(options: SuiClientOptions): SuiCall {
  const { network, baseUrl, headers, upstream = suiUpstream, onTip, ...policyOptions } = options;
  const web = createGrpcWebFetch(upstream, answerMaxBytes, onTip);
  const client = new SuiGrpcClient({ network, baseUrl, fetch: web.fetch, meta: { ...headers }, format: 'binary' });
  const limits = { ...suiLimits, ...options.limits };
  const policy = createCallPolicy({ upstream, ...policyOptions, limits });
  return (operation, unary, stop) =>
    policy(
      operation,
      async (signal) => {
        try {
          return (await unary(client, { abort: signal })).response;
        } catch (error) {
          throw web.failureOf(signal) ?? asCallFailure(error, upstream, web.isComplete(signal));
        }
      },
      stop,
    );
}

/** For gRPC statuses that are an answer: `valueOf` gives its value; undefined: it is a failure. */
export async function orElse<T, Other>(
  request: Answered<T>,
  valueOf: (error: RpcError) => Other | undefined,
): Promise<{ readonly response: T | Other }> {
  try {
    return await request;
  } catch (error) {
    const response = error instanceof RpcError ? valueOf(error) : undefined;
    if (response === undefined) throw error;
    return { response };
  }
}

/** null: the node answered with one of these gRPC statuses. */
export const orNull = <T>(statuses: readonly string[], request: Answered<T>) =>
  orElse(request, ({ code }) => (statuses.includes(code) ? null : undefined));

/** For an answer without a required part. */
export function malformed(what: string): Unavailable {
  return callFailure(suiUpstream, 'malformed-answer', { cause: new Error(what) });
}

const reasonsByStatus: Readonly<Record<string, CallFailureReason>> = {
  RESOURCE_EXHAUSTED: 'rate-limited',
  DEADLINE_EXCEEDED: 'timeout',
  UNAVAILABLE: 'upstream-error',
  INTERNAL: 'upstream-error',
  UNKNOWN: 'upstream-error',
  ABORTED: 'upstream-error',
  DATA_LOSS: 'malformed-answer',
};

function asCallFailure(error: unknown, upstream: string, isComplete: boolean): Error {
  if (error instanceof Unavailable) return error;
  if (!(error instanceof RpcError)) return error instanceof Error ? error : malformed('not an error');
  if (isComplete) return callFailure(upstream, 'malformed-answer', { cause: error });
  const retryAfter = error.meta['retry-after'];
  return callFailure(upstream, reasonsByStatus[error.code] ?? 'refused-by-upstream', {
    cause: error,
    retryAfterMs: typeof retryAfter === 'string' ? retryAfterOf(retryAfter, Date.now()) : null,
  });
}

const pageSize = 1000;

/** The part of a request that names a page. */
export interface PageRequest {
  readonly pageSize: number;
  readonly pageToken?: Uint8Array;
}

/**
 * Reads until the node names no further page: a page may be short or even empty with more to come. A repeated token would
 * loop for ever, and an endless list would fill the memory: both throw Unavailable, never returning a partial list.
 */
export async function readAllPages<Page extends { readonly nextPageToken?: Uint8Array | undefined }, T>(
  readPage: (page: PageRequest) => Promise<Page>,
  itemsOf: (page: Page) => readonly T[],
  pagesMax: number,
): Promise<readonly T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let request: PageRequest = { pageSize };
  for (let pages = 1; pages <= pagesMax; pages += 1) {
    const page = await readPage(request);
    items.push(...itemsOf(page));
    const { nextPageToken } = page;
    if (nextPageToken === undefined || nextPageToken.length === 0) return items;
    const key = Buffer.from(nextPageToken).toString('base64');
    if (seen.has(key)) throw new Unavailable('repeated-cursor', `${suiUpstream} repeats a page`);
    seen.add(key);
    request = { pageSize, pageToken: nextPageToken };
  }
  throw new Unavailable('too-many-pages', `${suiUpstream} has more than ${pagesMax} pages`);
}

/**
 * The `fetch` given to the SDK's gRPC-web transport. The transport turns any failure into its own error with a code that
 * hides the cause (a 404 page becomes NOT_FOUND, "no such object"; a broken stream becomes INTERNAL), so failures below the
 * gRPC status are found here and kept for `failureOf`, by the attempt's signal.
 */
interface GrpcWebFetch {
  readonly fetch: typeof globalThis.fetch;
  /** The failure below the gRPC status in the attempt with this signal. */
  readonly failureOf: (signal: AbortSignal) => Unavailable | undefined;
  /** This attempt's answer arrived complete with status 0: if the transport still fails, the message is malformed. */
  readonly isComplete: (signal: AbortSignal) => boolean;
}

const frameHeaderBytes = 5;
const trailerFlag = 0x80;

function createGrpcWebFetch(upstream: string, maxAnswerBytes: number, onTip: SuiClientOptions['onTip']): GrpcWebFetch {
  const failures = new WeakMap<AbortSignal, Unavailable>();
  const complete = new WeakSet<AbortSignal>();

  const exchange = async (url: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const answer = await fetchBounded(url, init, { upstream, maxAnswerBytes, signal });
    const contentType = answer.headers.get('content-type') ?? '';
    if (!contentType.startsWith('application/grpc-web')) throw callFailure(upstream, 'malformed-answer');
    const headerStatus = answer.headers.get('grpc-status');
    const status = headerStatus ?? trailerStatus(answer.body);
    if (status === null) throw callFailure(upstream, 'malformed-answer');
    if (status === '0') complete.add(signal);
    const tip = tipOf(answer.headers);
    if (tip !== null) onTip?.(tip);
    const headers = new Headers({ 'content-type': 'application/grpc-web+proto' });
    for (const name of ['grpc-status', 'grpc-message', 'retry-after']) {
      const value = answer.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(new Uint8Array(answer.body), { headers });
  };

  return {
    fetch: async (input, init = {}) => {
      const signal = init.signal ?? new AbortController().signal;
      try {
        return await exchange(input instanceof Request ? input.url : String(input), init, signal);
      } catch (error) {
        if (error instanceof Error && 'reason' in error) failures.set(signal, error as Unavailable);
        throw error;
      }
    },
    failureOf: (signal) => failures.get(signal),
    isComplete: (signal) => complete.has(signal),
  };
}

function tipOf(headers: Headers): NodeTip | null {
  const digitsOf = (name: string) => /^\d{1,15}$/.exec(headers.get(name) ?? '')?.[0];
  const checkpoint = digitsOf('x-sui-checkpoint-height');
  const atMs = digitsOf('x-sui-timestamp-ms');
  if (checkpoint === undefined) return null;
  return { checkpoint: BigInt(checkpoint), at: atMs === undefined ? null : new Date(Number(atMs)) };
}

/** The `grpc-status` of the trailer frame that ends a complete answer; null: a frame is cut off or the trailer is missing. */
function trailerStatus(frames: Buffer): string | null {
  let at = 0;
  while (at + frameHeaderBytes <= frames.length) {
    const payloadStart = at + frameHeaderBytes;
    const end = payloadStart + frames.readUInt32BE(at + 1);
    if (end > frames.length) return null;
    if (frames.readUInt8(at) === trailerFlag) {
      return /^grpc-status:\s*(\d+)\s*$/im.exec(frames.toString('latin1', payloadStart, end))?.[1] ?? null;
    }
    at = end;
  }
  return null;
}
