import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Proof, Question } from '../contract.ts';
import type { LoginDeps } from '../login-deps.ts';
import type { AskedBy } from '../passwords.ts';
import type { Factor } from './factor-store.ts';
import { codeShape, readRecoveryCode, stepOf } from './codes.ts';

/** How long a question stays open. */
const openMs = 5 * 60_000;

/** Asks the browser whose token has this hash for a second factor of this account. */
export async function askForFactor(
  { challenges, passkeys, clock }: LoginDeps,
  { id: userId }: { readonly id: string },
  factors: readonly Factor[],
  tokenHash: Uint8Array,
  within: Kysely<Database>,
): Promise<Question> {
  const hasPasskey = factors.some(({ kind }) => kind === 'passkey');
  const passkey = hasPasskey ? await passkeys.toSign(factors) : null;
  const expiresAt = new Date(clock.now().getTime() + openMs);
  const passkeyChallenge = passkey?.challenge ?? null;
  await challenges.put(within, { tokenHash, userId, passkeyChallenge, sealedSecret: null, expiresAt });
  return {
    passkey: passkey && { ...passkey },
    code: factors.some(({ kind }) => kind === 'authenticator'),
    expiresAt: expiresAt.toISOString(),
  };
}

/** A second factor that is right and has to be used up. */
export interface Proven {
  readonly by: Proof['kind'];
  /** Uses it up, in the transaction that relies on it. False: it was used elsewhere in the meantime. */
  readonly use: (trx: Trx) => Promise<boolean>;
}

/** null: the proof is wrong; the caller does not learn why. */
export async function checkProof(
  deps: LoginDeps,
  userId: string,
  proof: Proof,
  passkeyChallenge: string | null,
  by: AskedBy,
): Promise<Proven | null> {
  const { kind, code = '', response } = proof;
  if (kind === 'recovery-code') return checkRecoveryCode(deps, userId, code, by);
  const factors = await deps.factors.ofUser(userId);
  const at = deps.clock.now();
  if (kind === 'code') return checkCode(deps, userId, factors, code);
  if (passkeyChallenge === null || response === undefined) return null;
  const found = await deps.passkeys.check(response, factors, passkeyChallenge);
  if (found === null) return null;
  return { by: 'passkey', use: (trx) => deps.factors.usePasskey(trx, found.factorId, found.counter, at) };
}

function checkCode(
  { factors: store, seal, clock }: LoginDeps,
  userId: string,
  factors: readonly Factor[],
  code: string,
): Proven | null {
  if (!codeShape.test(code)) return null;
  const at = clock.now();
  for (const { id, sealedSecret } of factors) {
    const secret = sealedSecret === null ? null : seal.open(sealedSecret, userId);
    const step = secret === null ? null : stepOf(secret, code, at);
    if (step !== null) return { by: 'code', use: (trx) => store.useStep(trx, id, step, at) };
  }
  return null;
}

/** Always compares with a hash, so that an unknown first group takes as long as wrong other groups. */
async function checkRecoveryCode(
  { factors, passwords }: LoginDeps,
  userId: string,
  typed: string,
  by: AskedBy,
): Promise<Proven | null> {
  const code = readRecoveryCode(typed);
  if (code === null) return null;
  const hash = await factors.recoveryCodeHash(userId, code.handle);
  if (!(await passwords.matches(code.secret, hash, by))) return null;
  return { by: 'recovery-code', use: (trx) => factors.useRecoveryCode(trx, userId, code.handle) };
}
