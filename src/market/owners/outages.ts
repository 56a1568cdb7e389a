import { Unavailable } from '../../shared/failure.ts';
import { untilAborted } from '../../process/in-time.ts';
import { marketUpstream } from '../../sources/tradeport/market-call.ts';
import type { HoldingAnswer } from '../contract.ts';

/** The outage that ended `work`, or its value. */
export async function outageOf<T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly outage: Unavailable }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof Unavailable) return { outage: error };
    throw error;
  }
}

/** On `stop` this caller gets Unavailable `stopped`; `work` goes on for other callers. */
export async function untilStopped<T>(work: Promise<T>, stop: AbortSignal | undefined): Promise<T> {
  if (stop === undefined) return work;
  try {
    return await untilAborted(work, stop);
  } catch (error) {
    if (error === stop.reason) throw new Unavailable('stopped', 'The answer is no longer needed');
    throw error;
  }
}

/** Reasons that say more than 'no answer'. */
const specificReasons = new Set(['too-many-kiosks', 'malformed-answer', 'marketplace-key-missing', 'stopped']);
const sameAs: Readonly<Record<string, string>> = {
  'repeated-cursor': 'malformed-answer',
  'too-many-pages': 'too-many-objects',
  'too-many-rows': 'too-many-objects',
};

/** The stable code of an 'unknown' answer (rulings R5), from the technical reason of an outage. */
export function unknownReason({ reason, upstream }: Unavailable): string {
  const silent = upstream === marketUpstream ? 'marketplace-unavailable' : 'node-unavailable';
  return sameAs[reason] ?? (specificReasons.has(reason) ? reason : silent);
}

export function unknownHolding(outage: Unavailable, asOf: Date): HoldingAnswer {
  return { kind: 'unknown', reason: unknownReason(outage), asOf };
}
