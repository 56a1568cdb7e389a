import * as z from 'zod/mini';
import {
  figureState,
  flag,
  instant,
  list,
  number,
  oneOf,
  orNull,
  part,
  rows,
  text,
  time,
} from '../../ui/api/answer-schema.ts';

const link = orNull(z.string().check(z.regex(/^https?:\/\//)));

const provenance = part({ state: figureState, asOf: time, source: text });

const token = z.object({
  symbol: text,
  name: text,
  coinType: text,
  humanBalance: number,
  usdValue: number,
  price: number,
  priceSource: text,
  priceAsOf: time,
  explorerUrl: link,
  state: figureState,
});

const nft = z.object({
  collectionId: text,
  collectionName: text,
  count: number,
  averagePriceSui: number,
  totalValueUsd: number,
  listedCount: number,
  kioskCount: number,
  floorAsOf: time,
  explorerUrl: link,
  state: figureState,
});

const uncountedToken = z.object({
  symbol: text,
  coinType: text,
  rawBalance: text,
  humanBalance: number,
  reason: oneOf('no-metadata', 'impersonator', 'unpriced', 'low-confidence'),
  explorerUrl: link,
});

const uncountedNfts = z.object({
  collectionType: text,
  name: text,
  count: number,
  reason: oneOf('unverified-collection', 'not-on-marketplace', 'no-floor'),
  explorerUrl: link,
});

const drift = z.object({
  name: text,
  targetPercent: number,
  actualPercent: number,
  actualUsd: number,
  declared: part({ usd: number, at: time, by: text }),
  note: text,
});

/** What the page uses of GET /api/treasury/balance: specification 3, and what rulings R3 add to it. */
export const treasuryAnswer = z.object({
  network: text,
  asOf: time,
  checkpoint: text,
  totalUsdValue: number,
  balance: part({ balanceInSui: number }),
  tokenBreakdown: rows(token),
  nftBreakdown: rows(nft),
  nftTotalValueSui: number,
  nftTotalValueUsd: number,
  nftTotalAtBestBidSui: number,
  tokenTotalUsd: number,
  uncountedTokens: rows(uncountedToken),
  uncountedTokenCount: number,
  uncountedNfts: rows(uncountedNfts),
  uncountedNftCollectionCount: number,
  figures: part({
    totalUsdValue: provenance,
    balanceInSui: provenance,
    nftHoldings: provenance,
    tokenTotalUsd: provenance,
    nftTotalValueSui: provenance,
    nftTotalValueUsd: provenance,
    nftTotalAtBestBidSui: provenance,
    valuePerRock: provenance,
    allocation: provenance,
  }),
  suiPriceUsd: number,
  valuePerRock: part({ usd: number, mintedCount: number }),
  allocation: rows(drift),
  jump: part({ previousUsdValue: number, nextUsdValue: number, changePercent: number, confirmedAt: time }),
});

/** The treasury as the page knows it; what the answer lacks is null. */
export type ShownTreasury = z.output<typeof treasuryAnswer>;
export type ShownToken = z.output<typeof token>;
export type ShownNft = z.output<typeof nft>;
export type ShownDrift = z.output<typeof drift>;
/** null: not in the answer. */
export type ShownFigure = z.output<typeof provenance>;
export type UncountedToken = z.output<typeof uncountedToken>;
export type UncountedNfts = z.output<typeof uncountedNfts>;

const point = z.object({ at: instant, totalUsdValue: z.number(), estimated: flag, heldInSui: number });

const noteOfPast = z.object({ at: instant, digest: z.string(), text: z.string() });
export type ShownNote = z.output<typeof noteOfPast>;

/** GET /api/treasury/history. A point without a time or a value is dropped. */
export const historyAnswer = z.object({
  points: list(point),
  incompleteDays: rows(z.string()),
  notes: rows(noteOfPast),
});
export type ShownHistory = z.output<typeof historyAnswer>;
export type ShownPoint = z.output<typeof point>;

const change = z.object({
  hours: z.number(),
  from: time,
  usd: number,
  percent: number,
  movedUsd: number,
  priceUsd: number,
  coinsOnly: flag,
});

/** What the page uses of GET /api/treasury/trend (rulings R8). */
export const trendAnswer = z.object({
  asOf: time,
  state: figureState,
  changes: list(change),
  days: list(z.object({ usd: number, estimated: flag })),
});
export type ShownChange = z.output<typeof change>;
