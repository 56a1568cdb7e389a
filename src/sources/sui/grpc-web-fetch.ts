import type { Unavailable } from '../../shared/failure.ts';
import { fetchBounded } from '../bounded-fetch.ts';
import { callFailure } from '../call-failure.ts';

/**
 * The `fetch` given to the SDK's gRPC-web transport. The transport flattens any failure into its own error with
 * a code that hides the cause (a 404 page becomes NOT_FOUND, "no such object"; a broken stream becomes INTERNAL), so
 * everything below the gRPC status is judged here and kept, under the attempt's signal, for `failureOf`.
 */
export interface GrpcWebFetch {
  readonly fetch: typeof globalThis.fetch;
  /** What went wrong below the gRPC status in the attempt of this signal. */
  readonly failureOf: (signal: AbortSignal) => Unavailable | undefined;
  /** The answer of this attempt arrived complete with status 0: if the transport still fails, its message is nonsense. */
  readonly isComplete: (signal: AbortSignal) => boolean;
}

const frameHeaderBytes = 5;
const trailerFlag = 0x80;

export function createGrpcWebFetch(upstream: string, maxAnswerBytes: number): GrpcWebFetch {
  const failures = new WeakMap<AbortSignal, Unavailable>();
  const complete = new WeakSet<AbortSignal>();

  const exchange = async (url: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const answer = await fetchBounded(url, init, { upstream, maxAnswerBytes, signal });
    const contentType = answer.headers.get('content-type') ?? '';
    if (!contentType.startsWith('application/grpc-web')) throw callFailure(upstream, 'malformed-answer');
    const frames = contentType.startsWith('application/grpc-web-text') ? fromBase64(answer.body) : answer.body;
    const headerStatus = answer.headers.get('grpc-status');
    const status = headerStatus ?? trailerStatus(frames);
    if (status === null) throw callFailure(upstream, 'malformed-answer');
    if (status === '0') complete.add(signal);
    const headers = new Headers({ 'content-type': 'application/grpc-web+proto' });
    for (const name of ['grpc-status', 'grpc-message', 'retry-after']) {
      const value = answer.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(new Uint8Array(frames), { headers });
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

/** grpc-web-text may be several padded base64 parts in a row (gRPC-web protocol, "Message framing"). */
function fromBase64(body: Buffer): Buffer {
  const parts = body.toString('latin1').match(/[^=]+={0,2}/g) ?? [];
  return Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
}

/** The `grpc-status` of the trailer frame that ends a complete answer; null when a frame is cut or the trailer missing. */
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
