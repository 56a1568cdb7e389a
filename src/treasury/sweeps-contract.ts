import { z } from 'zod';

import { ledgerAnswer, ledgerPageNumber } from './ledger-contract.ts';
import { canonicalType } from '../shared/sui-address.ts';

/** Result of sweeps (rulings R8): what the treasury bought of other collections, and what came of it. MIST as digits; null: not known. */

const mist = z.string().regex(/^-?\d+$/);
const { asOf, state, complete } = ledgerAnswer.shape.data.shape;

const sweep = z.object({
  collectionType: z.string(),
  /** By the marketplace; null: it was not asked, or does not know it. */
  name: z.string().nullable(),
  bought: z.int(),
  sold: z.int(),
  givenAway: z.int(),
  held: z.int(),
  costMist: mist.nullable(),
  proceedsMist: mist.nullable(),
  heldAtFloorMist: mist.nullable(),
  resultMist: mist.nullable().describe('proceeds + held at floor - cost'),
  resultUsd: z.number().nullable().describe('The same, each amount at the price of SUI of its time'),
  suiHeldUsd: z
    .number()
    .nullable()
    .describe('What the SUI spent would have gained or lost over the same times, held as SUI'),
});

/** GET /api/treasury/sweeps. `winRate`: pieces sold for more than they had cost, of all pieces sold with both amounts known. */
export const sweepsAnswer = z.object({
  data: z.object({
    asOf,
    state,
    complete,
    winRate: z.object({ won: z.int(), decided: z.int(), percent: z.number().nullable() }),
    sweeps: z.array(sweep).readonly().describe('The collection bought last comes first'),
  }),
});
export type SweepsAnswer = z.infer<typeof sweepsAnswer>;

const piece = z.object({
  objectId: z.string(),
  place: z.enum(['held', 'sold', 'given-away']),
  boughtAt: z.iso.datetime(),
  boughtDigest: z.string(),
  costMist: mist.nullable(),
  leftAt: z.iso.datetime().nullable(),
  paidDigest: z.string().nullable(),
  proceedsMist: mist.nullable().describe('null while it waits in a kiosk'),
  resultMist: mist.nullable(),
  resultUsd: z.number().nullable(),
  suiHeldUsd: z.number().nullable(),
});

export const sweepPiecesPageSize = 50;

/** GET /api/treasury/sweeps/pieces: one collection, bought last first. */
export const sweepPiecesAnswer = z.object({
  data: z.object({ total: z.int(), page: z.int(), pageSize: z.int(), pieces: z.array(piece).readonly() }),
});
export type SweepPiecesAnswer = z.infer<typeof sweepPiecesAnswer>;

export const sweepPiecesQuery = z.strictObject({
  collection: z
    .string()
    .refine((text) => canonicalType(text) !== null, { message: 'a type such as 0x2::module::Nft is expected' })
    .transform((text) => canonicalType(text) ?? text),
  page: ledgerPageNumber,
});
