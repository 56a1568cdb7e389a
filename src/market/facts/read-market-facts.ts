import { Unavailable } from '../../shared/failure.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { readCollectionsAndBids } from '../../sources/tradeport/collections.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import { type CollectionFact, makeFacts, matchListings, slugsOf } from '../core/market-facts.ts';
import type { FactStore } from './fact-store.ts';

export interface FactReaderDeps {
  readonly market: MarketCall;
  readonly store: FactStore;
  readonly clock: { now(): Date };
  readonly log: { warn(details: object, message: string): void };
}

/** Every fact of a type that was asked; the marketplace may not know it (`marketId` null). */
export type ReadFacts = (
  collectionTypes: readonly string[],
  stop?: AbortSignal,
) => Promise<ReadonlyMap<string, CollectionFact>>;

/** No real type comes near; longer ones (nested to absurdity) fit neither a query nor a database key. */
const typeLengthMax = 1_000;
/** Slugs of so many types still make a request of a size that any server takes. */
const typesPerCallMax = 200;

/**
 * Asks the marketplace and keeps what it said; while it is down, the last good answers stand with their age. Throws
 * Unavailable when it is down and one of the types was never answered: a missing fact would read as "unknown there".
 */
export function createFactReader({ market, store, clock, log }: FactReaderDeps): ReadFacts {
  const ask = async (
    types: readonly string[],
    last: ReadonlyMap<string, CollectionFact>,
    stop?: AbortSignal,
  ): Promise<readonly CollectionFact[]> => {
    // With the ids of the last answer, collections and bids come in one call; otherwise the bids follow in a second one.
    const lastIds = types.map((type) => last.get(type)?.marketId ?? null).filter((id) => id !== null);
    const bidsOf = [...new Set(types.every((type) => last.has(type)) ? lastIds : [])];
    const first = await readCollectionsAndBids(market, { slugs: [...new Set(types.flatMap(slugsOf))], bidsOf }, stop);
    const listings = matchListings(types, first.collections);
    const ids = new Set([...listings.values()].map(({ marketId }) => marketId));
    const lateIds = [...ids].filter((id) => !bidsOf.includes(id));
    const late =
      lateIds.length === 0 ? [] : (await readCollectionsAndBids(market, { slugs: [], bidsOf: lateIds }, stop)).bids;
    return makeFacts(types, {
      listings,
      bids: [...first.bids, ...late],
      source: 'tradeport',
      asOf: clock.now(),
    });
  };

  const readChunk = async (
    types: readonly string[],
    stop?: AbortSignal,
  ): Promise<ReadonlyMap<string, CollectionFact>> => {
    const last = await store.readFacts(types);
    try {
      const facts = await ask(types, last, stop);
      await store.saveFacts(facts).catch((error: unknown) => {
        // Good answers are used even when they cannot be kept (full disk).
        log.warn({ err: error }, 'The collection facts could not be saved');
      });
      return new Map(facts.map((fact) => [fact.collectionType, fact]));
    } catch (error) {
      const isOutage = error instanceof Unavailable && error.reason !== 'stopped';
      if (!isOutage || !types.every((type) => last.has(type))) throw error;
      log.warn({ reason: error.reason }, 'The marketplace could not be read; its last good answers stay');
      return last;
    }
  };

  return async (collectionTypes, stop) => {
    const types = [...new Set(collectionTypes)].filter((type) => type.length <= typeLengthMax);
    const chunks = await Promise.all(chunksOf(types, typesPerCallMax).map((chunk) => readChunk(chunk, stop)));
    return new Map(chunks.flatMap((chunk) => [...chunk]));
  };
}
