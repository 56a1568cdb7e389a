import { cleanText } from '../shared/foreign-text.ts';
import type { Clock } from '../shared/clock.ts';
import { Unavailable } from '../shared/failure.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { carryJump, carryPrices, coinTypeLengthMax, typesToPrice } from './core/next-reading.ts';
import type {
  CoinReader,
  HeldCollection,
  MarketAnswer,
  PriceQuote,
  TreasuryReaders,
  TreasuryReading,
} from './core/reading.ts';
import { countablePrice } from './core/token-valuation.ts';
import { type MetadataBook, nameLengthMax } from './metadata-book.ts';

export interface TreasuryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface ReadContext {
  readonly readers: TreasuryReaders;
  readonly metadata: MetadataBook;
  readonly clock: Clock;
  readonly log: TreasuryLog;
  readonly treasuryAddress: string;
  /** Asked at the marketplace even when none is held: the minted count of value per rock. */
  readonly collectionType: string;
}

/** How many coin types are priced in one refresh. */
const pricedTypesMax = 1_000;
/** How long the types beyond that wait for their turn. */
const roundMs = 60_000;

/** Not an outage but the end of the turn or a mistake of ours: passed on. */
const orNull = async <T>(part: string, read: Promise<T>, log: TreasuryLog): Promise<T | null> => {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ part, reason: error.reason }, 'A part of the treasury could not be read; its last good value stays');
    return null;
  }
};

const readMarket = async (
  holdings: readonly HeldCollection[],
  last: TreasuryReading | null,
  context: ReadContext,
  stop: AbortSignal,
): Promise<MarketAnswer | null> => {
  const askedTypes = [...new Set([context.collectionType, ...holdings.map((held) => held.collectionType)])];
  const facts = await orNull('market', context.readers.market.readMarketFacts(askedTypes, stop), context.log);
  if (facts === null) return last?.market ?? null;
  const cleanFacts = [...facts].map(
    ([type, fact]) => [type, { ...fact, name: cleanText(fact.name, nameLengthMax) }] as const,
  );
  return { askedTypes, facts: new Map(cleanFacts) };
};

/** Confidently priced coins must be understood before a total is published; nothing else is worth waiting for. */
const readPricedMetadata = async (
  coinTypes: readonly string[],
  answered: ReadonlyMap<string, PriceQuote> | null,
  context: ReadContext,
  stop: AbortSignal,
): Promise<void> => {
  const now = context.clock.now();
  const counts = (coinType: string): boolean => {
    const quote = answered?.get(coinType);
    return quote !== undefined && countablePrice({ quote, readAt: now }) !== null;
  };
  await context.metadata.open(coinTypes);
  await context.metadata.read(context.metadata.missing(coinTypes.filter(counts)), stop);
};

/** More kiosks, or more or larger things in or beside them, than are read. */
const beyondReading: ReadonlySet<string> = new Set(['too-many-kiosks', 'too-many-pages']);

/**
 * Strangers can send a public wallet more than can be read. Then the last good count stands, with its age, and the
 * coins go on; any other failure of the chain stops the refresh, since part of the truth is not the truth.
 */
const countNfts = async (
  last: TreasuryReading | null,
  { readers, clock, treasuryAddress, log }: ReadContext,
  stop: AbortSignal,
): Promise<Pick<TreasuryReading, 'holdings' | 'holdingsReadAt'>> => {
  const holdingsReadAt = clock.now();
  try {
    return { holdings: await readers.holdings.readHoldings(treasuryAddress, stop), holdingsReadAt };
  } catch (error) {
    if (!(error instanceof Unavailable) || !beyondReading.has(error.reason) || last === null) throw error;
    log.warn({ reason: error.reason }, 'The NFTs could not be counted; their last good count stays');
    return { holdings: last.holdings, holdingsReadAt: last.holdingsReadAt };
  }
};

/**
 * Reads the whole treasury once. Balances and NFTs are asked at the same time; prices follow the balances and market facts the
 * NFTs, so the way is balances, prices, and only for new coins metadata; or NFTs, market facts. Prices and market facts that
 * cannot be read keep their last good value. Throws Unavailable when the chain part fails.
 */
export async function readTreasury(
  last: TreasuryReading | null,
  context: ReadContext,
  stop: AbortSignal,
): Promise<TreasuryReading> {
  const { readers, clock, treasuryAddress } = context;
  const chainReadAt = clock.now();
  const readTokens = async () => {
    const { balances, checkpoint } = await readers.coins.readBalances(treasuryAddress, stop);
    const held = balances.filter((row) => row.rawBalance > 0n);
    const coinTypes = typesToPrice(
      held.map((row) => row.coinType),
      (coinType) => last?.prices.has(coinType) ?? false,
      { max: pricedTypesMax, round: Math.floor(chainReadAt.getTime() / roundMs) },
    );
    const answered = await orNull('prices', readers.prices.readPrices(coinTypes, stop), context.log);
    await readPricedMetadata(coinTypes, answered, context, stop);
    const prices = carryPrices(last?.prices ?? new Map(), answered, coinTypes, clock.now());
    return { balances: held, checkpoint, prices };
  };
  const readNfts = async () => {
    const counted = await countNfts(last, context, stop);
    return { ...counted, market: await readMarket(counted.holdings, last, context, stop) };
  };
  const [tokens, nfts] = await Promise.all([readTokens(), readNfts()]);
  const jump = carryJump(last?.jump ?? null, clock.now());
  return { ...tokens, ...nfts, chainReadAt, metadata: context.metadata.entries(), jump };
}

/** Never-read coins after the figures are out: enough to explain them soon, few enough to leave the node alone. */
const lateReadsMax = 40;
/** Known coins read again; 4 a minute renew 200 coins within the hour. */
const renewalsMax = 4;

/**
 * After the figures are out: metadata that no total depends on, which names the coins listed apart. Returns the reading with
 * what was learned, or null when nothing was. An outage here is not reported.
 */
export async function readLateMetadata(
  reading: TreasuryReading,
  context: ReadContext,
  stop: AbortSignal,
): Promise<TreasuryReading | null> {
  const { metadata } = context;
  const usable = reading.balances.map((row) => row.coinType).filter((type) => type.length <= coinTypeLengthMax);
  const late = metadata.missing(usable.slice(0, pricedTypesMax)).slice(0, lateReadsMax);
  await orNull('metadata', metadata.read([...late, ...metadata.due().slice(0, renewalsMax)], stop), context.log);
  const learned = late.some((coinType) => metadata.entries().has(coinType));
  return learned ? { ...reading, metadata: metadata.entries() } : null;
}

type CoinSource = Pick<SuiClient, 'listBalances' | 'readCheckpoint' | 'readCoinInfo'>;

/**
 * The port on a full node. Balances come without the checkpoint they are from; the node's own one is asked after them, so that none is newer:
 * a ledger that has that checkpoint has everything that they are made of.
 */
export function createSuiCoinReader(sui: CoinSource): CoinReader {
  const readCheckpoint = async (stop?: AbortSignal): Promise<bigint | null> => {
    try {
      return await sui.readCheckpoint(stop);
    } catch (error) {
      // A balance without its checkpoint is still a balance.
      if (error instanceof Unavailable) return null;
      throw error;
    }
  };

  return {
    readBalances: async (owner: string, stop?: AbortSignal) => {
      const balances = await sui.listBalances(owner, stop);
      return { balances, checkpoint: await readCheckpoint(stop) };
    },
    readCoinMetadata: (coinType: string, stop?: AbortSignal) => sui.readCoinInfo(coinType, stop),
  };
}
