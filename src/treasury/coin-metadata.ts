import type { Kysely, Selectable } from 'kysely';

import { anyOf, excluded } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { concurrently } from '../process/concurrency.ts';
import { Unavailable } from '../shared/failure.ts';
import { cleanText } from '../shared/foreign-text.ts';
import type { Clock } from '../shared/clock.ts';
import { isUsableDecimals } from '../shared/money.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import type { CoinMetadata } from './core/reading.ts';

/** `metadata` null: the chain had none at `readAt`, or none that an amount can be calculated with. */
export interface KnownMetadata {
  readonly coinType: string;
  readonly metadata: CoinMetadata | null;
  readonly readAt: Date;
}

const foundKeptMs = 24 * 3_600_000;
const notFoundKeptMs = 3_600_000;
const readAtOnce = 4;
/** A coin whose metadata fails this often in a row no longer holds up the whole treasury: it is listed separately. */
const failuresMax = 3;

export type CoinMetadataCache = ReturnType<typeof createCoinMetadataCache>;

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

export const isDue = ({ metadata, readAt }: KnownMetadata, now: Date): boolean =>
  now.getTime() - readAt.getTime() > (metadata === null ? notFoundKeptMs : foundKeptMs);

/** Coin metadata from the database, else from the chain. */
export function createCoinMetadataCache(sui: Pick<SuiClient, 'readCoinInfo'>, store: CoinMetadataStore, clock: Clock) {
  /** By coin, since this process started; absent: no read failed since the last that succeeded. */
  const failuresInARow = new Map<string, number>();
  const holdsUpTheTreasury = (coinType: string): boolean => (failuresInARow.get(coinType) ?? failuresMax) < failuresMax;
  /** null: the chain did not answer. */
  const readOrCountFailure = async (coinType: string, stop: AbortSignal): Promise<KnownMetadata | null> => {
    try {
      const metadata = await sui.readCoinInfo(coinType, stop);
      failuresInARow.delete(coinType);
      return { coinType, metadata: metadata === null ? null : cleaned(metadata), readAt: clock.now() };
    } catch (error) {
      if (!(error instanceof Unavailable) || stop.aborted) throw error;
      failuresInARow.set(coinType, (failuresInARow.get(coinType) ?? 0) + 1);
      return null;
    }
  };
  const read = async (coinTypes: readonly string[], stop: AbortSignal): Promise<void> => {
    // Each is saved as it comes: one that gets no answer until time is up must not cost the names of the others.
    await concurrently(coinTypes, readAtOnce, async (coinType) => {
      if (stop.aborted) throw new Unavailable('stopped', 'The metadata is no longer needed');
      const answer = await readOrCountFailure(coinType, stop);
      if (answer !== null) await store.saveMetadata([answer]);
    });
    const unread = coinTypes.find(holdsUpTheTreasury);
    if (unread !== undefined)
      throw new Unavailable('coin-metadata-unread', `The metadata of ${unread} could not be read`);
  };
  return {
    load: store.loadMetadata,
    /** Reads from the chain and saves what it answers. Throws Unavailable if a coin without an answer holds up the treasury. */
    read,
    /** What is stored of these coins, once those never read were read from the chain. Throws Unavailable, as `read` does. */
    describe: async (coinTypes: readonly string[], stop: AbortSignal) => {
      const known = await store.loadMetadata(coinTypes);
      const missing = coinTypes.filter((coinType) => !known.has(coinType));
      if (missing.length === 0) return known;
      await read(missing, stop);
      return store.loadMetadata(coinTypes);
    },
  };
}

export type CoinMetadataStore = ReturnType<typeof createCoinMetadataStore>;

/** Metadata of the coins of one network. It hardly ever changes, so it is stored and most refreshes need not read it. */
export const createCoinMetadataStore = (db: Kysely<Database>, network: string) => ({
  /** By coin; absent: never read. */
  loadMetadata: async (coinTypes: readonly string[]): Promise<ReadonlyMap<string, KnownMetadata>> => {
    if (coinTypes.length === 0) return new Map();
    const rows = await db
      .selectFrom('coinMetadata')
      .where('network', '=', network)
      .where('coinType', '=', anyOf(coinTypes, 'text'))
      .selectAll()
      .execute();
    return new Map(rows.map((row) => [row.coinType, toKnown(row)]));
  },
  /** What the chain no longer has stays: the creator of a coin can wrap its metadata, and must not change what the past was worth. */
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
        conflict.columns(['network', 'coinType']).doUpdateSet(({ fn }) => ({
          ...excluded('readAt'),
          found: fn<boolean>('greatest', ['excluded.found', 'coinMetadata.found']),
          decimals: fn.coalesce('excluded.decimals', 'coinMetadata.decimals'),
          symbol: fn.coalesce('excluded.symbol', 'coinMetadata.symbol'),
          name: fn.coalesce('excluded.name', 'coinMetadata.name'),
          iconUrl: fn.coalesce('excluded.iconUrl', 'coinMetadata.iconUrl'),
        })),
      )
      .execute();
  },
});

function toKnown(row: Selectable<Database['coinMetadata']>): KnownMetadata {
  const { coinType, decimals, symbol, name, iconUrl, readAt } = row;
  const isComplete = row.found && decimals !== null && isUsableDecimals(decimals) && symbol !== null && name !== null;
  return { coinType, readAt, metadata: isComplete ? { coinType, decimals, symbol, name, iconUrl } : null };
}
