import type { Kysely, Selectable } from 'kysely';

import { excluded } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { Unavailable } from '../shared/failure.ts';
import { cleanText } from '../shared/foreign-text.ts';
import type { Clock } from '../shared/clock.ts';
import type { CoinMetadata, CoinReader } from './core/reading.ts';

/** Coin metadata as once read; `metadata` null: the chain knew none at `readAt`. */
export interface KnownMetadata {
  readonly coinType: string;
  readonly metadata: CoinMetadata | null;
  readonly readAt: Date;
}

const foundKeptMs = 24 * 3_600_000;
const notFoundKeptMs = 3_600_000;
const readAtOnce = 4;
/** A single coin whose metadata fails so often in a row no longer holds up the whole treasury: it is listed apart. */
const failuresMax = 3;

export type MetadataBook = ReturnType<typeof createMetadataBook>;

/** How long a symbol or a name from outside may get; longer ones are cut. */
const symbolLengthMax = 32;
export const nameLengthMax = 100;
const iconUrlLengthMax = 2_000;

/** An icon is shown only from https; anything else (data:, http:, javascript:) is left out. */
export const cleanIconUrl = (url: string | null): string | null =>
  url !== null && url.length <= iconUrlLengthMax && /^https:\/\/[^\s"'<>\\]+$/i.test(url)
    ? cleanText(url, iconUrlLengthMax)
    : null;

const cleaned = (metadata: CoinMetadata): CoinMetadata => ({
  coinType: metadata.coinType,
  decimals: metadata.decimals,
  symbol: cleanText(metadata.symbol, symbolLengthMax),
  name: cleanText(metadata.name, nameLengthMax),
  iconUrl: cleanIconUrl(metadata.iconUrl),
});

/** Metadata of the coins held: from memory, else from the database, else from the chain. */
export function createMetadataBook(reader: CoinReader, store: CoinMetadataStore, clock: Clock) {
  let known = new Map<string, KnownMetadata>();
  let failures = new Map<string, number>();

  const readOne = async (coinType: string, stop: AbortSignal): Promise<KnownMetadata | null> => {
    try {
      const metadata = await reader.readCoinMetadata(coinType, stop);
      failures.delete(coinType);
      return { coinType, metadata: metadata === null ? null : cleaned(metadata), readAt: clock.now() };
    } catch (error) {
      if (!(error instanceof Unavailable) || stop.aborted) throw error;
      failures.set(coinType, (failures.get(coinType) ?? 0) + 1);
      return null;
    }
  };

  const readSome = async (coinTypes: readonly string[], stop: AbortSignal): Promise<void> => {
    const read = (await Promise.all(coinTypes.map((coinType) => readOne(coinType, stop)))).filter(
      (entry) => entry !== null,
    );
    for (const entry of read) known.set(entry.coinType, entry);
    await store.saveMetadata(read);
  };

  return {
    /** Remembers exactly these coins, from the database where memory has none. Throws what the database throws. */
    open: async (coinTypes: readonly string[]): Promise<void> => {
      const held = new Set(coinTypes);
      const remembered = new Map([...known].filter(([coinType]) => held.has(coinType)));
      const stored = await store.loadMetadata(coinTypes.filter((coinType) => !remembered.has(coinType)));
      known = new Map([...remembered, ...stored.map((entry) => [entry.coinType, entry] as const)]);
      failures = new Map([...failures].filter(([coinType]) => held.has(coinType)));
    },
    /** Coins of these that were never read. */
    missing: (coinTypes: readonly string[]): string[] => coinTypes.filter((coinType) => !known.has(coinType)),
    /** Coins whose metadata is due for another look: found a day ago, not found an hour ago. */
    due: (): string[] => {
      const nowMs = clock.now().getTime();
      return [...known.values()]
        .filter(({ metadata, readAt }) => nowMs - readAt.getTime() > (metadata === null ? notFoundKeptMs : foundKeptMs))
        .map(({ coinType }) => coinType);
    },
    /** Reads from the chain and keeps what it gets. Throws Unavailable for coins that failed and are not given up yet. */
    read: async (coinTypes: readonly string[], stop: AbortSignal): Promise<void> => {
      for (let start = 0; start < coinTypes.length; start += readAtOnce) {
        stop.throwIfAborted();
        await readSome(coinTypes.slice(start, start + readAtOnce), stop);
      }
      const unread = coinTypes.find((type) => !known.has(type) && (failures.get(type) ?? 0) < failuresMax);
      if (unread !== undefined)
        throw new Unavailable('coin-metadata-unread', `The chain did not say what ${unread} is`);
    },
    entries: (): ReadonlyMap<string, CoinMetadata | null> =>
      new Map([...known].map(([coinType, entry]) => [coinType, entry.metadata])),
  };
}

export type CoinMetadataStore = ReturnType<typeof createCoinMetadataStore>;

/**
 * Metadata of the coins of one network. It hardly ever changes: it is kept, so that a steady refresh asks the chain for none.
 * Throws what the database throws.
 */
export const createCoinMetadataStore = (db: Kysely<Database>, network: string) => ({
  loadMetadata: async (coinTypes: readonly string[]): Promise<readonly KnownMetadata[]> => {
    if (coinTypes.length === 0) return [];
    const rows = await db
      .selectFrom('coinMetadata')
      .where('network', '=', network)
      .where('coinType', 'in', [...coinTypes])
      .selectAll()
      .execute();
    return rows.map(toKnown);
  },
  saveMetadata: async (entries: readonly KnownMetadata[]): Promise<void> => {
    if (entries.length === 0) return;
    const rows = entries.map(({ coinType, metadata, readAt }) => {
      const { decimals = null, symbol = null, name = null, iconUrl = null } = metadata ?? {};
      return { network, coinType, found: metadata !== null, decimals, symbol, name, iconUrl, readAt };
    });
    await db
      .insertInto('coinMetadata')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['network', 'coinType'])
          .doUpdateSet(excluded('found', 'decimals', 'symbol', 'name', 'iconUrl', 'readAt')),
      )
      .execute();
  },
});

function toKnown(row: Selectable<Database['coinMetadata']>): KnownMetadata {
  const { coinType, decimals, symbol, name, iconUrl, readAt } = row;
  const isComplete = row.found && decimals !== null && symbol !== null && name !== null;
  return { coinType, readAt, metadata: isComplete ? { coinType, decimals, symbol, name, iconUrl } : null };
}
