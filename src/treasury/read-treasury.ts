import { createOutageLog, type OutageLog } from '../db/outage.ts';
import type { Log } from '../process/logger.ts';
import { cleanText } from '../shared/foreign-text.ts';
import type { Clock } from '../shared/clock.ts';
import { Unavailable } from '../shared/failure.ts';
import { isUsableType } from '../shared/sui-address.ts';
import type { PriceSource } from '../sources/prices/price-quote.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { carryFacts, carryJump, carryPrices, typesToPrice } from './core/next-reading.ts';
import type { HeldCollection, MarketAnswer, PriceQuote, TreasuryReading, ValuationSettings } from './core/reading.ts';
import { isCountable } from './core/token-valuation.ts';
import { isDue, type CoinMetadataCache, nameLengthMax } from './coin-metadata.ts';

export type TreasuryLog = Pick<Log, 'info' | 'warn'>;

/** Each throws Unavailable: an outage is never an empty answer. */
export interface TreasuryReaders {
  readonly sui: Pick<
    SuiClient,
    'listBalances' | 'readStakedMist' | 'readKeptCheckpoints' | 'readCoinInfo' | 'watchTips'
  >;
  readonly collections: {
    readHoldings(owner: string, stop?: AbortSignal): Promise<readonly HeldCollection[]>;
    /** Absent: not on the marketplace. */
    readMarketFacts(collectionTypes: readonly string[], stop?: AbortSignal): Promise<MarketAnswer['facts']>;
  };
  readonly prices: PriceSource;
}

/** Each refresh reads again: a part that fails is logged once, until its reason changes. */
export const createPartOutages = (log: TreasuryLog) => {
  const ofPart = (part: string) => createOutageLog(log, `A part of the treasury (${part}) could not be read`);
  return { prices: ofPart('prices'), market: ofPart('market'), metadata: ofPart('metadata'), nfts: ofPart('NFTs') };
};

export interface ReadContext {
  readonly readers: TreasuryReaders;
  readonly metadata: CoinMetadataCache;
  readonly clock: Clock;
  readonly log: TreasuryLog;
  readonly outages: ReturnType<typeof createPartOutages>;
  /** The collection is read from the marketplace even when none is held: value per rock needs its minted count. */
  readonly settings: Pick<ValuationSettings, 'treasuryAddress' | 'collectionType'>;
}

/** How many coin types are priced in one refresh. */
const pricedTypesMax = 1_000;
/** Types beyond that limit take turns, by rounds of this length. */
const roundMs = 60_000;

/** null during an outage. Other errors (an aborted run, a bug) are thrown. */
const orNull = async <T>(read: Promise<T>, outages: OutageLog): Promise<T | null> => {
  try {
    const value = await read;
    outages.done();
    return value;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outages.failed(error);
    return null;
  }
};

const readMarket = async (
  holdings: readonly HeldCollection[],
  last: TreasuryReading | null,
  context: ReadContext,
  stop: AbortSignal,
): Promise<MarketAnswer | null> => {
  const askedTypes = [...new Set([context.settings.collectionType, ...holdings.map((held) => held.collectionType)])];
  const facts = await orNull(context.readers.collections.readMarketFacts(askedTypes, stop), context.outages.market);
  if (facts === null) return last?.market ?? null;
  const cleanFacts = [...facts].map(
    ([type, fact]) => [type, { ...fact, name: cleanText(fact.name, nameLengthMax) }] as const,
  );
  return carryFacts(last?.market ?? null, { askedTypes, facts: new Map(cleanFacts) }, context.clock.now());
};

/** Coins first described in one refresh whose metadata no total needs: enough to name them soon, few enough to spare the node. */
const othersReadMax = 40;
/** Then a refresh goes on without the rest; the next one continues. */
const othersWithinMs = 20_000;
/** Known coins read again in one refresh; 4 a minute renew 200 coins within the hour. */
const renewalsMax = 4;

/** A total needs the metadata of confidently priced coins. Without that of the others, which are listed separately, a refresh goes on. */
const readMetadata = async (
  coinTypes: readonly string[],
  answered: ReadonlyMap<string, PriceQuote> | null,
  { metadata, outages, clock }: ReadContext,
  stop: AbortSignal,
): Promise<TreasuryReading['metadata']> => {
  const isNeeded = (coinType: string): boolean => {
    const quote = answered?.get(coinType);
    return quote !== undefined && isCountable(quote);
  };
  await metadata.describe(coinTypes.filter(isNeeded), stop);
  const known = await metadata.load(coinTypes);
  const others = coinTypes.filter((coinType) => !known.has(coinType) && !isNeeded(coinType)).slice(0, othersReadMax);
  const expired = [...known.values()].filter((each) => isDue(each, clock.now())).slice(0, renewalsMax);
  const inTime = AbortSignal.any([stop, AbortSignal.timeout(othersWithinMs)]);
  await orNull(metadata.read([...others, ...expired.map(({ coinType }) => coinType)], inTime), outages.metadata);
  const described = await metadata.load(coinTypes);
  return new Map([...described].map(([coinType, { metadata: found }]) => [coinType, found]));
};

