import type { Kysely, Selectable } from 'kysely';

import { excluded } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { type CollectionFact, makeFacts, matchListings, slugsOf } from '../core/market-facts.ts';
import { Unavailable } from '../../shared/failure.ts';
import { chunksOf } from '../../shared/chunks.ts';
import { readCollectionsAndBids } from '../../sources/tradeport/collections.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';

const factColumns = [
  'marketId',
  'name',
  'isVerified',
  'floorMist',
  'bestBidMist',
  'mintedCount',
  'source',
  'asOf',
] as const;

/** Last good answers about the collections of one network, shared by all copies. Throws what the database throws. */
const createFactStore = (db: Kysely<Database>, network: string) => ({
  readFacts: async (collectionTypes: readonly string[]): Promise<ReadonlyMap<string, CollectionFact>> => {
    const rows = await db
      .selectFrom('collectionFacts')
      .where('network', '=', network)
      .where('collectionType', 'in', [...collectionTypes])
      .selectAll()
      .execute();
    return new Map(rows.map((row) => [row.collectionType, toFact(row)]));
  },
  /** Never replaces a newer fact. */
  saveFacts: async (facts: readonly CollectionFact[]): Promise<void> => {
    await db
      .insertInto('collectionFacts')
      .values(facts.map((fact) => ({ ...fact, network })))
      .onConflict((conflict) =>
        conflict
          .columns(['network', 'collectionType'])
          .doUpdateSet(excluded(...factColumns))
          .whereRef('excluded.asOf', '>=', 'collectionFacts.asOf'),
      )
      .execute();
  },
});

function toFact({ network: _network, ...row }: Selectable<Database['collectionFacts']>): CollectionFact {
  return {
    ...row,
    floorMist: row.floorMist === null ? null : BigInt(row.floorMist),
    bestBidMist: row.bestBidMist === null ? null : BigInt(row.bestBidMist),
    mintedCount: row.mintedCount === null ? null : Number(row.mintedCount),
  };
}

interface FactReaderDeps {
  readonly market: MarketCall;
  readonly database: Kysely<Database>;
  readonly network: string;
  readonly clock: { now(): Date };
  readonly log: { warn(details: object, message: string): void };
}

/** No real type comes near; longer ones (nested to absurdity) fit neither a query nor a database key. */
const typeLengthMax = 1_000;
/** Slugs of so many types still make a request of a size that any server takes. */
const typesPerCallMax = 200;

/**
 * Asks the marketplace and keeps what it said; while it is down, the last good answers stand with their age. Throws
 * Unavailable when it is down and one of the types was never answered: a missing fact would read as "unknown there".
 */
export function createFactReader({ market, database, network, clock, log }: FactReaderDeps) {
  const store = createFactStore(database, network);
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

  /** Every fact of a type that was asked; the marketplace may not know it (`marketId` null). */
  return async (collectionTypes: readonly string[], stop?: AbortSignal) => {
    const types = [...new Set(collectionTypes)].filter((type) => type.length <= typeLengthMax);
    const chunks = await Promise.all(chunksOf(types, typesPerCallMax).map((chunk) => readChunk(chunk, stop)));
    return new Map(chunks.flatMap((chunk) => [...chunk]));
  };
}
