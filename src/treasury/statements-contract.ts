import { z } from 'zod';

import { monthPattern } from '../shared/utc-month.ts';

/** The statements of the treasury's months, newest first. */

const statementSummary = z.object({
  month: z.string().regex(monthPattern),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Of the bytes of /statements/{month}.json'),
  entries: z.int(),
  closingMicroUsd: z
    .string()
    .regex(/^-?\d+$/)
    .describe('1e-6 USD, of the coins whose price is known'),
  unpricedCoins: z.int().describe('Coins of the treasury whose price is not known'),
});
export type StatementSummary = z.infer<typeof statementSummary>;

/** GET /api/treasury/statements */
export const statementsAnswer = z.object({
  data: z.object({
    statements: z.array(statementSummary).readonly(),
    reason: z.string().nullable().describe('Why there are none, or none yet; null: there are'),
  }),
});
export type StatementsAnswer = z.infer<typeof statementsAnswer>;

export const statementParams = z.strictObject({
  month: z.string().regex(monthPattern, 'A month is written as in 2026-10.'),
});
