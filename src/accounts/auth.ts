import type { Kysely } from 'kysely';

import { answeredWithin } from '../db/outage.ts';
import type { Database } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import type { Purge } from '../retention/purge.ts';
import { type Authorize, defineRoute, type Route, type RouteAnswer } from '../http/route.ts';
import { Invalid } from '../shared/failure.ts';
import { createAccounts } from './accounts.ts';
import { accountPurges, createAttemptStore, createSessionStore, createUserStore, type User } from './account-store.ts';
import { addressMustWait } from './admit-login.ts';
import { credentials, noUserAnswer, signedOutAnswer, userAnswer } from './contract.ts';
import { isOver, seenAgain } from './core/session-life.ts';
import { actorOf, logIn, type LoginDeps, type LoginResult, subjectOf } from './login.ts';
import { createPasswords, type HashLimits } from './passwords.ts';
import { createTokens } from './tokens.ts';

export interface AuthDeps {
  readonly db: Kysely<Database>;
  readonly audit: LoginDeps['audit'];
  readonly clock: LoginDeps['clock'];
  readonly settings: {
    /** SESSION_SECRET: another one ends every session. */
    readonly sessionSecret: string;
    /** ADMIN_USERNAME and ADMIN_PASSWORD. */
    readonly admin: { readonly username: string; readonly password: string } | null;
    readonly hashLimits?: HashLimits;
  };
}

export interface Auth {
  readonly routes: readonly Route[];
  /** What it keeps for a time only (src/shared/retention.ts). */
  readonly purges: readonly Purge[];
  readonly authorize: Authorize;
  /** Creates or updates the admin of the environment. Throws Invalid for a name that cannot be. */
  start(): Promise<void>;
}

/** A start that fails says what to change. */
function nameTheVariable(error: unknown): never {
  if (!(error instanceof Invalid)) throw error;
  const variable = error.reason === 'bad-password' ? 'ADMIN_PASSWORD' : 'ADMIN_USERNAME';
  throw new Invalid(error.reason, `${variable}: ${error.message}`);
}

/** Accounts, sessions and who may call what (specification 2 to 8, rulings R2). */
export function createAuth({ db, audit, clock, settings }: AuthDeps): Auth {
  const deps = {
    db,
    users: createUserStore(db),
    sessions: createSessionStore(db),
    attempts: createAttemptStore(db),
    passwords: createPasswords(settings.hashLimits),
    tokens: createTokens(settings.sessionSecret),
    audit,
    clock,
  };
  return {
    routes: authRoutes(deps),
    purges: accountPurges(db),
    authorize: authorizeWith(deps),
    start: async () => {
      // Before the first sign-in, so that the first wrong name takes no longer than any other.
      await deps.passwords.matches('', null, 'stranger');
      const accounts = createAccounts(deps, { kind: 'system', name: 'start' });
      if (settings.admin !== null) await accounts.ensureAdmin(settings.admin).catch(nameTheVariable);
    },
  };
}

/** Who is signed in with this token; its session is extended. null: no one. */
async function userOf({ sessions, tokens, clock }: LoginDeps, token: string | null): Promise<User | null> {
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
const authorizeWith =
  (deps: LoginDeps): Authorize =>
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
async function logOut({ db, sessions, tokens, audit }: LoginDeps, sessionToken: string | null): Promise<void> {
  const hash = tokens.sessionHash(sessionToken);
  if (hash === null) return;
  await transact(db, async (trx) => {
    const user = await sessions.remove(trx, hash);
    if (user === undefined) return;
    const entry = { action: 'logged-out', subject: subjectOf(user), before: null, after: null };
    await audit.record({ actor: actorOf(user), ...entry }, trx);
  });
}

/** 264 characters, each of them escaped, and the names of the two fields. */
const loginBytes = 2 * 1_024;

/** The three auth calls of specification 7. */
function authRoutes(deps: LoginDeps): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/auth/check',
      access: 'public',
      readsSession: true,
      summary: 'Who is signed in; 401 without a session',
      answer: userAnswer,
      failures: { 401: noUserAnswer },
      handle: ({ user }) =>
        user === null
          ? { status: 401, body: { user: null, message: 'Nobody is signed in.' } }
          : { status: 200, body: userBody(user) },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/login',
      access: 'public',
      summary:
        'Sign in: begins a session, kept in a cookie; 401 for a wrong name or password, 429 after too many attempts',
      bodyBytes: loginBytes,
      checkFirst: async ({ client }) => {
        const wait = await addressMustWait(deps, client);
        return wait === null ? null : loginAnswer(wait);
      },
      body: credentials,
      answer: userAnswer,
      handle: async ({ body, client }) => loginAnswer(await logIn(deps, body, client)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout',
      access: 'public',
      summary: 'Sign out: ends the session; harmless without one',
      answer: signedOutAnswer,
      handle: async ({ client }) => {
        await logOut(deps, client.sessionToken);
        return { status: 200, body: { user: null }, session: 'clear' };
      },
    }),
  ];
}

const userBody = ({ username, isAdmin }: User) => ({ user: { username, isAdmin } });

function loginAnswer(result: LoginResult): RouteAnswer {
  if (result.kind === 'signed-in') {
    return { status: 200, body: userBody(result.user), session: result.session, device: result.device };
  }
  if (result.kind === 'wrong') {
    const message = 'The username or the password is wrong.';
    return { status: 401, body: { message, code: 'wrong-credentials' } };
  }
  const retryAfterSeconds = Math.ceil(result.retryAfterMs / 1_000);
  const message = `Too many attempts to log in. Try again in ${inWords(retryAfterSeconds)}.`;
  return { status: 429, body: { message, code: 'too-many-logins' }, retryAfterSeconds };
}

const inWords = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
};
