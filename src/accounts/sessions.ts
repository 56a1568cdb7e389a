import { transact, type Trx } from '../db/transaction.ts';
import type { Client, RouteRequest } from '../http/route.ts';
import type { Account } from './account-store.ts';
import { browserInWords, newLife } from './core/session-rules.ts';
import { type Proven, useProof } from './factors/challenge.ts';
import { type LoginDeps, record, type SignedIn } from './login-deps.ts';
import { notSignedIn, wrongCredentials, wrongProof } from './refusals.ts';

/** The second factor that was given, and the challenge it answers. */
interface AnsweredChallenge {
  readonly proven: Proven;
  readonly challengeHash: Uint8Array;
}

/**
 * Rulings R2: every login starts a new session and ends this browser's old one. null: a second factor is needed first.
 * Throws Refused if the account has changed, or the second factor was used, since it was checked.
 */
export async function beginSession(
  deps: LoginDeps,
  account: Account,
  caller: Client,
  answered: AnsweredChallenge | null,
): Promise<SignedIn | null> {
  const { db, sessions, tokens, clock } = deps;
  const at = clock.now();
  const token = tokens.newToken();
  const hash = tokens.sessionHash(token);
  if (hash === null) throw new Error('A new session token has the wrong format');
  const oldHash = tokens.sessionHash(caller.sessionToken);
  const life = newLife(at);
  const user = await transact(db, async (trx) => {
    const current = await deps.users.findLocked(trx, { id: account.id });
    // The account was changed or removed while the password was being checked, which ended its sessions.
    if (current === undefined || current.passwordHash !== account.passwordHash)
      throw answered === null ? wrongCredentials() : wrongProof('login');
    if (answered !== null) {
      // A used code leaves the challenge open. A challenge can be answered only once: a second answer uses up no code.
      if (!(await useProof(deps, trx, current, answered.proven))) throw wrongProof('login');
      if (!(await deps.challenges.end(trx, answered.challengeHash))) throw wrongProof('login');
    } else if ((await deps.factors.ofUser(current.id, trx)).length > 0) return null;
    if (oldHash !== null) await sessions.remove(trx, oldHash);
    const browser = browserInWords(caller.userAgent);
    const confirmedAt = answered === null ? null : at;
    await sessions.add(trx, { tokenHash: hash, userId: current.id, browser, confirmedAt }, life);
    await deps.users.noteSignIn(trx, current.id, at);
    const after = answered && { secondFactor: answered.proven.by };
    await record(deps, trx, { account: current, action: 'logged-in', after });
    return current;
  });
  if (user === null) return null;
  const session = { token, expiresAt: life.expiresAt };
  const proved = answered === null ? 'password' : 'second-factor';
  const device = tokens.deviceCookie(caller.deviceToken, account, proved, clock.now());
  return { kind: 'signed-in', user, session, device };
}

/** The account of the signed-in caller. Throws Refused if the session has ended since the guard let the call in. */
export async function accountOf({ users }: LoginDeps, { user }: Pick<RouteRequest, 'user'>): Promise<Account> {
  const account = user === null ? undefined : await users.byId(user.id);
  if (account === undefined) throw notSignedIn();
  return account;
}

/** Ends all sessions of this account except the one with this hash. Returns how many it ended. */
export async function endOthers(deps: LoginDeps, trx: Trx, account: Account, hash: Uint8Array): Promise<number> {
  const sessions = await deps.sessions.removeOthers(trx, account.id, hash);
  if (sessions > 0) await record(deps, trx, { account, action: 'sessions-ended', before: { sessions } });
  return sessions;
}
