import { z } from 'zod';

export { isImpersonator } from './core/known-coins.ts';

/**
 * Rulings R3: how far a figure can be trusted. `live`: read within twice its refresh. `stale`: the last good value, older
 * than that. `estimated`: derived from a source without a confidence of its own, or not yet confirmed by a second read.
 * `unavailable`: never read; the figure itself is then null, never zero.
 */
const figureState = z.enum(['live', 'stale', 'estimated', 'unavailable']);
export type FigureState = z.infer<typeof figureState>;

/** Where a figure comes from and when it was read there. */
const provenance = z.object({
  state: figureState,
  asOf: z.iso.datetime().nullable(),
  source: z.string(),
});
export type Provenance = z.infer<typeof provenance>;

/** Specification 3 (tokenBreakdown) with the provenance of rulings R3. Counted tokens only. */
const tokenHolding = z.object({
  symbol: z.string(),
  name: z.string(),
  coinType: z.string(),
  humanBalance: z.number(),
  usdValue: z.number().nullable(),
  price: z.number().nullable(),
  priceSource: z.string(),
  priceAsOf: z.iso.datetime().nullable(),
  rawBalance: z.string().describe('Whole balance in base units, decimal string'),
  decimals: z.int(),
  iconUrl: z.string().nullable(),
  explorerUrl: z.string(),
  state: figureState,
});
export type TokenHolding = z.infer<typeof tokenHolding>;

/** Why a token is listed separately and never counted in a total (rulings R3). */
const uncountedReason = z.enum(['no-metadata', 'impersonator', 'unpriced', 'low-confidence']);
export type UncountedReason = z.infer<typeof uncountedReason>;

const uncountedToken = z.object({
  symbol: z.string().nullable(),
  name: z.string().nullable(),
  coinType: z.string(),
  rawBalance: z.string(),
  decimals: z.int().nullable(),
  humanBalance: z.number().nullable(),
  reason: uncountedReason,
  explorerUrl: z.string(),
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
  averagePriceSui: z.number().nullable(),
  totalValueUsd: z.number().nullable(),
  totalValueSui: z.number().nullable(),
  bestBidSui: z.number().nullable(),
  listedCount: z.int(),
  kioskCount: z.int().describe('How many of them are in kiosks; the others are owned directly'),
  floorAsOf: z.iso.datetime().nullable(),
  explorerUrl: z.string(),
  state: figureState,
});
export type NftHolding = z.infer<typeof nftHolding>;

const uncountedNfts = z.object({
  collectionType: z.string(),
  name: z.string().nullable(),
  count: z.int(),
  reason: z.enum(['unverified-collection', 'not-on-marketplace', 'no-floor']),
  explorerUrl: z.string(),
});
export type UncountedNfts = z.infer<typeof uncountedNfts>;

/**
 * One slice of the plan (specification 9) beside its actual share on chain. `actualPercent` null: not visible there, or
 * unknown now. `targetPercent` null: 'Not yet deployed', which the plan does not name (rulings R3).
 */
const allocationDrift = z.object({
  name: z.string(),
  targetPercent: z.number().nullable(),
  actualPercent: z.number().nullable(),
  actualUsd: z.number().nullable(),
  declared: z
    .object({ usd: z.number(), at: z.iso.datetime(), by: z.string() })
    .nullable()
    .describe('Amount declared by the team for a slice not visible on chain; in no total or percentage; null: none'),
  note: z.string(),
});
export type AllocationDrift = z.infer<typeof allocationDrift>;

