import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Client } from '../../http/route.ts';
import type { Account } from '../account-store.ts';
import { auditOncePerWindow, countAttempt } from '../admit-login.ts';
import type { Challenge } from '../contract.ts';
import { type LoginDeps, record } from '../login-deps.ts';
import type { Trust } from '../passwords.ts';
import { challengeOver, notSignedIn, wrongProof } from '../refusals.ts';
import { challengeOpenMs, type Factor, type OpenChallenge } from './factor-store.ts';
import { codeShape, readRecoveryCode, stepOf } from './codes.ts';
import { passkeyResponse } from './passkeys.ts';

/** The answer to a challenge: a code, or a passkey's signature. */
export const proofBody = z.strictObject({
  kind: z.enum(['code', 'recovery-code', 'passkey']),
  code: z.string().max(40).optional().describe('Six digits from the authenticator app, or a recovery code'),
  response: passkeyResponse.optional().describe('The result of navigator.credentials.get'),
});
export type Proof = z.infer<typeof proofBody>;
/** In bytes. */
export const proofSize = 10 * 1_024;

/** Challenges the browser whose token has this hash to give a second factor of this account. */
export async function challengeForFactor(
  deps: LoginDeps,
  { id: userId }: Pick<Account, 'id'>,
  factors: readonly Factor[],
  tokenHash: Uint8Array,
  within: Kysely<Database>,
): Promise<Challenge> {
  const { challenges, passkeys, clock } = deps;
  const dead = factors.filter((factor) => isDeadApp(deps, factor));
  const hasPasskey = factors.some(({ kind }) => kind === 'passkey');
  const passkey = hasPasskey ? await passkeys.toSign(factors) : null;
  const expiresAt = new Date(clock.now().getTime() + challengeOpenMs);
  const passkeyChallenge = passkey?.challenge ?? null;
  await challenges.put(within, { tokenHash, userId, passkeyChallenge, sealedSecret: null, expiresAt });
  return {
    passkey: passkey && { ...passkey },
    code: factors.some((factor) => factor.kind === 'authenticator' && !dead.includes(factor)),
    hasDeadApp: dead.length > 0,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Whether none of its codes can be checked: its secret was sealed under another SESSION_SECRET. */
export const isDeadApp = (
  { seal }: LoginDeps,
  { sealedSecret, userId }: Pick<Factor, 'sealedSecret' | 'userId'>,
): boolean => sealedSecret !== null && seal.open(sealedSecret, userId) === null;

/** The hash under which a challenge to this session is stored. Throws Refused without a session. */
export function sessionChallengeHash({ tokens }: LoginDeps, purpose: 'confirm' | 'add', caller: Client): Uint8Array {
  const hash = tokens.challengeHash(purpose, caller.sessionToken);
  if (hash === null) throw notSignedIn();
  return hash;
}

interface Answer {
  readonly purpose: 'login' | 'confirm';
  readonly account: Account;
  readonly challengeHash: Uint8Array;
  readonly proof: Proof;
  readonly caller: Client;
}

/** Counts and checks one answer to an open challenge. Returns the counters of a code too; a passkey has none. Throws Refused. */
export async function answerChallenge(deps: LoginDeps, answer: Answer) {
  const { purpose, account, challengeHash, proof, caller } = answer;
  const device = deps.tokens.readDeviceToken(caller.deviceToken);
  const trust = device?.hasProved(account, 'second-factor') === true ? 'known-browser' : 'stranger';
  // Counted across all addresses: six digits can be guessed, and only someone with the password gets this far. A passkey cannot be guessed.
  const [limit, countedBy] =
    purpose === 'login'
      ? (['second-factor', [account.id, trust]] as const)
      : (['session-code', [caller.sessionToken ?? '']] as const);
  const counters = proof.kind === 'passkey' ? [] : [await countAttempt(deps, limit, account.usernameKey, countedBy)];
  const challenge = await deps.challenges.takeAnswer(challengeHash, deps.clock.now());
  if (challenge === null || challenge.userId !== account.id) throw challengeOver(purpose);
  const factors = await deps.factors.ofUser(account.id);
  // The lost factor was removed meanwhile, or another tab was asked after this one: nothing is wrong with the answer.
  if (factors.length === 0 || signsAnother(deps, proof, challenge)) throw challengeOver(purpose);
  // Who confirms is signed in, in whatever browser.
  const queue = purpose === 'confirm' ? 'known-browser' : trust;
  const proven = await checkProof(deps, { ...challenge, factors, proof, queue });
  if (proven !== null) return { proven, counters };
  // Anyone who gets this far has the password or the session: the team should know.
  await auditOncePerWindow(deps, account.usernameKey, 'second-factor-refused', { asked: purpose });
  throw wrongProof(purpose);
}

/** A second factor that is right and has to be used up. */
export interface Proven {
  readonly by: Proof['kind'];
  /** Uses it up, in the transaction that relies on it. False: it was used elsewhere in the meantime. */
  readonly use: (trx: Trx) => Promise<boolean>;
}

/** Uses up the proof; for a recovery code, the log says how many are left. False: it was already used. */
export async function useProof(deps: LoginDeps, trx: Trx, account: Account, proven: Proven): Promise<boolean> {
  if (!(await proven.use(trx))) return false;
  if (proven.by !== 'recovery-code') return true;
  const after = { left: await deps.factors.countRecoveryCodes(account.id, trx) };
  await record(deps, trx, { account, action: 'recovery-code-used', after });
  return true;
}

/** Whether a passkey answers an earlier question than the open one. */
const signsAnother = ({ passkeys }: LoginDeps, { response }: Proof, { passkeyChallenge }: OpenChallenge): boolean =>
  response !== undefined && passkeyChallenge !== null && !passkeys.isAnswerTo(response, passkeyChallenge);

interface ToCheck extends Pick<OpenChallenge, 'userId' | 'passkeyChallenge'> {
  readonly factors: readonly Factor[];
  readonly proof: Proof;
  readonly queue: Trust;
}

/** null: the proof is wrong; the caller does not learn why. */
async function checkProof(
  deps: LoginDeps,
  { userId, passkeyChallenge, factors, proof, queue }: ToCheck,
): Promise<Proven | null> {
  const { kind, code = '', response } = proof;
  if (kind === 'recovery-code') return checkRecoveryCode(deps, userId, code, queue);
  if (kind === 'code') return checkCode(deps, factors, code);
  if (passkeyChallenge === null || response === undefined) return null;
  const at = deps.clock.now();
  const found = await deps.passkeys.check(response, factors, passkeyChallenge);
  if (found === null) return null;
  return { by: 'passkey', use: (trx) => deps.factors.usePasskey(trx, found.factorId, found.counter, at) };
}

function checkCode(deps: LoginDeps, factors: readonly Factor[], code: string): Proven | null {
  if (!codeShape.test(code)) return null;
  const at = deps.clock.now();
  for (const { id, userId, sealedSecret } of factors) {
    const secret = sealedSecret === null ? null : deps.seal.open(sealedSecret, userId);
    const step = secret === null ? null : stepOf(secret, code, at);
    if (step !== null) return { by: 'code', use: (trx) => deps.factors.useStep(trx, id, step, at) };
  }
  return null;
}

/** Always compares with a hash, so that an unknown first group takes as long as wrong other groups. */
async function checkRecoveryCode(
  { factors, passwords }: LoginDeps,
  userId: string,
  typed: string,
  queue: Trust,
): Promise<Proven | null> {
  const code = readRecoveryCode(typed);
  if (code === null) return null;
  const hash = await factors.recoveryCodeHash(userId, code.handle);
  if (!(await passwords.matches(code.secret, hash, queue))) return null;
  return { by: 'recovery-code', use: (trx) => factors.useRecoveryCode(trx, userId, code.handle) };
}