/** With the metadata of more coins, every valuation would delay visitors. */
const describedTypesMax = 5_000;

const describedTypes = (balances: TreasuryReading['balances']): readonly string[] =>
  balances
    .map(({ coinType }) => coinType)
    .filter(isUsableType)
    .slice(0, describedTypesMax);

/** More kiosks, or more or larger objects in or beside them, than the limits allow. */
const beyondReading: ReadonlySet<string> = new Set(['too-many-kiosks', 'too-many-pages']);

/**
 * Strangers can send a public wallet more than can be read. Then the last good count stays, with its age, and coins are
 * still read. Any other chain failure stops the refresh, since a partial reading would be wrong.
 */
const countNfts = async (
  last: TreasuryReading | null,
  { readers, clock, settings, outages }: ReadContext,
  stop: AbortSignal,
): Promise<Pick<TreasuryReading, 'holdings' | 'holdingsReadAt'>> => {
  const holdingsReadAt = clock.now();
  try {
    const holdings = await readers.collections.readHoldings(settings.treasuryAddress, stop);
    outages.nfts.done();
    return { holdings, holdingsReadAt };
  } catch (error) {
    if (!(error instanceof Unavailable) || !beyondReading.has(error.reason) || last === null) throw error;
    outages.nfts.failed(error);
    return { holdings: last.holdings, holdingsReadAt: last.holdingsReadAt };
  }
};

/**
 * Reads the whole treasury once. Prices and market facts that cannot be read keep their last good value. Throws Unavailable when
 * the chain part fails.
 */
export async function readTreasury(
  last: TreasuryReading | null,
  context: ReadContext,
  stop: AbortSignal,
): Promise<TreasuryReading> {
  const { readers, clock } = context;
  const { treasuryAddress } = context.settings;
  const chainReadAt = clock.now();
  const readTokens = async () => {
    const [{ balances, checkpoint, newestAt }, stakedMist] = await Promise.all([
      readBalances(readers.sui, treasuryAddress, stop),
      readers.sui.readStakedMist(treasuryAddress, stop),
    ]);
    const held = balances.filter((row) => row.rawBalance > 0n);
    const coinTypes = typesToPrice(
      held.map((row) => row.coinType),
      (coinType) => last?.prices.has(coinType) ?? false,
      { max: pricedTypesMax, round: Math.floor(chainReadAt.getTime() / roundMs) },
    );
    const answered = await orNull(readers.prices.readPrices(coinTypes, stop), context.outages.prices);
    const described = [...new Set([...coinTypes, ...describedTypes(held)])];
    const metadata = await readMetadata(described, answered, context, stop);
    const prices = carryPrices(last?.prices ?? new Map(), answered, coinTypes, clock.now());
    return { balances: held, stakedMist, checkpoint, newestAt, metadata, prices };
  };
  const readNfts = async () => {
    const counted = await countNfts(last, context, stop);
    return { ...counted, market: await readMarket(counted.holdings, last, context, stop) };
  };
  const [{ newestAt, ...tokens }, nfts] = await Promise.all([readTokens(), readNfts()]);
  // A node that has stopped, or is behind, answers what was true at its newest checkpoint.
  const timeOf = (readAt: Date): Date => (newestAt !== null && newestAt < readAt ? newestAt : readAt);
  const jump = carryJump(last?.jump ?? null, clock.now());
  return {
    ...tokens,
    ...nfts,
    chainReadAt: timeOf(chainReadAt),
    holdingsReadAt: timeOf(nfts.holdingsReadAt),
    jump,
  };
}

/**
 * Balances come without a checkpoint, but the answer may say how far its node is. Otherwise the node's newest checkpoint is read after
 * them: a ledger read up to it contains every transaction behind them. null: the node gave none, or no time; the balances are still good.
 */
export async function readBalances(
  sui: Pick<SuiClient, 'listBalances' | 'readKeptCheckpoints' | 'watchTips'>,
  owner: string,
  stop?: AbortSignal,
): Promise<Pick<TreasuryReading, 'balances' | 'checkpoint'> & { readonly newestAt: Date | null }> {
  const { value: balances, tips } = await sui.watchTips(() => sui.listBalances(owner, stop));
  const [first, ...others] = tips;
  if (first !== undefined) {
    const newest = others.reduce((one, other) => (other.checkpoint > one.checkpoint ? other : one), first);
    return { balances, checkpoint: newest.checkpoint, newestAt: newest.at };
  }
  const kept = await sui.readKeptCheckpoints(stop).catch((error: unknown) => {
    if (error instanceof Unavailable) return null;
    throw error;
  });
  return { balances, checkpoint: kept?.newest ?? null, newestAt: kept?.newestAt ?? null };
}
