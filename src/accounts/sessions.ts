import { transact } from '../db/transaction.ts';
import type { Account } from './account-store.ts';
import { isKnownBrowser, type LoginCaller } from './admit-login.ts';
import { browserInWords, newLife } from './core/session-rules.ts';
import type { Proven } from './factors/ask-for-factor.ts';
import { actorOf, type LoginDeps, type SignedIn, subjectOf } from './login-deps.ts';

const dayMs = 86_400_000;
const deviceMs = 180 * dayMs;

/** What was given besides the password, and the question that it answers. */
export interface SecondStep {
  readonly proven: Proven;
  readonly challengeHash: Uint8Array;
}

/** `refused`: the account, or what was given, is no longer what it was when it was checked. */
type Begun = SignedIn | { readonly kind: 'refused' } | { readonly kind: 'needs-factor' };

/** Rulings R2: a new session at every login; the one this browser had before ends with it. */
export async function beginSession(
  deps: LoginDeps,
  account: Account,
  caller: LoginCaller,
  second: SecondStep | null,
): Promise<Begun> {
  const { db, sessions, tokens, clock } = deps;
  const at = clock.now();
  const token = tokens.newToken();
  const [hash, oldHash] = [tokens.sessionHash(token), tokens.sessionHash(caller.sessionToken)];
  if (hash === null) throw new Error('A token of our own is not recognised');
  const life = newLife(at);
  const begun = await transact(db, async (trx) => {
    const current = await deps.users.findLocked(trx, { id: account.id });
    // Changed or removed while the password was being checked: those sessions have just been ended.
    if (current === undefined || current.passwordHash !== account.passwordHash) return 'refused';
    if (second === null && (await deps.factors.ofUser(current.id, trx)).length > 0) return 'needs-factor';
    if (second !== null) {
      // A code that is used up leaves the question open; an answered one is not answered twice.
      if (!(await useProof(deps, current, second.proven, trx))) return 'refused';
      if (!(await deps.challenges.end(trx, second.challengeHash))) return 'refused';
    }
    if (oldHash !== null) await sessions.remove(trx, oldHash);
    const browser = browserInWords(caller.userAgent);
    const confirmedAt = second === null ? null : at;
    await sessions.add(trx, { tokenHash: hash, userId: current.id, browser, confirmedAt }, life);
    await deps.users.noteSignIn(trx, current.id, at);
    const after = second === null ? null : { secondFactor: second.proven.by };
    const entry = { action: 'logged-in', subject: subjectOf(current), before: null, after };
    await deps.audit.record({ actor: actorOf(current), ...entry }, trx);
    return current;
  });
  if (begun === 'refused' || begun === 'needs-factor') return { kind: begun };
  const isKnown = isKnownBrowser(tokens.readDeviceMark(caller.deviceToken), account);
  const mark = isKnown && caller.deviceToken !== null ? caller.deviceToken : tokens.newDeviceMark(account);
  return {
    kind: 'signed-in',
    user: begun,
    session: { token, expiresAt: life.expiresAt },
    device: { token: mark, expiresAt: new Date(at.getTime() + deviceMs) },
  };
}

/** Uses it up; of a recovery code the log says how many are left. False: it is used up already. */
export async function useProof(
  { factors, audit }: LoginDeps,
  account: Account,
  proven: Proven,
  trx: Parameters<Proven['use']>[0],
): Promise<boolean> {
  if (!(await proven.use(trx))) return false;
  if (proven.by !== 'recovery-code') return true;
  const after = { left: await factors.countRecoveryCodes(account.id, trx) };
  const entry = { action: 'recovery-code-used', subject: subjectOf(account), before: null, after };
  await audit.record({ actor: actorOf(account), ...entry }, trx);
  return true;
}
