import type {
  CoinMetadata,
  HeldCollection,
  MarketAnswer,
  MarketFact,
  PriceQuote,
  TreasuryReading,
  ValuationSettings,
} from '../../src/treasury/core/reading.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';

/** Helpers to write treasury readings briefly, for the tests of their valuation. */
export const now = new Date('2026-11-20T12:00:00.000Z');
export const ago = (ms: number): Date => new Date(now.getTime() - ms);
export const minuteMs = 60_000;

export const address = (digit: string): string => `0x${digit.repeat(64)}`;
export const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
export const meme = `${address('a')}::meme::MEME`;
export const rocks = `${address('c')}::rocks::Nft`;
export const bats = `${address('d')}::bats::Bat`;

export const settings: ValuationSettings = {
  network: 'mainnet',
  treasuryAddress: address('7'),
  explorerUrl: 'https://suiscan.xyz/mainnet',
  collectionType: rocks,
  refreshMs: minuteMs,
};

export const coin = (coinType: string, symbol: string, decimals: number): CoinMetadata => ({
  coinType,
  decimals,
  symbol,
  name: symbol,
  iconUrl: null,
});

export const quote = (usdText: string, changed: Partial<PriceQuote> = {}): PriceQuote => ({
  pricePicoUsd: BigInt(Math.round(Number(usdText) * 1e12)),
  confidence: 0.99,
  asOf: ago(minuteMs),
  source: 'defillama',
  ...changed,
});

export const held = (collectionType: string, count: number): HeldCollection => ({
  collectionType,
  count,
  kioskCount: count,
  listedCount: 0,
});

export const fact = (collectionType: string, changed: Partial<MarketFact> = {}): MarketFact => ({
  collectionType,
  name: 'Rocks',
  verified: true,
  floorMist: 12_500_000_000n,
  bestBidMist: 10_000_000_000n,
  mintedCount: 200,
  asOf: ago(minuteMs),
  source: 'tradeport',
  ...changed,
});

export const market = (...facts: MarketFact[]): MarketAnswer => ({
  askedTypes: [rocks, bats],
  facts: new Map(facts.map((each) => [each.collectionType, each])),
});

/** [type, base units, metadata (undefined: never read), price]. */
export type Token = readonly [
  type: string,
  raw: bigint,
  metadata: CoinMetadata | null | undefined,
  price: PriceQuote | undefined,
];

export const sui: Token = [suiCoinType, 100_000_000_000n, coin(suiCoinType, 'SUI', 9), quote('2')];

export const readingOf = (tokens: readonly Token[], changed: Partial<TreasuryReading> = {}): TreasuryReading => ({
  balances: tokens.map(([coinType, rawBalance]) => ({ coinType, rawBalance })),
  stakedMist: 0n,
  checkpoint: 42n,
  holdings: [],
  chainReadAt: ago(minuteMs),
  holdingsReadAt: ago(minuteMs),
  metadata: new Map(
    tokens.flatMap(([type, , metadata]) => (metadata === undefined ? [] : [[type, metadata] as const])),
  ),
  prices: new Map(
    tokens.flatMap(([type, , , price]) =>
      price === undefined ? [] : [[type, { quote: price, readAt: ago(minuteMs) }] as const],
    ),
  ),
  market: market(fact(rocks)),
  jump: null,
  ...changed,
});
