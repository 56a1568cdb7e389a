import { z } from 'zod';

import type { TreasuryReading } from './reading.ts';

/**
 * The stored form of a reading: JSON with integers as decimal strings. Versioned: what this program does not understand is
 * no reading at all, and the next refresh writes a new one.
 */
const storedVersion = 1;

const integer = z.codec(z.string().regex(/^-?\d{1,100}$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (amount) => amount.toString(),
});

const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const coinMetadata = z.object({
  coinType: z.string(),
  decimals: z.int(),
  symbol: z.string(),
  name: z.string(),
  iconUrl: z.string().nullable(),
});

const priceQuote = z.object({
  pricePicoUsd: integer,
  confidence: z.number().nullable(),
  asOf: instant,
  source: z.string(),
});

const marketFact = z.object({
  collectionType: z.string(),
  name: z.string(),
  verified: z.boolean(),
  floorMist: integer.nullable(),
  bestBidMist: integer.nullable(),
  mintedCount: z.int().nullable(),
  asOf: instant,
  source: z.string(),
});

const storedReading = z.object({
  version: z.literal(storedVersion),
  balances: z.array(z.object({ coinType: z.string(), rawBalance: integer })),
  checkpoint: integer.nullable(),
  holdings: z.array(
    z.object({ collectionType: z.string(), count: z.int(), kioskCount: z.int(), listedCount: z.int() }),
  ),
  chainReadAt: instant,
  /** Absent in readings stored before it existed. */
  holdingsReadAt: instant.optional(),
  metadata: z.array(z.tuple([z.string(), coinMetadata.nullable()])),
  prices: z.array(z.tuple([z.string(), z.object({ quote: priceQuote, readAt: instant })])),
  market: z.object({ askedTypes: z.array(z.string()), facts: z.array(z.tuple([z.string(), marketFact])) }).nullable(),
  jump: z.object({ previousMicroUsd: integer, nextMicroUsd: integer, confirmedAt: instant }).nullable(),
});

/** The reading as a JSON value for the database. */
export const encodeReading = (reading: TreasuryReading): unknown =>
  z.encode(storedReading, {
    version: storedVersion,
    balances: [...reading.balances],
    checkpoint: reading.checkpoint,
    holdings: [...reading.holdings],
    chainReadAt: reading.chainReadAt,
    holdingsReadAt: reading.holdingsReadAt,
    metadata: [...reading.metadata],
    prices: [...reading.prices],
    market:
      reading.market === null ? null : { askedTypes: [...reading.market.askedTypes], facts: [...reading.market.facts] },
    jump: reading.jump,
  });

/** The reading, or null when the stored value is of another version or damaged. */
export const decodeReading = (stored: unknown): TreasuryReading | null => {
  const result = storedReading.safeParse(stored);
  if (!result.success) return null;
  const { metadata, prices, market, ...rest } = result.data;
  return {
    balances: rest.balances,
    checkpoint: rest.checkpoint,
    holdings: rest.holdings,
    chainReadAt: rest.chainReadAt,
    holdingsReadAt: rest.holdingsReadAt ?? rest.chainReadAt,
    jump: rest.jump,
    metadata: new Map(metadata),
    prices: new Map(prices),
    market: market === null ? null : { askedTypes: market.askedTypes, facts: new Map(market.facts) },
  };
};
