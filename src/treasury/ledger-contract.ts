import * as z from 'zod/mini';
import { described, figureState, webLink } from '../shared/answer-fields.ts';
import { monthPattern } from '../shared/utc-month.ts';
import { declarableSlices, declaredRoles, ledgerKinds } from './core/ledger-words.ts';

/**
 * The treasury's ledger and what is derived from it: sweeps and monthly statements (rulings R8). Amounts are decimal
 * strings in base units; addresses, ids and types are canonical.
 */

const raw = z.string().check(
  z.regex(/^-?\d+$/),
  z.refine(({ length }) => length <= 61),
);

export const ledgerPageSize = 50;

/** Opening + in - out = closing. `chainRaw`: the chain's balance at `proofCheckpoint`; null: not compared yet. */
const coinSum = z.object({
  coinType: z.string(),
  symbol: z.nullable(z.string()),
  decimals: z.nullable(z.int()),
  openingRaw: raw,
  inRaw: raw,
  outRaw: raw,
  closingRaw: raw,
  chainRaw: z.nullable(raw),
  unexplainedRaw: described(z.nullable(raw), 'chain - closing; anything but 0 is an unexplained difference'),
});
export type LedgerCoinSum = z.infer<typeof coinSum>;

/** The team's own words beside a fact from the chain. `at`: when it was last changed. */
const note = z.object({ text: z.string(), link: z.nullable(z.string()), at: z.iso.datetime() });

const counterparty = z.object({
  address: z.string(),
  /** From the team, else from the chain; null: none. */
  name: z.nullable(z.string()),
  /** Declared by the team; `holder`: the address holds rocks. */
  role: z.nullable(z.enum([...declaredRoles, 'holder'])),
});

const entry = z.object({
  digest: z.string(),
  at: z.iso.datetime(),
  checkpoint: z.string(),
  kind: z.enum(ledgerKinds),
  payout: described(
    z.nullable(z.int()),
    'The published payout that the transaction belongs to; its kind is then payout',
  ),
  counterparty: z.nullable(counterparty),
  changes: described(
    z.array(z.object({ coinType: z.string(), symbol: z.nullable(z.string()), decimals: z.nullable(z.int()), raw })),
    'By how much the balances of the treasury changed, gas included',
  ),
  nfts: z.array(
    z.object({
      objectId: z.string(),
      collectionType: z.string(),
      direction: z.enum(['in', 'out', 'into-escrow', 'out-of-escrow']),
    }),
  ),
  nftCount: described(
    z.int(),
    "How many NFTs moved; of those that came in someone else's transaction, at most 20 are listed",
  ),
  gasMist: raw,
  usdAtTime: described(
    z.nullable(z.number()),
    'Value of what came in, else of what went out, at the prices of the time; null: no price is known',
  ),
  note: z.nullable(note),
  explorerUrl: webLink,
});
export type LedgerEntryAnswer = z.infer<typeof entry>;

const complete = described(z.boolean(), 'Whether everything since the first transaction has been read, in every kiosk');

