import { answeredWithin } from '../db/outage.ts';
import type { Authorize, Needs } from '../http/route.ts';
import { reaches, type Rights } from '../shared/rights.ts';
import { isOver, seenAgain } from './core/session-rules.ts';
import type { LoginDeps } from './login-deps.ts';

/** Who is signed in with this token; its session is extended. null: no one. */
async function sessionOf({ sessions, tokens, clock }: LoginDeps, token: string | null) {
  const hash = tokens.sessionHash(token);
  if (hash === null) return null;
  const at = clock.now();
  const found = await sessions.find(hash);
  if (found === null || isOver(found.life, at)) return null;
  const life = seenAgain(found.life, at);
  if (life !== null) await sessions.noteSeen(hash, life);
  return found;
}

/** A database that keeps silent must not keep the admin area waiting: 503, never 'signed out'. */
const answerWithinMs = 3_000;

/** How long a second factor counts for what asks for it again (`Route.asksAgain`). */
const confirmedMs = 10 * 60_000;
export const confirmedUntil = (confirmedAt: Date): Date => new Date(confirmedAt.getTime() + confirmedMs);

/** Rulings R2: 401 without a session, 403 for a signed-in user who is no admin, and for an admin without the right to it. */
export const authorizeWith =
  (deps: LoginDeps): Authorize =>
  async (sessionToken, { access, asksAgain = false }) => {
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
    if (asksAgain && hasSecondFactor && !isConfirmed) {
      return refusal(403, 'second-factor-required', 'This needs your second factor again: confirm that it is you.');
    }
    return { ok: true, user };
  };

function lackOf(rights: Rights | null, access: Exclude<Needs['access'], 'public'>) {
  if (access === 'signed-in' || reaches(rights, access)) return null;
  if (rights === null || access === 'dashboard') {
    return refusal(403, 'not-an-admin', 'This account has no admin access. Sign in with one that has.');
  }
  return refusal(403, 'right-missing', `This needs the right '${access}'. Ask an admin to give it to your account.`);
}

const refusal = (status: 401 | 403, code: string, message: string) => ({ ok: false, status, code, message }) as const;
