import { answeredWithin } from '../db/outage.ts';
import { transact } from '../db/transaction.ts';
import type { Authorize } from '../http/route.ts';
import type { User } from './account-store.ts';
import { isOver, seenAgain } from './core/session-life.ts';
import { actorOf, subjectOf, type LoginDeps } from './login.ts';

type SessionDeps = Pick<LoginDeps, 'db' | 'sessions' | 'tokens' | 'audit' | 'clock'>;

/** Who is signed in with this token; its session is extended. null: no one. */
async function userOf(
  { sessions, tokens, clock }: Pick<SessionDeps, 'sessions' | 'tokens' | 'clock'>,
  token: string | null,
): Promise<User | null> {
  const hash = tokens.sessionHash(token);
  if (hash === null) return null;
  const at = clock.now();
  const found = await sessions.find(hash);
  if (found === null || isOver(found.life, at)) return null;
  const life = seenAgain(found.life, at);
  if (life !== null) await sessions.noteSeen(hash, life);
  return found.user;
}

/** A database that keeps silent must not keep the admin area waiting: 503, never 'signed out'. */
const answerWithinMs = 3_000;

/** Rulings R2: 401 without a session, 403 for a signed-in user who is no admin. */
export const createAuthorize =
  (deps: Pick<SessionDeps, 'sessions' | 'tokens' | 'clock'>): Authorize =>
  async (sessionToken, access) => {
    const user = await answeredWithin(userOf(deps, sessionToken), answerWithinMs);
    if (access === 'public') return { ok: true, user };
    if (user === null) return refusal(401, 'not-signed-in', 'Sign in first: this call needs an account.');
    if (access === 'admin' && !user.isAdmin) {
      return refusal(403, 'not-an-admin', 'This account has no admin access. Sign in with one that has.');
    }
    return { ok: true, user };
  };

const refusal = (status: 401 | 403, code: string, message: string) => ({ ok: false, status, code, message }) as const;

/** Ends this session, wherever its token has been copied to. Without one there is nothing to do. */
export async function logOut({ db, sessions, tokens, audit }: SessionDeps, sessionToken: string | null): Promise<void> {
  const hash = tokens.sessionHash(sessionToken);
  if (hash === null) return;
  await transact(db, async (trx) => {
    const user = await sessions.remove(trx, hash);
    if (user === undefined) return;
    const entry = { action: 'logged-out', subject: subjectOf(user), before: null, after: null };
    await audit.record({ actor: actorOf(user), ...entry }, trx);
  });
}
