import { transact } from '../db/transaction.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import type { User } from './account-store.ts';
import { refuseThrottledAddress } from './admit-login.ts';
import { challenge, confirmedAnswer, loginAnswer, noUserAnswer, signedOutAnswer, userAnswer } from './contract.ts';
import { logIn, takeSecondStep } from './login.ts';
import { type LoginDeps, record, type SignedIn } from './login-deps.ts';
import { wrongProof } from './refusals.ts';
import { accountOf } from './sessions.ts';
import { credentials } from './core/credentials.ts';
import { confirmedUntil } from './core/session-rules.ts';
import {
  answerChallenge,
  challengeForFactor,
  type Proof,
  proofBody,
  proofSize,
  sessionChallengeHash,
  useProof,
} from './factors/challenge.ts';

/** Ends this session, also for any copy of its token. Does nothing without a session. */
async function logOut(deps: LoginDeps, sessionToken: string | null): Promise<void> {
  const hash = deps.tokens.sessionHash(sessionToken);
  if (hash === null) return;
  await transact(deps.db, async (trx) => {
    const account = await deps.sessions.remove(trx, hash);
    if (account !== undefined) await record(deps, trx, { account, action: 'logged-out' });
  });
}

/** Room for 264 escaped characters and the two field names. */
const loginBytes = 2 * 1_024;

/** Rulings R2: these answer `{"user": …}`. */
const ofUser = { access: 'public', isWholeBody: true } as const;

/** The three auth calls of specification 7, and the second step of a login. */
export function authRoutes(deps: LoginDeps): readonly Route[] {
  const checkFirst: Route['checkFirst'] = ({ client }) => refuseThrottledAddress(deps, client);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/auth/check',
      ...ofUser,
      readsSession: true,
      summary: 'Who is signed in; 401 without a session',
      answer: userAnswer,
      failures: { 401: noUserAnswer },
      handle: ({ user }) =>
        user === null
          ? { status: 401, body: { user: null, message: 'You are not signed in.' } }
          : { status: 200, body: userBody(user) },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/login',
      ...ofUser,
      summary:
        'Sign in: begins a session, kept in a cookie, or asks for the second factor (POST /api/auth/second-factor); 401 for a wrong name or password, 429 after too many attempts',
      bodyBytes: loginBytes,
      checkFirst,
      body: credentials,
      answer: loginAnswer,
      handle: async ({ body, client }) => {
        const result = await logIn(deps, body, client);
        if (result.kind === 'signed-in') return signedInAnswer(result);
        return { status: 200, body: { user: null, secondFactor: result.challenge }, challenge: result.token };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/second-factor',
      ...ofUser,
      summary: 'The second step of a login; 401 for a wrong answer, or when there was no first step within 5 minutes',
      bodyBytes: proofSize,
      checkFirst,
      body: proofBody,
      answer: userAnswer,
      handle: async ({ body, client }) => ({
        ...signedInAnswer(await takeSecondStep(deps, body, client)),
        challenge: 'clear',
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout',
      ...ofUser,
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

/** Specification 3; `rights` only if there are any. */
const userBody = ({ username, rights }: User) => ({
  user: { username, isAdmin: rights !== null, ...(rights !== null && { rights }) },
});

const signedInAnswer = ({ user, session, device }: SignedIn) => ({
  status: 200,
  body: userBody(user),
  session,
  device,
});

/** Asks for the second factor again, where a session alone is not enough (`Route.needsSecondFactorAgain`). */
const confirmRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/auth/confirm/begin',
    access: 'dashboard',
    summary: 'How this session can be confirmed; 409 for an account without a second factor',
    answer: challenge,
    handle: async (request) => {
      const account = await accountOf(deps, request);
      const factors = await deps.factors.ofUser(account.id);
      if (factors.length === 0)
        throw new Refused('no-second-factor', 'This account has no second factor.', { status: 409 });
      const challengeHash = sessionChallengeHash(deps, 'confirm', request.client);
      const challenge = await challengeForFactor(deps, account, factors, challengeHash, deps.db);
      return { data: challenge };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/confirm',
    access: 'dashboard',
    summary: 'Confirm this session with a second factor, for ten minutes; 403 for a wrong answer',
    bodyBytes: proofSize,
    body: proofBody,
    answer: confirmedAnswer,
    handle: (request) => confirm(deps, request),
  }),
];

async function confirm(
  deps: LoginDeps,
  request: Pick<RouteRequest<undefined, undefined, Proof>, 'user' | 'client' | 'body'>,
): Promise<RouteAnswer> {
  const { body, client } = request;
  const account = await accountOf(deps, request);
  const challengeHash = sessionChallengeHash(deps, 'confirm', client);
  const answer = { purpose: 'confirm', account, challengeHash, proof: body, caller: client } as const;
  const { proven, counters } = await answerChallenge(deps, answer);
  const session = deps.tokens.sessionHash(client.sessionToken);
  const at = deps.clock.now();
  await transact(deps.db, async (trx) => {
    if (session === null || !(await useProof(deps, trx, account, proven))) throw wrongProof('confirm');
    await deps.sessions.noteConfirmed(trx, session, at);
    await deps.challenges.end(trx, challengeHash);
  });
  await deps.attempts.forgive(counters);
  return { data: { confirmedUntil: confirmedUntil(at).toISOString() } };
}
