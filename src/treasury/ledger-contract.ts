import { z } from 'zod';

import { parsed, wholeNumber } from '../shared/parsed-text.ts';
import { canonicalType } from '../shared/sui-address.ts';
import { monthPattern } from '../shared/utc-month.ts';
import { treasurySnapshot } from './contract.ts';
import { declaredRoles, ledgerKinds } from './core/ledger-words.ts';

/**
 * The treasury's ledger and what is derived from it: sweeps and monthly statements (rulings R8). Amounts are decimal
 * strings in base units; addresses, ids and types are canonical.
 */

const raw = z.string().regex(/^-?\d+$/);

export const ledgerPageSize = 50;
const ledgerPageMax = 10_000;

/** Opening + in - out = closing. `chainRaw`: the chain's balance at `proofCheckpoint`; null: not compared yet. */
export const coinSum = z.object({
  coinType: z.string(),
  symbol: z.string().nullable(),
  decimals: z.int().nullable(),
  openingRaw: raw,
  inRaw: raw,
  outRaw: raw,
  closingRaw: raw,
  chainRaw: raw.nullable(),
  unexplainedRaw: raw.nullable().describe('chain - closing; anything but 0 is an unexplained difference'),
});
export type LedgerCoinSum = z.infer<typeof coinSum>;

/** The team's own words beside a fact from the chain. `at`: when it was last changed. */
const note = z.object({ text: z.string(), link: z.string().nullable(), at: z.iso.datetime() });

const counterparty = z.object({
  address: z.string(),
  /** From the team, else from the chain; null: none. */
  name: z.string().nullable(),
  /** Declared by the team; `holder`: the address holds rocks. */
  role: z.enum([...declaredRoles, 'holder']).nullable(),
});

const entry = z.object({
  digest: z.string(),
  at: z.iso.datetime(),
  checkpoint: z.string(),
  kind: z.enum(ledgerKinds),
  payout: z.int().nullable().describe('The published payout that the transaction belongs to; its kind is then payout'),
  counterparty: counterparty.nullable(),
  changes: z
    .array(z.object({ coinType: z.string(), symbol: z.string().nullable(), decimals: z.int().nullable(), raw }))
    .describe('By how much the balances of the treasury changed, gas included'),
  nfts: z.array(
    z.object({
      objectId: z.string(),
      collectionType: z.string(),
      direction: z.enum(['in', 'out', 'into-escrow', 'out-of-escrow']),
    }),
  ),
  nftCount: z
    .int()
    .describe("How many NFTs moved; of those that came in someone else's transaction, at most 20 are listed"),
  gasMist: raw,
  usdAtTime: z
    .number()
    .nullable()
    .describe('Value of what came in, else of what went out, at the prices of the time; null: no price is known'),
  note: note.nullable(),
  explorerUrl: z.string(),
});
export type LedgerEntryAnswer = z.infer<typeof entry>;

/** GET /api/treasury/ledger, newest first. */
export const ledgerAnswer = z.object({
  data: z.object({
    asOf: z.iso.datetime().nullable(),
    state: z.enum(['live', 'stale', 'unavailable']),
    checkpoint: z.string().nullable().describe('Read up to and including this one'),
    complete: z.boolean().describe('Whether everything since the first transaction has been read, in every kiosk'),
    progressText: z.string().nullable().describe('Progress of the first read; null: it has finished'),
    knownSince: z.iso
      .datetime()
      .nullable()
      .describe(
        'The ledger is complete from this moment on: no node has all of the older history. null: complete from the beginning',
      ),
    proofCheckpoint: z.string().nullable(),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    apart: z.int().describe('Number of unsolicited transactions: see the parameter apart'),
    coins: z.array(coinSum).readonly(),
    entries: z.array(entry).readonly(),
  }),
});
export type LedgerAnswer = z.infer<typeof ledgerAnswer>;

/** A news item about a payout, for the feed. */
export interface PayoutNews {
  /** The same fact always has the same id. */
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly path: string;
}

/** What the payouts module provides to the ledger (rulings R9). */
export interface PayoutFacts {
  /** The published payout that a transaction belongs to; null: none. */
  payoutOf(digest: string): number | null;
  /** Every transaction that belongs to a published payout. */
  digests(): readonly string[];
  news(): readonly PayoutNews[];
  /** Calls `run` whenever any of this may have changed. */
  onChange(run: () => void): void;
}

