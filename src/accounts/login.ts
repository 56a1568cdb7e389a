import type { AuditActor } from '../audit/contract.ts';
import type { Credentials } from './contract.ts';
import { admitLogin, isKnownBrowser } from './admit-login.ts';
import { loginLimits, type LoginVerdict } from './core/login-throttle.ts';
import { newLife } from './core/session-life.ts';
import { usernameKey } from './core/username.ts';
import type {
  Account,
  AttemptStore,
  AuditTrail,
  Clock,
  Passwords,
  SessionStore,
  Tokens,
  Transactions,
  User,
  UserStore,
} from './ports.ts';

export interface LoginDeps {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly attempts: AttemptStore;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly transactions: Transactions;
  readonly audit: AuditTrail;
  readonly clock: Clock;
}

/** Who tries, as far as the request says; nothing of it is checked. */
export interface LoginCaller {
  readonly address: string;
  readonly sessionToken: string | null;
  readonly deviceToken: string | null;
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
    await tellThrottled(deps, admission, key);
    return admission;
  }
  const account = await users.find(key);
  const matches = await passwords.matches(given.password, account?.passwordHash ?? null, admission.by);
  if (account === null || !matches) return { kind: 'wrong' };
  const result = await beginSession(deps, account, caller);
  if (result.kind === 'signed-in') await attempts.forgive(admission.counters);
  return result;
}

/** Of every account once a window, and of all names together that are nobody's: a flood must not fill the log. */
async function tellThrottled(
  { users, tokens, attempts, audit, transactions, clock }: LoginDeps,
  { limit }: Extract<LoginVerdict, { kind: 'wait' }>,
  key: string,
): Promise<void> {
  const account = await users.find(key);
  const told = tokens.attemptKey('told', account?.id ?? 'nobody');
  const [counted] = await attempts.count([told], loginLimits.windowMs, clock.now());
  if (counted === undefined || counted.attempts > 1) return;
  const entry = {
    actor: { kind: 'system', name: 'login' },
    action: 'login-throttled',
    // What somebody mistyped may be a password: neither it nor anything that could be turned back into it is kept.
    subject:
      account === null ? { kind: 'username', id: tokens.nameMark(key), label: 'unknown name' } : subjectOf(account),
    before: null,
    after: { limit },
  } as const;
  await transactions.run((transaction) => audit.record(entry, transaction));
}

/** Rulings R2: a new session at every login; the one this browser had before ends with it. */
async function beginSession(
  { users, sessions, tokens, transactions, audit, clock }: LoginDeps,
  account: Account,
  caller: LoginCaller,
): Promise<LoginResult> {
  const at = clock.now();
  const key = usernameKey(account.username);
  const token = tokens.newToken();
  const [hash, oldHash] = [tokens.sessionHash(token), tokens.sessionHash(caller.sessionToken)];
  if (hash === null) throw new Error('A token of our own is not recognised');
  const life = newLife(at);
  const user = await transactions.run(async (transaction) => {
    const current = await users.find(key, transaction);
    // Changed or removed while the password was being checked: those sessions have just been ended.
    if (current === null || current.passwordHash !== account.passwordHash) return null;
    if (oldHash !== null) await sessions.remove(oldHash, transaction);
    await sessions.add(hash, current.id, life, transaction);
    const entry = { action: 'logged-in', subject: subjectOf(current), before: null, after: null };
    await audit.record({ actor: actorOf(current), ...entry }, transaction);
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
