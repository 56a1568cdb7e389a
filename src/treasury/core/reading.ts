import { z } from 'zod';

import { decimalsMax } from '../../shared/money.ts';

/** Amounts are whole numbers, stored as decimal strings. */
const integer = z.codec(z.string().regex(/^-?\d{1,100}$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (amount) => amount.toString(),
});

const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const mapOf = <Value extends z.ZodType>(value: Value) =>
  z.codec(z.array(z.tuple([z.string(), value])), z.custom<ReadonlyMap<string, z.output<Value>>>(), {
    decode: (entries) => new Map(entries as [string, z.output<Value>][]),
    encode: (map) => [...map],
  });

/** One coin type of a wallet. `rawBalance` in base units, coin objects and address balance together. */
const coinBalance = z.object({
  /** Canonical: address padded to 64 hex digits. */
  coinType: z.string(),
  rawBalance: integer,
});
export type CoinBalance = z.output<typeof coinBalance>;

/** What the chain publishes about a coin. All texts are untrusted. */
const coinMetadata = z.object({
  coinType: z.string(),
  decimals: z.int().min(0).max(decimalsMax),
  symbol: z.string(),
  name: z.string(),
  iconUrl: z.string().nullable(),
});
export type CoinMetadata = z.output<typeof coinMetadata>;

/** One collection's share of a wallet: directly owned and in every kiosk whose cap the wallet holds. */
const heldCollection = z.object({
  /** Canonical NFT type, `0x…::module::Name`. */
  collectionType: z.string(),
  count: z.int(),
  kioskCount: z.int(),
  listedCount: z.int(),
});
export type HeldCollection = z.output<typeof heldCollection>;

/** Marketplace data on a collection, in MIST. `asOf`: when the marketplace gave it (it may be the last good answer). */
const marketFact = z.object({
  collectionType: z.string(),
  name: z.string(),
  verified: z.boolean(),
  floorMist: integer.nullable(),
  /** Highest active, unexpired collection bid. */
  bestBidMist: integer.nullable(),
  mintedCount: z.int().nullable(),
  asOf: instant,
  source: z.string(),
});
export type MarketFact = z.output<typeof marketFact>;

/** The marketplace's last good answer. A type in `askedTypes` without a fact is not on the marketplace; any other type is unknown. */
const marketAnswer = z.object({ askedTypes: z.array(z.string()).readonly(), facts: mapOf(marketFact) });
export type MarketAnswer = z.output<typeof marketAnswer>;

/** USD for one whole coin, as an integer of 1e-12 USD. `confidence` null: the source gives none. */
const priceQuote = z.object({
  pricePicoUsd: integer,
  confidence: z.number().nullable(),
  asOf: instant,
  source: z.string(),
});
export type PriceQuote = z.output<typeof priceQuote>;

/** A quote and the moment we last got it; the quote's own `asOf` is the source's time. */
const readPrice = z.object({ quote: priceQuote, readAt: instant });
export type ReadPrice = z.output<typeof readPrice>;

/** A total that moved by more than the jump limit and was confirmed by a second read. Micro-USD. */
const confirmedJump = z.object({ previousMicroUsd: integer, nextMicroUsd: integer, confirmedAt: instant });
export type ConfirmedJump = z.output<typeof confirmedJump>;

/**
 * Everything the treasury's figures are made of, as last read. The database stores it and `valueTreasury` makes the snapshot from it, so
 * a restart or another copy serves exactly the same figures, with their age at that time.
 */
const treasuryReading = z.object({
  balances: z.array(coinBalance).readonly(),
  /** SUI given to validators, which no balance includes; null: not read yet. */
  stakedMist: integer.nullable(),
  checkpoint: integer.nullable(),
  holdings: z.array(heldCollection).readonly(),
  chainReadAt: instant,
  /** Earlier than `chainReadAt` when the NFTs could not be counted this time and the last good count is kept. */
  holdingsReadAt: instant,
  /** null: the chain has no metadata. Absent: not read yet. */
  metadata: mapOf(coinMetadata.nullable()),
  /** Of the coins held; the last good one where this refresh got none (see `carryPrices`). */
  prices: mapOf(readPrice),
  /** null: the marketplace never answered. */
  market: marketAnswer.nullable(),
  jump: confirmedJump.nullable(),
});
export type TreasuryReading = z.output<typeof treasuryReading>;

/** A stored value of any other version counts as no reading, and the next refresh writes a new one. */
const storedVersion = 1;
const stored = z.looseObject({ version: z.literal(storedVersion), chainReadAt: z.string() });

/** The reading as a JSON value for the database. */
export const encodeReading = (reading: TreasuryReading): unknown => ({
  version: storedVersion,
  ...z.encode(treasuryReading, reading),
});

/** The reading, or null when the stored value is of another version or damaged. */
export const decodeReading = (value: unknown): TreasuryReading | null => {
  const known = stored.safeParse(value);
  if (!known.success) return null;
  // Fields that readings stored by older versions lack.
  const added = { holdingsReadAt: known.data.chainReadAt, stakedMist: null };
  return treasuryReading.safeParse({ ...added, ...known.data }).data ?? null;
};

/** What the valuation needs to know about this installation. */
export interface ValuationSettings {
  readonly network: string;
  readonly treasuryAddress: string;
  /** Base of the block explorer including the network, without a trailing slash. */
  readonly explorerUrl: string;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
  /** How often the treasury is read; a figure older than twice this is stale. */
  readonly refreshMs: number;
}