const typeLike = (example: string) => parsed(`a type such as ${example} is expected`, canonicalType);

const filters = {
  kind: z.enum(ledgerKinds).optional(),
  coin: typeLike('0x2::sui::SUI').optional().describe('A coin type'),
  apart: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'true: only unsolicited transactions, which anyone can send: the treasury neither signed nor paid for them, and they brought no known coin, no rock and no piece of a collection that it trades. They are never priced or counted. false: all others',
    ),
};
const pageNumber = parsed(`a whole number from 1 to ${ledgerPageMax} is expected`, wholeNumber(ledgerPageMax)).default(
  1,
);
export const ledgerQuery = z.strictObject({ ...filters, page: pageNumber });
export const ledgerCsvQuery = z.strictObject(filters);

const { asOf, complete } = ledgerAnswer.shape.data.shape;

/** Result of sweeps (rulings R8): what the treasury bought of a collection, and the result. MIST as decimal strings; null: unknown. */
const sweep = z.object({
  collectionType: z.string(),
  /** From the marketplace; null: not asked, or unknown there. */
  name: z.string().nullable(),
  bought: z.int(),
  sold: z.int(),
  givenAway: z.int(),
  held: z.int(),
  costMist: raw.nullable(),
  proceedsMist: raw.nullable(),
  heldAtFloorMist: raw.nullable(),
  resultMist: raw.nullable().describe('proceeds + held at floor - cost'),
  resultUsd: z.number().nullable().describe('The same in USD, each amount at the SUI price of its time'),
  suiHeldUsd: z
    .number()
    .nullable()
    .describe('What the SUI spent would have gained or lost over the same time if kept as SUI'),
});

/** GET /api/treasury/sweeps. `winRate`: pieces sold for more than they had cost, of all pieces sold with both amounts known. */
export const sweepsAnswer = z.object({
  data: z.object({
    asOf: asOf.describe('Of the oldest part: the ledger, or the floors and the SUI price for what is still held'),
    state: treasurySnapshot.shape.state.describe('Of the worst part'),
    complete,
    winRate: z.object({ won: z.int(), decided: z.int(), percent: z.number().nullable() }),
    sweeps: z.array(sweep).readonly().describe('Most recently bought collection first'),
  }),
});
export type SweepsAnswer = z.infer<typeof sweepsAnswer>;

const piece = z.object({
  objectId: z.string(),
  place: z.enum(['held', 'sold', 'given-away']),
  boughtAt: z.iso.datetime(),
  boughtDigest: z.string(),
  costMist: raw.nullable(),
  leftAt: z.iso.datetime().nullable(),
  paidDigest: z.string().nullable(),
  proceedsMist: raw.nullable().describe('null while it waits in a kiosk'),
  resultMist: raw.nullable(),
  resultUsd: z.number().nullable(),
  suiHeldUsd: z.number().nullable(),
});

export const sweepPiecesPageSize = 50;

/** GET /api/treasury/sweeps/pieces: one collection, most recently bought first. */
export const sweepPiecesAnswer = z.object({
  data: z.object({ total: z.int(), page: z.int(), pageSize: z.int(), pieces: z.array(piece).readonly() }),
});
export type SweepPiecesAnswer = z.infer<typeof sweepPiecesAnswer>;

export const sweepPiecesQuery = z.strictObject({
  collection: typeLike('0x2::module::Nft'),
  page: pageNumber,
});

const statementSummary = z.object({
  month: z.string().regex(monthPattern),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the bytes of /statements/{month}.json'),
  entries: z.int(),
  closingMicroUsd: raw.describe('In 1e-6 USD, for the coins with a known price'),
  unpricedCoins: z.int().describe('Number of coins in the treasury without a known price'),
});
export type StatementSummary = z.infer<typeof statementSummary>;

/** GET /api/treasury/statements, newest first. */
export const statementsAnswer = z.object({
  data: z.object({
    statements: z.array(statementSummary).readonly(),
    reason: z.string().nullable().describe('Why there are no statements (yet); null if there are some'),
  }),
});
export type StatementsAnswer = z.infer<typeof statementsAnswer>;

export const statementParams = z.strictObject({
  month: z.string().regex(monthPattern, 'A month is written as in 2026-10.'),
});
