import { transact, type Trx } from '../db/transaction.ts';
import type { Account } from './account-store.ts';
import { browserInWords, isExpired, newLife, extendedLife } from './core/session-rules.ts';
import type { Proven } from './factors/ask-for-factor.ts';
import { type LoginDeps, record, type SignedIn } from './login-deps.ts';
import { wrongCredentials, wrongProof } from './refusals.ts';
import { answeredWithin } from '../db/outage.ts';
import type { Authorize, Client, Needs } from '../http/route.ts';
import { reaches, type Rights } from '../shared/rights.ts';

const dayMs = 86_400_000;
const deviceMs = 180 * dayMs;

/** The second factor that was given, and the question it answers. */
interface SecondStep {
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
  second: SecondStep | null,
): Promise<SignedIn | null> {
  const { db, sessions, tokens, clock } = deps;
  const at = clock.now();
  const token = tokens.newToken();
  const [hash, oldHash] = [tokens.sessionHash(token), tokens.sessionHash(caller.sessionToken)];
  if (hash === null) throw new Error('A new session token has the wrong format');
  const life = newLife(at);
  const user = await transact(db, async (trx) => {
    const current = await deps.users.findLocked(trx, { id: account.id });
    // The account was changed or removed while the password was being checked, which ended its sessions.
    if (current === undefined || current.passwordHash !== account.passwordHash)
      throw second === null ? wrongCredentials() : wrongProof('login');
    if (second === null && (await deps.factors.ofUser(current.id, trx)).length > 0) return null;
    if (second !== null) {
      // A used code leaves the question open. A question can be answered only once: a second answer uses up no code.
      if (!(await useProof(deps, current, second.proven, trx))) throw wrongProof('login');
      if (!(await deps.challenges.end(trx, second.challengeHash))) throw wrongProof('login');
    }
    if (oldHash !== null) await sessions.remove(trx, oldHash);
    const browser = browserInWords(caller.userAgent);
    const confirmedAt = second === null ? null : at;
    await sessions.add(trx, { tokenHash: hash, userId: current.id, browser, confirmedAt }, life);
    await deps.users.noteSignIn(trx, current.id, at);
    const after = second && { secondFactor: second.proven.by };
    await record(deps, trx, { account: current, action: 'logged-in', after });
    return current;
  });
  if (user === null) return null;
  const session = { token, expiresAt: life.expiresAt };
  return { kind: 'signed-in', user, session, device: deviceOf(deps, account, caller, second !== null) };
}

/** For the cookie `device`: the browser's mark, or a new one where that does not say enough. */
export function deviceOf({ tokens, clock }: LoginDeps, account: Account, caller: Client, hasProven: boolean) {
  const known = tokens.readDeviceMark(caller.deviceToken);
  const isMarked = hasProven ? known?.hasProven(account) : known?.isOf(account);
  const token = isMarked === true ? caller.deviceToken : null;
  const expiresAt = new Date(clock.now().getTime() + deviceMs);
  return { token: token ?? tokens.newDeviceMark(account, hasProven), expiresAt };
}

/** Ends all sessions of this account except the one with this hash. Returns how many it ended. */
export async function endOthers(deps: LoginDeps, account: Account, hash: Uint8Array, trx: Trx): Promise<number> {
  const sessions = await deps.sessions.removeOthers(trx, account.id, hash);
  if (sessions > 0) await record(deps, trx, { account, action: 'sessions-ended', before: { sessions } });
  return sessions;
}

/** Uses up the proof; for a recovery code, the log says how many are left. False: it was already used. */
export async function useProof(deps: LoginDeps, account: Account, proven: Proven, trx: Trx): Promise<boolean> {
  if (!(await proven.use(trx))) return false;
  if (proven.by !== 'recovery-code') return true;
  const after = { left: await deps.factors.countRecoveryCodes(account.id, trx) };
  await record(deps, trx, { account, action: 'recovery-code-used', after });
  return true;
}

/** Finds and extends the session of this token. null: there is none. */
async function sessionOf({ sessions, tokens, clock }: LoginDeps, token: string | null) {
  const hash = tokens.sessionHash(token);
  if (hash === null) return null;
  const at = clock.now();
  const found = await sessions.find(hash);
  if (found === null || isExpired(found.life, at)) return null;
  const life = extendedLife(found.life, at);
  if (life !== null) await sessions.noteSeen(hash, life);
  return found;
}

/** A database that does not answer within this time gives a 503, never 'signed out'. */
const answerWithinMs = 3_000;

/** How long a second factor is valid for calls that ask for it again (`Route.needsSecondFactorAgain`). */
const confirmedMs = 10 * 60_000;
export const confirmedUntil = (confirmedAt: Date): Date => new Date(confirmedAt.getTime() + confirmedMs);

/** Rulings R2: 401 without a session, 403 for a signed-in user who is not an admin or lacks the right. */
export const authorizeWith =
  (deps: LoginDeps): Authorize =>
  async (sessionToken, { access, needsSecondFactorAgain = false }) => {
    const session = await answeredWithin(sessionOf(deps, sessionToken), answerWithinMs);
    const user = session === null ? null : { ...session.user, isAdmin: session.user.rights !== null };
    if (access === 'public') return { ok: true, user };
    if (session === null || user === null) {
      return refusal(401, 'not-signed-in', 'Sign in first: this call needs an account.');
    }
    const lacks = lackOf(user.rights, access);
    if (lacks !== null) return lacks;
    const { hasSecondFactor, confirmedAt } = session;
    const isConfirmed = confirmedAt !== null && deps.clock.now() < confirmedUntil(confirmedAt);
    if (needsSecondFactorAgain && hasSecondFactor && !isConfirmed) {
      return refusal(403, 'second-factor-required', 'This needs your second factor again: confirm that it is you.');
    }
    return { ok: true, user };
  };

function lackOf(rights: Rights | null, access: Exclude<Needs['access'], 'public'>) {
  if (reaches(rights, access)) return null;
  if (rights === null || access === 'dashboard') {
    return refusal(403, 'not-an-admin', 'This account has no admin access. Sign in with one that has.');
  }
  return refusal(403, 'right-missing', `This needs the right '${access}'. Ask an admin to give it to your account.`);
}

const refusal = (status: 401 | 403, code: string, message: string) => ({ ok: false, status, code, message }) as const;