/** GET /api/treasury/ledger, newest first. */
export const ledgerAnswer = z.object({
  asOf: z.nullable(z.iso.datetime()),
  state: z.enum(['live', 'stale', 'unavailable']),
  checkpoint: described(z.nullable(z.string()), 'Read up to and including this one'),
  complete,
  progressText: described(z.nullable(z.string()), 'Progress of the first read; null: it has finished'),
  knownUntil: described(
    z.nullable(z.iso.datetime()),
    'The last movement before a gap that no node has: see knownSince. null: there is no gap',
  ),
  knownSince: described(
    z.nullable(z.iso.datetime()),
    'The ledger is complete from this moment on: no node has all of the older history. null: complete from the beginning',
  ),
  proofCheckpoint: z.nullable(z.string()),
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  apart: described(z.int(), 'Number of unsolicited transactions: see the parameter apart'),
  coins: z.readonly(z.array(coinSum)),
  entries: z.readonly(z.array(entry)),
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

/** Result of sweeps (rulings R8): what the treasury bought of a collection, and the result. MIST as decimal strings; null: unknown. */
const sweep = z.object({
  collectionType: z.string(),
  /** From the marketplace; null: not asked, or unknown there. */
  name: z.nullable(z.string()),
  bought: z.int(),
  sold: z.int(),
  givenAway: z.int(),
  held: z.int(),
  costMist: z.nullable(raw),
  proceedsMist: z.nullable(raw),
  heldAtFloorMist: z.nullable(raw),
  resultMist: described(z.nullable(raw), 'proceeds + held at floor - cost'),
  resultUsd: described(z.nullable(z.number()), 'The same in USD, each amount at the SUI price of its time'),
  suiHeldUsd: described(
    z.nullable(z.number()),
    'What the SUI spent would have gained or lost over the same time if kept as SUI',
  ),
});

/** GET /api/treasury/sweeps. `winRate`: pieces sold for more than they had cost, of all pieces sold with both amounts known. */
export const sweepsAnswer = z.object({
  asOf: described(
    z.nullable(z.iso.datetime()),
    'Of the oldest part: the ledger, or the floors and the SUI price for what is still held',
  ),
  state: described(figureState, 'Of the worst part'),
  complete,
  winRate: z.object({ won: z.int(), decided: z.int(), percent: z.nullable(z.number()) }),
  sweeps: described(z.readonly(z.array(sweep)), 'Most recently bought collection first'),
});
export type SweepsAnswer = z.infer<typeof sweepsAnswer>;

const piece = z.object({
  objectId: z.string(),
  place: z.enum(['held', 'sold', 'given-away']),
  boughtAt: z.iso.datetime(),
  boughtDigest: z.string(),
  costMist: z.nullable(raw),
  leftAt: z.nullable(z.iso.datetime()),
  paidDigest: z.nullable(z.string()),
  proceedsMist: described(z.nullable(raw), 'null while it waits in a kiosk'),
  resultMist: z.nullable(raw),
  resultUsd: z.nullable(z.number()),
  suiHeldUsd: z.nullable(z.number()),
});

export const sweepPiecesPageSize = 50;

/** GET /api/treasury/sweeps/pieces: one collection, most recently bought first. */
export const sweepPiecesAnswer = z.object({
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  pieces: z.readonly(z.array(piece)),
});
export type SweepPiecesAnswer = z.infer<typeof sweepPiecesAnswer>;

const statementSummary = z.object({
  month: z.string().check(z.regex(monthPattern)),
  sha256: described(z.string().check(z.regex(/^[0-9a-f]{64}$/)), 'SHA-256 of the bytes of /statements/{month}.json'),
  entries: z.int(),
  closingMicroUsd: described(raw, 'In 1e-6 USD, for the coins with a known price'),
  unpricedCoins: described(z.int(), 'Number of coins in the treasury without a known price'),
});
export type StatementSummary = z.infer<typeof statementSummary>;

/** GET /api/treasury/statements, newest first. */
export const statementsAnswer = z.object({
  statements: z.readonly(z.array(statementSummary)),
  reason: described(
    z.nullable(z.string()),
    'Why there are no statements (yet), or no further ones; null: the next is made in time',
  ),
});
export type StatementsAnswer = z.infer<typeof statementsAnswer>;

const change = { at: described(z.iso.datetime(), 'The version for If-Match, in milliseconds'), by: z.string() };

/** What is declared about one movement, address or slice; null: nothing, which is version 0. */
export const noteOfMovement = z.object({
  digest: z.string(),
  note: z.nullable(z.object({ text: z.string(), link: z.nullable(z.string()), ...change })),
});

const declared = z.object({ name: z.string(), role: z.enum(declaredRoles), ...change });
export const nameOfAddress = z.object({ address: z.string(), declared: z.nullable(declared) });

export const amountOfSlice = z.object({
  slice: z.enum(declarableSlices),
  declared: z.nullable(z.object({ usd: described(z.string(), "'12000.5'"), ...change })),
});

export const namesAnswer = z.readonly(z.array(nameOfAddress));
export const amountsAnswer = z.readonly(z.array(amountOfSlice));

const history = z.object({
  percent: described(
    z.nullable(z.int().check(z.gte(0), z.lte(100))),
    'Of the time since the first event; null: nothing read yet',
  ),
  until: z.nullable(z.iso.datetime()),
  isComplete: z.boolean(),
  text: described(z.string(), "'History: 62 %, up to 3 March 2026'"),
});

/** GET /api/admin/treasury. */
export const treasuryStatusAnswer = z.object({
  ledger: history,
  rocks: history,
  coins: z.readonly(z.array(coinSum)),
  proofCheckpoint: described(z.nullable(z.string()), 'The checkpoint of each `chainRaw`'),
});
