import type { Kysely } from 'kysely';

import type { AuditActor, AuditEntry } from '../audit/contract.ts';
import type { Database } from '../db/schema.ts';
import { type Trx, transact } from '../db/transaction.ts';
import type { Account, SessionStore, User } from './account-store.ts';
import { type AdmissionDeps, admitLogin, isKnownBrowser, type LoginCaller } from './admit-login.ts';
import type { Credentials } from './contract.ts';
import { loginLimits, type LoginVerdict } from './core/login-throttle.ts';
import { newLife } from './core/session-life.ts';
import { usernameKey } from './core/credentials.ts';
import type { Passwords } from './passwords.ts';

export interface LoginDeps extends AdmissionDeps {
  readonly db: Kysely<Database>;
  readonly sessions: SessionStore;
  readonly passwords: Passwords;
  readonly audit: { readonly record: (entry: AuditEntry, trx: Trx) => Promise<void> };
}

interface Token {
  readonly token: string;
  readonly expiresAt: Date;
}

export type LoginResult =
  | { readonly kind: 'signed-in'; readonly user: User; readonly session: Token; readonly device: Token }
  /** Wrong name or wrong password: which of them is not said. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly retryAfterMs: number };

const dayMs = 86_400_000;
const deviceMs = 180 * dayMs;

export const actorOf = ({ id, username, isAdmin }: User): AuditActor => ({
  kind: isAdmin ? 'admin' : 'user',
  userId: id,
  name: username,
});
export const subjectOf = ({ id, username }: User) => ({ kind: 'user', id, label: username });

/** One attempt: counted, judged, checked; a good one begins a session of its own (docs/decisions/0012). */
export async function logIn(deps: LoginDeps, given: Credentials, caller: LoginCaller): Promise<LoginResult> {
  const { users, passwords, attempts } = deps;
  const key = usernameKey(given.username);
  const admission = await admitLogin(deps, key, caller);
  if (admission.kind === 'wait') {
    await reportThrottled(deps, admission, key);
    return admission;
  }
  const account = await users.find(key);
  const matches = await passwords.matches(given.password, account?.passwordHash ?? null, admission.by);
  if (account === undefined || !matches) return { kind: 'wrong' };
  const result = await beginSession(deps, account, caller);
  if (result.kind === 'signed-in') await attempts.forgive(admission.counters);
  return result;
}

/** Once per window for each account, and once for all unknown names together: a flood must not fill the log. */
async function reportThrottled(
  { db, users, tokens, attempts, audit, clock }: LoginDeps,
  { limit }: Extract<LoginVerdict, { kind: 'wait' }>,
  key: string,
): Promise<void> {
  const account = await users.find(key);
  const reported = tokens.attemptKey('reported', account?.id ?? 'unknown name');
  const [counted] = await attempts.count([reported], loginLimits.windowMs, clock.now());
  if (counted === undefined || counted.attempts > 1) return;
  const entry = {
    actor: { kind: 'system', name: 'login' },
    action: 'login-throttled',
    // A mistyped name may be a password: neither it nor anything it could be recovered from is kept.
    subject:
      account === undefined
        ? { kind: 'username', id: tokens.nameMark(key), label: 'unknown name' }
        : subjectOf(account),
    before: null,
    after: { limit },
  } as const;
  await transact(db, (trx) => audit.record(entry, trx));
}

/** Rulings R2: a new session at every login; the one this browser had before ends with it. */
async function beginSession(
  { db, users, sessions, tokens, audit, clock }: LoginDeps,
  account: Account,
  caller: LoginCaller,
): Promise<LoginResult> {
  const at = clock.now();
  const key = usernameKey(account.username);
  const token = tokens.newToken();
  const [hash, oldHash] = [tokens.sessionHash(token), tokens.sessionHash(caller.sessionToken)];
  if (hash === null) throw new Error('A token of our own is not recognised');
  const life = newLife(at);
  const user = await transact(db, async (trx) => {
    const current = await users.findLocked(trx, key);
    // Changed or removed while the password was being checked: those sessions have just been ended.
    if (current === undefined || current.passwordHash !== account.passwordHash) return null;
    if (oldHash !== null) await sessions.remove(trx, oldHash);
    await sessions.add(trx, hash, current.id, life);
    const entry = { action: 'logged-in', subject: subjectOf(current), before: null, after: null };
    await audit.record({ actor: actorOf(current), ...entry }, trx);
    return current;
  });
  if (user === null) return { kind: 'wrong' };
  const isKnown = isKnownBrowser(tokens.readDeviceMark(caller.deviceToken), account);
  const mark = isKnown && caller.deviceToken !== null ? caller.deviceToken : tokens.newDeviceMark(account);
  return {
    kind: 'signed-in',
    user,
    session: { token, expiresAt: life.expiresAt },
    device: { token: mark, expiresAt: new Date(at.getTime() + deviceMs) },
  };
}
