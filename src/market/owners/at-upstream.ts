import { Unavailable } from '../../shared/failure.ts';

/** Runs `work`; an outage leaves with the stable reason of an answer 'unknown'. Anything else passes as it is. */
export async function atUpstream<T>(side: AskedSide, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    throw new Unavailable(unknownReason(side, error.reason), error.message, error, error.retryAfterMs, error.upstream);
  }
}

/** The outage that `work` ended in, or what it gave. */
export async function outageOf<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly outage: Unavailable }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof Unavailable) return { outage: error };
    throw error;
  }
}

/** `work` goes on for whoever else waits for it; this caller leaves with Unavailable `stopped`. */
export async function untilStopped<T>(work: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
  if (stop === undefined) return work;
  const ended = Promise.withResolvers<never>();
  const leave = (): void => ended.reject(new Unavailable('stopped', 'Nobody waits for the answer any more'));
  if (stop.aborted) leave();
  stop.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    stop.removeEventListener('abort', leave);
  }
}

/** Whose answer is missing. */
export type AskedSide = 'node' | 'marketplace';

/** What says more than that somebody did not answer. */
const telling = new Set(['too-many-kiosks', 'malformed-answer', 'marketplace-key-missing', 'stopped']);
const sameAs: Readonly<Record<string, string>> = {
  'repeated-cursor': 'malformed-answer',
  'too-many-pages': 'too-many-objects',
  'too-many-rows': 'too-many-objects',
};

/** The stable code of an answer 'unknown' (rulings R5) from the reason of an outage, which is a matter of wires. */
function unknownReason(side: AskedSide, reason: string): string {
  return sameAs[reason] ?? (telling.has(reason) ? reason : `${side}-unavailable`);
}
