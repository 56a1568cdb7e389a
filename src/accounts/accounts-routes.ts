import { z } from 'zod';

import { transact } from '../db/transaction.ts';
import { adminOf, failure, versionOf } from '../http/admin-call.ts';
import { failureBody } from '../http/failure-answer.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../http/route.ts';
import type { Account } from './account-store.ts';
import { changeRights } from './accounts.ts';
import {
  accountAnswer,
  accountFactorParams,
  accountParams,
  accountsAnswer,
  type ListedAccount,
  rightsBody,
  staleAccount,
} from './accounts-contract.ts';
import { shownFactor } from './factors/add-factor.ts';
import { type LoginDeps, subjectOf } from './login-deps.ts';

/** All accounts, for full admins (docs/decisions/0039). */
export const accountsRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/admin/accounts',
    access: 'admin',
    summary: 'Every account: its rights, second factors, sessions and last sign-in',
    answer: accountsAnswer,
    handle: async ({ user }) => ({ status: 200, body: { data: await listed(deps, await deps.users.list(), user) } }),
  }),
  rightsRoute(deps),
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/accounts/{accountId}/sessions',
    access: 'admin',
    asksAgain: true,
    summary: 'End all sessions of an account',
    params: accountParams,
    answer: accountAnswer,
    handle: async (request) => {
      const id = request.params.accountId;
      await transact(deps.db, async (trx) => {
        const account = await deps.users.findLocked(trx, { id });
        const count = account === undefined ? 0 : await deps.sessions.removeAllOf(trx, id);
        if (account === undefined || count === 0) return;
        const entry = {
          action: 'sessions-ended',
          subject: subjectOf(account),
          before: { sessions: count },
          after: null,
        };
        await deps.audit.record({ actor: adminOf(request.user), ...entry }, trx);
      });
      return answerOf(deps, id, request);
    },
  }),
  removeFactorRoute(deps),
];

const rightsRoute = (deps: LoginDeps): Route =>
  defineRoute({
    method: 'PUT',
    path: '/api/admin/accounts/{accountId}/rights',
    access: 'admin',
    asksAgain: true,
    summary:
      'Give an account other rights, or none; with If-Match, only if that is the current version; 403 for the last admin',
    params: accountParams,
    bodyBytes: 1_024,
    body: rightsBody,
    answer: accountAnswer,
    failures: { 409: z.union([staleAccount, failureBody]) },
    handle: async ({ body: { rights }, ...request }) => {
      const [by, version] = [adminOf(request.user), versionOf(request.ifMatch)];
      const id = request.params.accountId;
      const outcome = await transact(deps.db, async (trx) => {
        // Counted first: all callers lock in this order.
        const adminCount = await deps.users.countAdmins(trx);
        const account = await deps.users.findLocked(trx, { id });
        if (account === undefined) return 'gone';
        if (version !== null && version !== account.updatedAt.getTime()) return 'stale';
        await changeRights(deps, by, { account, rights, adminCount }, trx);
        return 'saved';
      });
      return outcome === 'saved' ? answerOf(deps, id, request) : staleOrGone(deps, outcome, id, request);
    },
  });

const removeFactorRoute = (deps: LoginDeps): Route =>
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/accounts/{accountId}/factors/{factorId}',
    access: 'admin',
    asksAgain: true,
    summary: 'Remove a second factor that someone has lost; without any, their password is enough',
    params: accountFactorParams,
    answer: accountAnswer,
    handle: async (request) => {
      const { accountId: id, factorId } = request.params;
      const isRemoved = await transact(deps.db, async (trx) => {
        const account = await deps.users.findLocked(trx, { id });
        const factors = await deps.factors.ofUser(id, trx);
        const factor = factors.find((each) => each.id === factorId);
        if (account === undefined || factor === undefined) return false;
        await deps.factors.remove(trx, factorId);
        if (factors.length === 1) await deps.factors.setRecoveryCodes(trx, id, []);
        const before = { kind: factor.kind, name: factor.name };
        const entry = { action: 'second-factor-removed', subject: subjectOf(account), before, after: null };
        await deps.audit.record({ actor: adminOf(request.user), ...entry }, trx);
        return true;
      });
      if (isRemoved) return answerOf(deps, id, request);
      return failure(404, 'not-found', 'This second factor no longer exists. Refresh the page.');
    },
  });

type ByUser = Pick<RouteRequest, 'user'>;

async function listed(deps: LoginDeps, accounts: readonly Account[], user: RouteRequest['user']) {
  const [factors, sessions] = await Promise.all([deps.factors.ofAll(), deps.sessions.countAll(deps.clock.now())]);
  return accounts.map(({ id, username, rights, updatedAt, lastSignedInAt }): ListedAccount => ({
    id,
    username,
    rights,
    changedAt: updatedAt.toISOString(),
    lastSignedInAt: lastSignedInAt?.toISOString() ?? null,
    factors: (factors.get(id) ?? []).map((factor) => shownFactor(factor)),
    sessionCount: sessions.get(id) ?? 0,
    isYou: id === user?.id,
  }));
}

const gone = failure(404, 'not-found', 'This account no longer exists. Refresh the page.');

async function answerOf(deps: LoginDeps, id: string, { user }: ByUser): Promise<RouteAnswer> {
  const account = await deps.users.byId(id);
  if (account === undefined) return gone;
  const [data] = await listed(deps, [account], user);
  return { status: 200, body: { data } };
}

/** Both versions, where another admin has saved meanwhile (rulings R6). */
async function staleOrGone(
  deps: LoginDeps,
  outcome: 'stale' | 'gone',
  id: string,
  { user }: ByUser,
): Promise<RouteAnswer> {
  const account = outcome === 'gone' ? undefined : await deps.users.byId(id);
  if (account === undefined) return gone;
  const [current] = await listed(deps, [account], user);
  const message = 'Someone else changed this account in the meantime. Check it as it is now, then save again.';
  return { status: 409, body: { message, code: 'stale', current } };
}
