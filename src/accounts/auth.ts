import type { Kysely } from 'kysely';

import { answeredWithin } from '../db/outage.ts';
import type { Database } from '../db/schema.ts';
import type { Authorize, Needs } from '../http/route.ts';
import { Invalid } from '../shared/failure.ts';
import { createAttemptStore, createUserStore } from './account-store.ts';
import { ensureAdmin } from './accounts.ts';
import { accountsRoutes, ownAccountRoutes } from './accounts-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { type AccessProblem, accessProblem, extendedLife, isExpired } from './core/session-rules.ts';
import { factorRoutes } from './factor-routes.ts';
import { createChallengeStore, createFactorStore } from './factors/factor-store.ts';
import { createPasskeys, type Site } from './factors/passkeys.ts';
import { createSeal } from './factors/codes.ts';
import type { LoginDeps } from './login-deps.ts';
import { createPasswords, type HashLimits } from './passwords.ts';
import { notSignedInMessage } from './refusals.ts';
import { createSessionStore } from './session-store.ts';
import { createTokens } from './tokens.ts';

export interface AuthDeps {
  readonly db: Kysely<Database>;
  readonly audit: LoginDeps['audit'];
  readonly clock: LoginDeps['clock'];
  readonly settings: Site & {
    /** SESSION_SECRET. Changing it ends every session and makes the codes of authenticator apps invalid. */
    readonly sessionSecret: string;
    /** ADMIN_USERNAME and ADMIN_PASSWORD. */
    readonly admin: { readonly username: string; readonly password: string } | null;
    readonly hashLimits?: HashLimits;
  };
}

/** Says which variable to change when the start fails. */
function nameTheVariable(error: unknown): never {
  if (!(error instanceof Invalid)) throw error;
  const variable = error.reason === 'bad-password' ? 'ADMIN_PASSWORD' : 'ADMIN_USERNAME';
  throw new Invalid(error.reason, `${variable}: ${error.message}`);
}

/** Accounts, sessions and who may call what (specification 2 to 8, rulings R2). */
export function createAuth({ db, audit, clock, settings }: AuthDeps) {
  const deps: LoginDeps = {
    db,
    users: createUserStore(db),
    sessions: createSessionStore(db),
    attempts: createAttemptStore(db),
    passwords: createPasswords(settings.hashLimits),
    tokens: createTokens(settings.sessionSecret),
    factors: createFactorStore(db),
    challenges: createChallengeStore(db),
    passkeys: createPasskeys(settings),
    seal: createSeal(settings.sessionSecret),
    productName: settings.productName,
    audit,
    clock,
  };
  return {
    routes: [authRoutes, factorRoutes, ownAccountRoutes, accountsRoutes].flatMap((routesOf) => routesOf(deps)),
    authorize: authorizeWith(deps),
    /** Creates or updates the admin from the environment. Throws Invalid for a name or password that is not allowed. */
    start: async (): Promise<void> => {
      // Before the first sign-in, so that the first wrong name takes no longer than any other.
      await deps.passwords.matches('', null, 'stranger');
      if (settings.admin !== null) await ensureAdmin(deps, settings.admin).catch(nameTheVariable);
    },
  };
}
export type Auth = ReturnType<typeof createAuth>;

type SessionDeps = Pick<LoginDeps, 'sessions' | 'tokens' | 'clock'>;

/** A database that does not answer within this time gives a 503, never 'signed out'. */
const answerWithinMs = 3_000;

/** Who calls, and whether this session may make the call. */
const authorizeWith =
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
