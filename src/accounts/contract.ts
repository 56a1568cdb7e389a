import * as z from 'zod/mini';
import { described } from '../shared/answer-fields.ts';
import { allRights } from '../shared/rights.ts';

/** Answers of the calls around accounts, sessions and second factors (specification 7, docs/decisions/0039). */

const time = z.iso.datetime();
const rights = z.nullable(z.enum(allRights));

/** The JSON forms of WebAuthn (level 3, 5.1). @simplewebauthn/server makes and checks their content. */
/** For navigator.credentials.create and .get. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

/** Asks for a second factor: which ones the account can answer with. */
export const challenge = z.object({
  passkey: described(z.nullable(passkeyOptions), 'For navigator.credentials.get; null: the account has no passkey'),
  code: described(z.boolean(), 'Whether the account has an authenticator app whose codes can be checked'),
  hasDeadApp: described(z.boolean(), 'Whether it has one from before another SESSION_SECRET: its codes never work'),
  expiresAt: time,
});
export type Challenge = z.infer<typeof challenge>;

/** To set up an authenticator app. */
export const authenticatorToAdd = z.object({
  uri: described(z.string(), 'otpauth://, for a QR code'),
  secret: z.string(),
});

export const listedFactor = z.object({
  id: z.string(),
  kind: z.enum(['passkey', 'authenticator']),
  name: z.string(),
  addedAt: time,
  lastUsedAt: z.nullable(time),
  isDead: described(z.boolean(), 'An authenticator app from before another SESSION_SECRET: its codes never work'),
});

const codes = z.readonly(z.array(z.string()));

/** `recoveryCodes`: new ones, shown only this once; null: the existing ones stay valid. */
export const addedFactor = z.object({ factor: listedFactor, recoveryCodes: z.nullable(codes) });
export const newRecoveryCodesAnswer = z.object({ recoveryCodes: codes });

export const confirmedAnswer = z.object({ confirmedUntil: time });

/** Specification 3, and what the user may do in the admin area (docs/decisions/0039). */
const sessionUser = z.object({ username: z.string(), isAdmin: z.boolean(), rights: z.optional(z.enum(allRights)) });

/** Answer of the check, and of a completed login. */
export const userAnswer = z.object({ user: sessionUser });

/** Answer of a login: a user with a second factor is asked for it. */
export const loginAnswer = z.union([userAnswer, z.object({ user: z.null(), secondFactor: challenge })]);

/** The 401 of GET /api/auth/check (rulings R2). */
export const noUserAnswer = z.object({ user: z.null(), message: z.string() });

/** Answer of POST /api/auth/logout. */
export const signedOutAnswer = z.object({ user: z.null() });

const session = z.object({
  id: z.string(),
  browser: described(z.nullable(z.string()), "Such as 'Firefox on Linux'; null: the browser did not say"),
  begunAt: time,
  lastUsedAt: described(time, 'To the minute'),
  isThisOne: z.boolean(),
});

/** GET /api/auth/account: the caller's own account. */
export const ownAccountAnswer = z.object({
  username: z.string(),
  rights,
  passkeysAreOffered: described(z.boolean(), 'Browsers offer passkeys only on https and localhost'),
  factors: z.array(listedFactor),
  recoveryCodesLeft: z.int(),
  sessions: z.array(session),
});

export const account = z.object({
  id: z.string(),
  username: z.string(),
  rights: described(rights, 'null: no access to the admin area'),
  changedAt: described(time, 'The version for If-Match, in milliseconds'),
  lastSignedInAt: described(z.nullable(time), 'null: never, or not since this has been recorded'),
  factors: z.array(listedFactor),
  isYou: z.boolean(),
});
export type ListedAccount = z.infer<typeof account>;

/** GET /api/admin/accounts: all of them, sorted by name. */
export const accountsAnswer = z.array(account);
/** 409: somebody else changed it meanwhile (rulings R6). */
export const staleAccount = z.object({ message: z.string(), code: z.literal('stale'), current: account });

/** How many sessions were ended. */
export const endedAnswer = z.object({ ended: z.int() });
