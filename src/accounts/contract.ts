import { z } from 'zod';
import { allRights } from '../shared/rights.ts';

/** The calls around second factors (docs/decisions/0039). */

const factorKinds = ['passkey', 'authenticator'] as const;

/** The JSON forms of WebAuthn (level 3, 5.1). @simplewebauthn/server makes and checks their content. */
export const passkeyResponse = z.record(z.string(), z.unknown());
export type PasskeyResponse = z.infer<typeof passkeyResponse>;
const passkeyOptions = z.looseObject({ challenge: z.string() });

/** The answer to a challenge: a code, or a passkey's signature. */
export const proof = z.strictObject({
  kind: z.enum(['code', 'recovery-code', 'passkey']),
  code: z.string().max(40).optional().describe('Six digits from the authenticator app, or a recovery code'),
  response: passkeyResponse.optional().describe('The result of navigator.credentials.get'),
});
export type Proof = z.infer<typeof proof>;
/** In bytes. */
export const proofSize = 10 * 1_024;

/** Asks for a second factor: which ones the account can answer with. */
const challenge = z.object({
  passkey: passkeyOptions.nullable().describe('For navigator.credentials.get; null: the account has no passkey'),
  code: z.boolean().describe('Whether the account has an authenticator app whose codes can be checked'),
  hasDeadApp: z.boolean().describe('Whether it has one from before another SESSION_SECRET: its codes never work'),
  expiresAt: z.iso.datetime(),
});
export type Challenge = z.infer<typeof challenge>;

/** For navigator.credentials.create. */
export const passkeyToMake = z.object({ data: passkeyOptions });

/** To set up an authenticator app. */
export const authenticatorToAdd = z.object({
  data: z.object({ uri: z.string().describe('otpauth://, for a QR code'), secret: z.string() }),
});

const factorNameMax = 40;
export const factorName = z
  .string()
  .trim()
  .min(1, { error: 'Give it a name.' })
  .max(factorNameMax, { error: `A name has at most ${factorNameMax} characters.` })
  // Invisible characters would make two names look alike.
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, { error: 'A name must not contain invisible characters.' });

const listedFactor = z.object({
  id: z.string(),
  kind: z.enum(factorKinds),
  name: z.string(),
  addedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  isDead: z.boolean().describe('An authenticator app from before another SESSION_SECRET: its codes never work'),
});

export const factorAnswer = z.object({ data: listedFactor });

const codes = z.array(z.string()).readonly();

/** `recoveryCodes`: new ones, shown only this once; null: the existing ones stay valid. */
export const addedFactor = z.object({ data: z.object({ factor: listedFactor, recoveryCodes: codes.nullable() }) });
export const newRecoveryCodesAnswer = z.object({ data: z.object({ recoveryCodes: codes }) });

export const challengeAnswer = z.object({ data: challenge });
export const confirmedAnswer = z.object({ data: z.object({ confirmedUntil: z.iso.datetime() }) });

/** Specification 3, and what the user may do in the admin area (docs/decisions/0039). */
const sessionUser = z.object({ username: z.string(), isAdmin: z.boolean(), rights: z.enum(allRights).optional() });

export const usernameLengths = { shortest: 2, longest: 64 };
export const passwordLengths = { shortest: 4, longest: 200 };

const bounded = (name: string, { shortest, longest }: { readonly shortest: number; readonly longest: number }) =>
  z
    .string()
    // Specification 5 fixes the wording.
    .min(shortest, { error: `${name} must be at least ${shortest} characters.` })
    .max(longest, { error: `${name} must be at most ${longest} characters.` });

/** POST /api/auth/login (specification 7). Also the rules of the login form and of new accounts (specification 5, 9). */
export const credentials = z.strictObject({
  username: bounded('Username', usernameLengths),
  password: bounded('Password', passwordLengths),
});
export type Credentials = z.infer<typeof credentials>;

/** Answer of the check, and of a completed login. */
export const userAnswer = z.object({ user: sessionUser });

/** Answer of a login: a user with a second factor is asked for it. */
export const loginAnswer = z.union([userAnswer, z.object({ user: z.null(), secondFactor: challenge })]);

/** The 401 of GET /api/auth/check (rulings R2). */
export const noUserAnswer = z.object({ user: z.null(), message: z.string() });

/** Answer of POST /api/auth/logout. */
export const signedOutAnswer = z.object({ user: z.null() });

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

/** GET /api/auth/account: the caller's own account. */
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
  rights: rights.describe('null: no access to the admin area'),
  changedAt: z.iso.datetime().describe('The version for If-Match, in milliseconds'),
  lastSignedInAt: z.iso.datetime().nullable().describe('null: never, or not since this has been recorded'),
  factors: z.array(listedFactor),
  isYou: z.boolean(),
});
export type ListedAccount = z.infer<typeof account>;

/** GET /api/admin/accounts: all of them, sorted by name. */
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
