import { answeredWithin } from '../db/outage.ts';
import type { Authorize, Needs } from '../http/route.ts';
import { type AccessProblem, accessProblem, extendedLife, isExpired } from './core/session-rules.ts';
import type { LoginDeps } from './login-deps.ts';
import { notSignedInMessage } from './refusals.ts';

type SessionDeps = Pick<LoginDeps, 'sessions' | 'tokens' | 'clock'>;

/** A database that does not answer within this time gives a 503, never 'signed out'. */
const answerWithinMs = 3_000;

/** Who calls, and whether this session may make the call. */
export const authorizeWith =
  (deps: SessionDeps): Authorize =>
  async (sessionToken, { access, needsSecondFactorAgain = false }) => {
    const session = await answeredWithin(openSession(deps, sessionToken), answerWithinMs);
    const problem = accessProblem(session, { access, needsSecondFactorAgain }, deps.clock.now());
    if (problem !== null) return refusalOf(problem, access);
    return { ok: true, user: session && { ...session.user, isAdmin: session.user.rights !== null } };
  };

/** Finds and extends the session of this token. null: there is none. */
async function openSession({ sessions, tokens, clock }: SessionDeps, token: string | null) {
  const hash = tokens.sessionHash(token);
  if (hash === null) return null;
  const at = clock.now();
  const found = await sessions.find(hash);
  if (found === null || isExpired(found.life, at)) return null;
  const life = extendedLife(found.life, at);
  if (life !== null) await sessions.noteSeen(hash, life);
  return found;
}

/** Rulings R2: 401 without a session, otherwise 403. */
function refusalOf(problem: AccessProblem, access: Needs['access']) {
  const messages: Readonly<Record<AccessProblem, string>> = {
    'not-signed-in': notSignedInMessage,
    'not-an-admin': 'This account has no admin access. Sign in with one that has.',
    'right-missing': `This needs the right '${access}'. Ask an admin to change your account's right.`,
    'second-factor-required': 'This needs your second factor again: confirm that it is you.',
  };
  const status = problem === 'not-signed-in' ? 401 : 403;
  return { ok: false, status, code: problem, message: messages[problem] } as const;
}
