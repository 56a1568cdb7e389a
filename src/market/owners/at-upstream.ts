import { Unavailable } from '../../shared/failure.ts';
import { untilAborted } from '../../process/in-time.ts';
import { marketUpstream } from '../../sources/tradeport/market-call.ts';

/** The outage that `work` ended in, or what it gave. */
export async function outageOf<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly outage: Unavailable }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof Unavailable) return { outage: error };
    throw error;
  }
}

/** This caller leaves with Unavailable `stopped`; `work` goes on for others that wait for it. */
export async function untilStopped<T>(work: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
  if (stop === undefined) return work;
  try {
    return await untilAborted(work, stop);
  } catch (error) {
    if (error === stop.reason) throw new Unavailable('stopped', 'The answer is no longer needed');
    throw error;
  }
}

/** Says more than that there was no answer. */
const telling = new Set(['too-many-kiosks', 'malformed-answer', 'marketplace-key-missing', 'stopped']);
const sameAs: Readonly<Record<string, string>> = {
  'repeated-cursor': 'malformed-answer',
  'too-many-pages': 'too-many-objects',
  'too-many-rows': 'too-many-objects',
};

/** The stable code of an answer 'unknown' (rulings R5) from the technical reason of an outage. */
export function unknownReason({ reason, upstream }: Unavailable): string {
  const silent = upstream === marketUpstream ? 'marketplace-unavailable' : 'node-unavailable';
  return sameAs[reason] ?? (telling.has(reason) ? reason : silent);
}
