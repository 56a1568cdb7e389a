import { defineRoute, type Route, type RouteAnswer } from '../http/route.ts';
import { transact } from '../db/transaction.ts';
import type { User } from './account-store.ts';
import { addressMustWait } from './admit-login.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { credentials, loginAnswer, noUserAnswer, signedOutAnswer, userAnswer } from './contract.ts';
import { proof, proofSize } from './factors-contract.ts';
import { logIn, type LoginResult, type SecondStepResult, takeSecondStep } from './login.ts';
import { actorOf, type LoginDeps, subjectOf } from './login-deps.ts';
import { waitAnswer, wrongProofAnswer } from './refusals.ts';

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

/** The three auth calls of specification 7, and the second step of a login. */
export function authRoutes(deps: LoginDeps): readonly Route[] {
  const checkFirst: Route['checkFirst'] = async ({ client }) => {
    const wait = await addressMustWait(deps, client);
    return wait === null ? null : waitAnswer(wait);
  };
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
        'Sign in: begins a session, kept in a cookie, or asks for the second factor (POST /api/auth/second-factor); 401 for a wrong name or password, 429 after too many attempts',
      bodyBytes: loginBytes,
      checkFirst,
      body: credentials,
      answer: loginAnswer,
      handle: async ({ body, client }) => answerOf(await logIn(deps, body, client)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/second-factor',
      access: 'public',
      summary: 'The second step of a login; 401 for a wrong answer, or when there was no first step within 5 minutes',
      bodyBytes: proofSize,
      checkFirst,
      body: proof,
      answer: userAnswer,
      handle: async ({ body, client }) => stepAnswer(await takeSecondStep(deps, body, client)),
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
    ...confirmRoutes(deps),
  ];
}

/** Specification 3; `rights` only where there are any. */
const userBody = ({ username, rights }: User) => ({
  user: { username, isAdmin: rights !== null, ...(rights !== null && { rights }) },
});

function answerOf(result: LoginResult): RouteAnswer {
  if (result.kind === 'signed-in') {
    return { status: 200, body: userBody(result.user), session: result.session, device: result.device };
  }
  if (result.kind === 'second-step') {
    return { status: 200, body: { user: null, secondFactor: result.question }, challenge: result.challenge };
  }
  if (result.kind === 'wrong') {
    const message = 'The username or the password is wrong.';
    return { status: 401, body: { message, code: 'wrong-credentials' } };
  }
  return waitAnswer(result);
}

function stepAnswer(result: SecondStepResult): RouteAnswer {
  if (result.kind === 'signed-in') {
    const { session, device } = result;
    return { status: 200, body: userBody(result.user), session, device, challenge: 'clear' };
  }
  if (result.kind === 'wrong') return wrongProofAnswer(401);
  if (result.kind === 'wait') return waitAnswer(result);
  const message = 'The login took too long or too many tries. Start again with your password.';
  return { status: 401, body: { message, code: 'login-over' }, challenge: 'clear' };
}
