import { z } from 'zod';

import { allRights } from '../shared/rights.ts';
import { listedFactor } from './factors-contract.ts';

/** The calls of the tab 'Accounts' (docs/decisions/0039). */

const id = z.string().regex(/^\d{1,18}$/);
const rights = z.enum(allRights).nullable();

const session = z.object({
  id: z.string(),
  browser: z.string().nullable().describe("Such as 'Firefox on Linux'; null: the browser did not say"),
  begunAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().describe('To the minute'),
  isThisOne: z.boolean(),
});

/** GET /api/auth/account: one's own part. */
export const ownAccountAnswer = z.object({
  data: z.object({
    username: z.string(),
    rights,
    passkeysAreOffered: z.boolean().describe('Browsers offer passkeys only on https and localhost'),
    factors: z.array(listedFactor),
    recoveryCodesLeft: z.int(),
    sessions: z.array(session),
  }),
});

const account = z.object({
  id: z.string(),
  username: z.string(),
  rights: rights.describe('null: it may not enter the admin area'),
  changedAt: z.iso.datetime().describe('The version for If-Match, in milliseconds'),
  lastSignedInAt: z.iso.datetime().nullable().describe('null: never, or not since this is kept'),
  factors: z.array(listedFactor),
  sessionCount: z.int(),
  isYou: z.boolean(),
});
export type ListedAccount = z.infer<typeof account>;

/** GET /api/admin/accounts: all of them, by name. */
export const accountsAnswer = z.object({ data: z.array(account) });
export const accountAnswer = z.object({ data: account });

/** 409: somebody else changed it meanwhile (rulings R6). */
export const staleAccount = z.object({ message: z.string(), code: z.literal('stale'), current: account });

export const rightsBody = z.strictObject({ rights });
export const accountParams = z.strictObject({ accountId: id });
export const accountFactorParams = z.strictObject({ accountId: id, factorId: id });
export const sessionParams = z.strictObject({ sessionId: id });

/** How many sessions were ended. */
export const endedAnswer = z.object({ data: z.object({ ended: z.int() }) });
