import * as z from 'zod/mini';
import { described, figureState, webLink } from '../shared/answer-fields.ts';

export { isImpersonator } from './core/known-coins.ts';

export type FigureState = z.infer<typeof figureState>;

/** Where a figure comes from and when it was read there. */
const provenance = z.object({
  state: figureState,
  asOf: z.nullable(z.iso.datetime()),
  source: z.string(),
});
export type Provenance = z.infer<typeof provenance>;

/** Specification 3 (tokenBreakdown) with the provenance of rulings R3. Counted tokens only. */
const tokenHolding = z.object({
  symbol: z.string(),
  name: z.string(),
  coinType: z.string(),
  humanBalance: z.number(),
  usdValue: z.nullable(z.number()),
  price: z.nullable(z.number()),
  priceSource: z.string(),
  priceAsOf: z.nullable(z.iso.datetime()),
  rawBalance: described(z.string(), 'Whole balance in base units, decimal string'),
  decimals: z.int(),
  iconUrl: z.nullable(z.string()),
  explorerUrl: webLink,
  state: figureState,
});
export type TokenHolding = z.infer<typeof tokenHolding>;

/** Why a token is listed separately and never counted in a total (rulings R3). */
const uncountedReason = z.enum(['no-metadata', 'impersonator', 'unpriced', 'low-confidence']);
export type UncountedReason = z.infer<typeof uncountedReason>;

const uncountedToken = z.object({
  symbol: z.nullable(z.string()),
  name: z.nullable(z.string()),
  coinType: z.string(),
  rawBalance: z.string(),
  decimals: z.nullable(z.int()),
  humanBalance: z.nullable(z.number()),
  reason: uncountedReason,
  explorerUrl: webLink,
});
export type UncountedToken = z.infer<typeof uncountedToken>;

/**
 * Specification 3 (nftBreakdown). `averagePriceSui` is the floor price of the verified collection (rulings R3);
 * null while the marketplace has never given one.
 */
const nftHolding = z.object({
  collectionId: z.string(),
  collectionName: z.string(),
  count: z.int(),
  averagePriceSui: z.nullable(z.number()),
  totalValueUsd: z.nullable(z.number()),
  totalValueSui: z.nullable(z.number()),
  bestBidSui: z.nullable(z.number()),
  listedCount: z.int(),
  kioskCount: described(z.int(), 'How many of them are in kiosks; the others are owned directly'),
  floorAsOf: z.nullable(z.iso.datetime()),
  explorerUrl: webLink,
  state: figureState,
});
export type NftHolding = z.infer<typeof nftHolding>;

const uncountedNfts = z.object({
  collectionType: z.string(),
  name: z.nullable(z.string()),
  count: z.int(),
  reason: z.enum(['unverified-collection', 'not-on-marketplace', 'no-floor']),
  explorerUrl: webLink,
});
export type UncountedNfts = z.infer<typeof uncountedNfts>;

/**
 * One slice of the plan (specification 9) beside its actual share on chain. `actualPercent` null: not visible there, or
 * unknown now. `targetPercent` null: 'Not yet deployed', which the plan does not name (rulings R3).
 */
const allocationDrift = z.object({
  name: z.string(),
  targetPercent: z.nullable(z.number()),
  actualPercent: z.nullable(z.number()),
  actualUsd: z.nullable(z.number()),
  declared: described(
    z.nullable(z.object({ usd: z.number(), at: z.iso.datetime(), by: z.string() })),
    'Amount declared by the team for a slice not visible on chain; in no total or percentage; null: none',
  ),
  note: z.string(),
});
export type AllocationDrift = z.infer<typeof allocationDrift>;