export const treasurySnapshot = z.object({
  network: z.string(),
  treasuryAddress: z.string(),
  explorerUrl: z.string(),
  asOf: z.iso.datetime(),
  checkpoint: z.string().nullable(),
  state: figureState,
  totalUsdValue: z.number().nullable().describe('Priced tokens + NFTs at floor, USD'),
  balance: z.object({ balanceInSui: z.number() }).nullable(),
  tokenBreakdown: z.array(tokenHolding).describe('Staked SUI has its own row, without its rewards'),
  nftBreakdown: z.array(nftHolding),
  nftTotalValueSui: z.number().nullable(),
  nftTotalValueUsd: z.number().nullable(),
  nftTotalAtBestBidSui: z.number().nullable(),
  tokenTotalUsd: z.number().nullable(),
  uncountedTokens: z.array(uncountedToken).describe('The first 100 by reason, suspected impersonators first'),
  uncountedTokenCount: z.int().describe('How many there are in all, including those not listed'),
  uncountedNfts: z.array(uncountedNfts).describe('The 100 largest by count'),
  uncountedNftCollectionCount: z.int().describe('How many collections there are in all'),
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
    allocation: provenance.describe('For the actual shares; unavailable while any part on chain has no value'),
  }),
  suiPriceUsd: z.number().nullable(),
  valuePerRock: z.object({ usd: z.number(), mintedCount: z.int(), asOf: z.iso.datetime() }).nullable(),
  allocation: z.array(allocationDrift),
  jump: z
    .object({
      previousUsdValue: z.number(),
      nextUsdValue: z.number(),
      changePercent: z.number().nullable().describe('null: from zero'),
      confirmedAt: z.iso.datetime(),
    })
    .nullable()
    .describe('Set when the total moved by more than 50 % and a second read confirmed it'),
});
export type TreasurySnapshot = z.infer<typeof treasurySnapshot>;

/** GET /api/treasury/balance (specification 7). */
export const treasuryBalanceAnswer = z.object({ data: treasurySnapshot });

/** One reading, or the end of a day that has none; USD. */
const treasuryHistoryPoint = z.object({
  at: z.iso.datetime(),
  totalUsdValue: z.number(),
  nftTotalValueUsd: z.number().nullable(),
  tokenTotalUsd: z.number().nullable(),
  estimated: z
    .boolean()
    .describe(
      'Coins only: a day without a reading (from the ledger, at the prices of the time), or a time before the first answer of the marketplace',
    ),
  heldInSui: z
    .number()
    .nullable()
    .describe(
      'Value of the money from outside, if held in SUI since it came; on the last point of each day, null: unknown',
    ),
});
export type TreasuryHistoryPoint = z.infer<typeof treasuryHistoryPoint>;

/** In days. A short list, so that each span can have its own ready answer. */
export const historySpans = ['1', '7', '30', '90', 'all'] as const;
export type HistorySpan = (typeof historySpans)[number];

/** GET /api/treasury/history?days=30 (rulings R3 and R8), oldest first; `all`: one point a day, from the first transaction on. */
export const treasuryHistoryQuery = z.strictObject({
  days: z.enum(historySpans, 'The field "days" of the query is one of 1, 7, 30, 90 and all.').default('30'),
});
const utcDay = z.iso.date();
export const treasuryHistoryAnswer = z.object({
  data: z.object({
    points: z.array(treasuryHistoryPoint),
    incompleteDays: z
      .array(utcDay)
      .describe('Days that have neither a reading nor the price of every coin: they have no point'),
    notes: z
      .array(z.object({ at: z.iso.datetime(), digest: z.string(), text: z.string() }))
      .describe("The latest 100 of the team's notes on movements within the span, oldest first"),
  }),
});
export type TreasuryHistoryAnswer = z.infer<typeof treasuryHistoryAnswer>;

const treasuryChange = z.object({
  hours: z.int(),
  from: z.iso.datetime().nullable().describe('Time of the earlier value; null: none within 12 hours of that moment'),
  usd: z.number().nullable(),
  percent: z.number().nullable(),
  movedUsd: z.number().nullable().describe('What came in minus what went out, at the prices of the time'),
  priceUsd: z.number().nullable().describe('The rest: prices, floors, fees and staking rewards'),
  coinsOnly: z.boolean().describe('One of the two values covers coins only, so this change does too'),
});

/** GET /api/treasury/trend (rulings R8). */
export const treasuryTrendAnswer = z.object({
  data: z.object({
    asOf: z.iso.datetime().nullable(),
    state: figureState,
    totalUsdValue: z.number().nullable(),
    changes: z.array(treasuryChange).describe('24 hours, 7 days and 30 days'),
    coinsOnly: z.boolean().describe('One of the days covers coins only, so all of them do'),
    days: z
      .array(z.object({ day: utcDay, usd: z.number().nullable(), estimated: z.boolean() }))
      .describe('The last known value of each of 30 days (UTC), oldest first; null: unknown'),
  }),
});
export type TreasuryTrendAnswer = z.infer<typeof treasuryTrendAnswer>;
