import type { AuditActor } from '../audit/contract.ts';
import type { Credentials } from './contract.ts';
import { clientNetwork } from './core/client-network.ts';
import { judgeLogin, loginLimits, type LoginCounts, type LoginVerdict } from './core/login-throttle.ts';
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
  const { users, passwords, tokens, attempts, clock } = deps;
  const at = clock.now();
  const key = usernameKey(given.username);
  const counting = countersOf(tokens, key, caller);
  const verdict = judgeLogin(await countAttempt(deps, counting, at), at);
  if (verdict.kind === 'wait') {
    if (verdict.isFirst) await tellThrottled(deps, verdict, given.username);
    return { kind: 'wait', retryAfterMs: verdict.retryAfterMs };
  }
  if (counting.account !== null) await attempts.count([counting.account], loginLimits.attackWindowMs, at);
  const account = await users.find(key);
  const matches = await passwords.matches(given.password, account?.passwordHash ?? null);
  if (account === null || !matches) return { kind: 'wrong' };
  const result = await beginSession(deps, account, caller);
  if (result.kind === 'signed-in') await attempts.forgive(Object.values(counting).filter((each) => each !== null));
  return result;
}

/** Either the device's own counter or the three of a stranger. */
type Counters =
  | { readonly device: Uint8Array; readonly account: null }
  | { readonly address: Uint8Array; readonly accountAtAddress: Uint8Array; readonly account: Uint8Array };

function countersOf(tokens: Tokens, key: string, { address, deviceToken }: LoginCaller): Counters {
  const device = tokens.deviceOf(deviceToken, key);
  if (device !== null) return { device: tokens.attemptKey('device', device), account: null };
  const network = clientNetwork(address);
  return {
    address: tokens.attemptKey('address', network),
    accountAtAddress: tokens.attemptKey('account-at-address', network, key),
    account: tokens.attemptKey('account', key),
  };
}

/** Counted before the password is looked at, so that many attempts at once count as many. */
async function countAttempt({ attempts }: LoginDeps, counters: Counters, at: Date): Promise<LoginCounts> {
  const none = { attempts: 1, endsAt: at };
  if ('device' in counters) {
    const [device = none] = await attempts.count([counters.device], loginLimits.windowMs, at);
    return { from: 'known-device', device };
  }
  const keys = [counters.address, counters.accountAtAddress];
  const [address = none, accountAtAddress = none] = await attempts.count(keys, loginLimits.windowMs, at);
  return { from: 'stranger', address, accountAtAddress, account: await attempts.read(counters.account, at) };
}

async function tellThrottled(
  { audit, transactions }: LoginDeps,
  { limit }: Extract<LoginVerdict, { kind: 'wait' }>,
  username: string,
): Promise<void> {
  await transactions.run((transaction) =>
    audit.record(
      {
        actor: { kind: 'system', name: 'login' },
        action: 'login-throttled',
        subject: { kind: 'username', id: usernameKey(username), label: username },
        before: null,
        after: { limit },
      },
      transaction,
    ),
  );
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
  const isKnown = tokens.deviceOf(caller.deviceToken, key) !== null;
  const mark = isKnown && caller.deviceToken !== null ? caller.deviceToken : tokens.newDeviceMark(key);
  return {
    kind: 'signed-in',
    user,
    session: { token, expiresAt: life.expiresAt },
    device: { token: mark, expiresAt: new Date(at.getTime() + deviceMs) },
  };
}