export const treasurySnapshot = z.object({
  network: z.string(),
  treasuryAddress: z.string(),
  explorerUrl: webLink,
  asOf: z.iso.datetime(),
  checkpoint: z.nullable(z.string()),
  state: figureState,
  totalUsdValue: described(z.nullable(z.number()), 'Priced tokens + NFTs at floor, USD'),
  balance: z.nullable(z.object({ balanceInSui: z.number() })),
  tokenBreakdown: described(z.array(tokenHolding), 'Staked SUI has its own row, without its rewards'),
  nftBreakdown: z.array(nftHolding),
  nftTotalValueSui: z.nullable(z.number()),
  nftTotalValueUsd: z.nullable(z.number()),
  nftTotalAtBestBidSui: z.nullable(z.number()),
  tokenTotalUsd: z.nullable(z.number()),
  uncountedTokens: described(z.array(uncountedToken), 'The first 100 by reason, suspected impersonators first'),
  uncountedTokenCount: described(z.int(), 'How many there are in all, including those not listed'),
  uncountedNfts: described(z.array(uncountedNfts), 'The 100 largest by count'),
  uncountedNftCollectionCount: described(z.int(), 'How many collections there are in all'),
  figures: z.object({
    totalUsdValue: provenance,
    balanceInSui: provenance,
    nftHoldings: provenance,
    suiPrice: provenance,
    tokenTotalUsd: provenance,
    nftTotalValueSui: provenance,
    nftTotalValueUsd: provenance,
    nftTotalAtBestBidSui: provenance,
    valuePerRock: provenance,
    allocation: described(provenance, 'For the actual shares; unavailable while any part on chain has no value'),
  }),
  suiPriceUsd: z.nullable(z.number()),
  valuePerRock: z.nullable(z.object({ usd: z.number(), mintedCount: z.int(), asOf: z.iso.datetime() })),
  allocation: z.array(allocationDrift),
  jump: described(
    z.nullable(
      z.object({
        previousUsdValue: z.number(),
        nextUsdValue: z.number(),
        changePercent: described(z.nullable(z.number()), 'null: from zero'),
        confirmedAt: z.iso.datetime(),
      }),
    ),
    'Set when the total moved by more than 50 % and a second read confirmed it',
  ),
});
export type TreasurySnapshot = z.infer<typeof treasurySnapshot>;

/** One reading, or the end of a day that has none; USD. */
const treasuryHistoryPoint = z.object({
  at: z.iso.datetime(),
  totalUsdValue: z.number(),
  nftTotalValueUsd: z.nullable(z.number()),
  tokenTotalUsd: z.nullable(z.number()),
  estimated: described(
    z.boolean(),
    'Coins only: a day without a reading (from the ledger, at the prices of the time), or a time before the first answer of the marketplace',
  ),
  heldInSui: described(
    z.nullable(z.number()),
    'Value of the money from outside, if held in SUI since it came; on the last point of each day, null: unknown',
  ),
});
export type TreasuryHistoryPoint = z.infer<typeof treasuryHistoryPoint>;

/** In days. A short list, so that each span can have its own ready answer. */
export const historySpans = ['1', '7', '30', '90', 'all'] as const;
export type HistorySpan = (typeof historySpans)[number];

const utcDay = z.iso.date();
/** GET /api/treasury/history?days=30 (rulings R3 and R8), oldest first; `all`: one point a day, from the first transaction on. */
export const treasuryHistoryAnswer = z.object({
  points: z.array(treasuryHistoryPoint),
  incompleteDays: described(
    z.array(utcDay),
    'Days without a reading of which a price or what moved is not known: they have no point',
  ),
  notes: described(
    z.array(z.object({ at: z.iso.datetime(), digest: z.string(), text: z.string() })),
    "The latest 100 of the team's notes on movements within the span, oldest first",
  ),
});
export type TreasuryHistoryAnswer = z.infer<typeof treasuryHistoryAnswer>;

const treasuryChange = z.object({
  hours: z.int(),
  from: described(z.nullable(z.iso.datetime()), 'Time of the earlier value; null: none within 12 hours of that moment'),
  usd: z.nullable(z.number()),
  percent: z.nullable(z.number()),
  movedUsd: described(z.nullable(z.number()), 'What came in minus what went out, at the prices of the time'),
  priceUsd: described(z.nullable(z.number()), 'The rest: prices, floors, fees and staking rewards'),
  coinsOnly: described(z.boolean(), 'One of the two values covers coins only, so this change does too'),
});

/** GET /api/treasury/trend (rulings R8). */
export const treasuryTrendAnswer = z.object({
  asOf: z.nullable(z.iso.datetime()),
  state: figureState,
  totalUsdValue: z.nullable(z.number()),
  changes: described(z.array(treasuryChange), '24 hours, 7 days and 30 days'),
  coinsOnly: described(z.boolean(), 'One of the days covers coins only, so all of them do'),
  days: described(
    z.array(z.object({ day: utcDay, usd: z.nullable(z.number()), estimated: z.boolean() })),
    'The last known value of each of 30 days (UTC), oldest first; null: unknown',
  ),
});
export type TreasuryTrendAnswer = z.infer<typeof treasuryTrendAnswer>;
