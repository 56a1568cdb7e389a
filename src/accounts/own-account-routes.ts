import { transact } from '../db/transaction.ts';
import { failure } from '../http/admin-call.ts';
import { defineRoute, type Route, type RouteRequest } from '../http/route.ts';
import { endedAnswer, ownAccountAnswer, sessionParams } from './accounts-contract.ts';
import { accountOf } from './confirm-routes.ts';
import { shownFactor } from './factors/add-factor.ts';
import { actorOf, type LoginDeps, subjectOf } from './login-deps.ts';

/** What everybody in the admin area sees of their own account, and their sessions (docs/decisions/0039). */
export const ownAccountRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/auth/account',
    access: 'dashboard',
    summary: 'One’s own second factors and sessions',
    answer: ownAccountAnswer,
    handle: async (request) => ({ status: 200, body: { data: await ownAccount(deps, request) } }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'dashboard',
    summary: 'End all of one’s own sessions except this one',
    answer: endedAnswer,
    handle: async (request) => {
      const [account, hash] = [await accountOf(deps, request), ownHash(deps, request)];
      const ended = await transact(deps.db, async (trx) => {
        const count = await deps.sessions.removeOthers(trx, account.id, hash);
        const entry = {
          action: 'sessions-ended',
          subject: subjectOf(account),
          before: { sessions: count },
          after: null,
        };
        if (count > 0) await deps.audit.record({ actor: actorOf(account), ...entry }, trx);
        return count;
      });
      return { status: 200, body: { data: { ended } } };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/auth/sessions/{sessionId}',
    access: 'dashboard',
    summary: 'End one of one’s own sessions',
    params: sessionParams,
    answer: endedAnswer,
    handle: async (request) => {
      const account = await accountOf(deps, request);
      const ended = await transact(deps.db, async (trx) => {
        const session = await deps.sessions.removeOne(trx, account.id, request.params.sessionId);
        if (session === undefined) return false;
        const before = { browser: session.browser, begunAt: session.createdAt.toISOString() };
        const entry = { action: 'session-ended', subject: subjectOf(account), before, after: null };
        await deps.audit.record({ actor: actorOf(account), ...entry }, trx);
        return true;
      });
      if (ended) return { status: 200, body: { data: { ended: 1 } } };
      return failure(404, 'not-found', 'This session has already ended. Refresh the page.');
    },
  }),
];

const ownHash = ({ tokens }: LoginDeps, { client }: Pick<RouteRequest, 'client'>): Uint8Array =>
  tokens.sessionHash(client.sessionToken) ?? new Uint8Array();

async function ownAccount(deps: LoginDeps, request: Pick<RouteRequest, 'user' | 'client'>) {
  const account = await accountOf(deps, request);
  const own = ownHash(deps, request);
  const [factors, recoveryCodesLeft, sessions] = await Promise.all([
    deps.factors.ofUser(account.id),
    deps.factors.countRecoveryCodes(account.id),
    deps.sessions.ofUser(account.id, deps.clock.now()),
  ]);
  return {
    username: account.username,
    rights: account.rights,
    passkeysAreOffered: deps.passkeys.areOffered,
    factors: factors.map(shownFactor),
    recoveryCodesLeft,
    sessions: sessions
      .map(({ id, tokenHash, browser, createdAt, lastSeenAt }) => ({
        id,
        browser,
        begunAt: createdAt.toISOString(),
        lastUsedAt: lastSeenAt.toISOString(),
        isThisOne: Buffer.compare(tokenHash, own) === 0,
      }))
      .toSorted((one, other) => Number(other.isThisOne) - Number(one.isThisOne)),
  };
}
