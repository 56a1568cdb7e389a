import { z } from 'zod';

import { allRights } from '../shared/rights.ts';
import { question } from './factors-contract.ts';

/** Specification 3: what the site knows of a user; and what an admin may do in the admin area (docs/decisions/0039). */
const sessionUser = z.object({ username: z.string(), isAdmin: z.boolean(), rights: z.enum(allRights).optional() });

export const usernameLengths = { shortest: 2, longest: 64 };
export const passwordLengths = { shortest: 4, longest: 200 };

const bounded = (name: string, { shortest, longest }: { readonly shortest: number; readonly longest: number }) =>
  z
    .string()
    // Specification 5: these very sentences.
    .min(shortest, { error: `${name} must be at least ${shortest} characters.` })
    .max(longest, { error: `${name} must be at most ${longest} characters.` });

/** POST /api/auth/login (specification 7). Also the rules of the login form and of new accounts (specification 5, 9). */
export const credentials = z.strictObject({
  username: bounded('Username', usernameLengths),
  password: bounded('Password', passwordLengths),
});
export type Credentials = z.infer<typeof credentials>;

/** Answer of check, and of a login that is done. */
export const userAnswer = z.object({ user: sessionUser });

/** Answer of a login: who has a second factor is asked for it. */
export const loginAnswer = z.union([userAnswer, z.object({ user: z.null(), secondFactor: question })]);

/** The 401 of GET /api/auth/check (rulings R2). */
export const noUserAnswer = z.object({ user: z.null(), message: z.string() });

/** Answer of POST /api/auth/logout. */
export const signedOutAnswer = z.object({ user: z.null() });
