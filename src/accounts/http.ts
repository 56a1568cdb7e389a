import { defineRoute, type Route, type RouteAnswer } from '../http/route.ts';
import { credentials, noUserAnswer, signedOutAnswer, userAnswer } from './contract.ts';
import type { User } from './account-store.ts';
import { addressMustWait } from './admit-login.ts';
import { logIn, type LoginDeps, type LoginResult } from './login.ts';
import { logOut } from './sessions.ts';

/** 264 characters, each of them escaped, and the names of the two fields. */
const loginBytes = 2 * 1_024;

/** The three auth calls of specification 7. */
export function authRoutes(deps: LoginDeps): readonly Route[] {
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
