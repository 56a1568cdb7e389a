import { transact } from '../db/transaction.ts';
import { failure } from '../http/admin-call.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../http/route.ts';
import { Refused } from '../shared/failure.ts';
import type { Account } from './account-store.ts';
import { confirmedUntil } from './authorize.ts';
import { useProof } from './begin-session.ts';
import { askForFactor } from './factors/ask-for-factor.ts';
import { confirmedAnswer, type Proof, proof, proofSize, questionAnswer } from './factors-contract.ts';
import { answerQuestion } from './login.ts';
import type { LoginDeps } from './login-deps.ts';
import { waitAnswer, wrongProofAnswer } from './refusals.ts';

/** Whose session it is. The guard has let nobody else in: throws Refused where it ended since. */
export async function accountOf({ users }: LoginDeps, { user }: Pick<RouteRequest, 'user'>): Promise<Account> {
  const account = user === null ? undefined : await users.byId(user.id);
  if (account === undefined) throw new Refused('not-signed-in', 'Sign in first: this call needs an account.');
  return account;
}

/** What a question to this session is kept under. */
export function hashOf({ tokens }: LoginDeps, kind: 'confirm' | 'add', { client }: Pick<RouteRequest, 'client'>) {
  const hash = tokens.challengeHash(kind, client.sessionToken);
  if (hash === null) throw new Refused('not-signed-in', 'Sign in first: this call needs an account.');
  return hash;
}

/** Asked again, for what a session alone is not enough (`Route.asksAgain`). */
export const confirmRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/auth/confirm/begin',
    access: 'signed-in',
    summary: 'How this session can be confirmed; 409 for an account without a second factor',
    answer: questionAnswer,
    handle: async (request) => {
      const account = await accountOf(deps, request);
      const factors = await deps.factors.ofUser(account.id);
      if (factors.length === 0) return failure(409, 'no-second-factor', 'This account has no second factor.');
      const question = await askForFactor(deps, account, factors, hashOf(deps, 'confirm', request), deps.db);
      return { status: 200, body: { data: question } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/confirm',
    access: 'signed-in',
    summary: 'Confirm this session with a second factor, for ten minutes; 403 for a wrong answer',
    bodyBytes: proofSize,
    body: proof,
    answer: confirmedAnswer,
    handle: (request) => confirm(deps, request),
  }),
];

async function confirm(
  deps: LoginDeps,
  request: Pick<RouteRequest<undefined, undefined, Proof>, 'user' | 'client' | 'body'>,
): Promise<RouteAnswer> {
  const { db, sessions, challenges, tokens, clock, attempts } = deps;
  const [account, hash] = [await accountOf(deps, request), hashOf(deps, 'confirm', request)];
  const { body, client } = request;
  const answer = await answerQuestion(deps, { account, hash, proof: body, caller: client });
  if (answer.kind === 'wait') return waitAnswer(answer);
  if (answer.kind === 'over') {
    return failure(409, 'question-over', 'This took too long or too many tries. Start again.');
  }
  const session = tokens.sessionHash(client.sessionToken);
  if (answer.kind !== 'proven' || session === null) return wrongProofAnswer(403);
  const at = clock.now();
  const isConfirmed = await transact(db, async (trx) => {
    if (!(await useProof(deps, account, answer.proven, trx))) return false;
    await sessions.noteConfirmed(trx, session, at);
    await challenges.end(trx, hash);
    return true;
  });
  if (!isConfirmed) return wrongProofAnswer(403);
  await attempts.forgive(answer.counters);
  return { status: 200, body: { data: { confirmedUntil: confirmedUntil(at).toISOString() } } };
}
