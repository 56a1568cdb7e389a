import { z } from 'zod';
import { transact } from '../db/transaction.ts';
import { adminOf, versionOf, defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../http/route.ts';
import { failureBody } from '../http/failure-answer.ts';
import { Refused } from '../shared/failure.ts';
import { allRights } from '../shared/rights.ts';
import type { Account } from './account-store.ts';
import { changeRights } from './accounts.ts';
import {
  account,
  accountsAnswer,
  endedAnswer,
  type ListedAccount,
  ownAccountAnswer,
  staleAccount,
} from './contract.ts';
import { removeFactor, shownFactor } from './factors/change-factors.ts';
import { type LoginDeps, record } from './login-deps.ts';
import { noSuchFactor } from './refusals.ts';
import { accountOf, endOthers } from './sessions.ts';

const id = z.string().regex(/^\d{1,18}$/);
const accountParams = z.strictObject({ accountId: id });

/** All accounts, for full admins (docs/decisions/0039). */
export const accountsRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/admin/accounts',
    access: 'admin',
    summary: 'Every account: its rights, second factors and last sign-in',
    answer: accountsAnswer,
    handle: async ({ user }) => ({ data: await listed(deps, await deps.users.list(), user) }),
  }),
  rightsRoute(deps),
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/accounts/{accountId}/sessions',
    access: 'admin',
    needsSecondFactorAgain: true,
    summary: 'End all sessions of an account',
    params: accountParams,
    answer: account,
    handle: async (request) => {
      const id = request.params.accountId;
      await transact(deps.db, async (trx) => {
        const account = await deps.users.findLocked(trx, { id });
        const sessions = account === undefined ? 0 : await deps.sessions.removeAllOf(trx, id);
        if (account === undefined || sessions === 0) return;
        const actor = adminOf(request.user);
        await record(deps, trx, { account, actor, action: 'sessions-ended', before: { sessions } });
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
    needsSecondFactorAgain: true,
    summary: 'Give an account other rights, or none; 403 for the last admin',
    params: accountParams,
    isVersioned: true,
    bodyBytes: 1_024,
    body: z.strictObject({ rights: z.enum(allRights).nullable() }),
    answer: account,
    failures: { 409: z.union([staleAccount, failureBody]) },
    handle: async ({ body: { rights }, ...request }) => {
      const actor = adminOf(request.user);
      const version = versionOf(request.ifMatch);
      const id = request.params.accountId;
      const isSaved = await transact(deps.db, async (trx) => {
        // Counted first: all callers lock in this order.
        const adminCount = await deps.users.countAdmins(trx);
        const account = await deps.users.findLocked(trx, { id });
        if (account === undefined) throw gone();
        if (version !== null && version !== account.updatedAt.getTime()) return false;
        await changeRights(deps, trx, actor, { account, rights, adminCount });
        return true;
      });
      const data = await oneListed(deps, id, request);
      if (isSaved) return { data };
      // Another admin has saved meanwhile: the answer carries their version (rulings R6).
      const message = 'Someone else changed this account in the meantime. Check it as it is now, then save again.';
      return { status: 409, body: { message, code: 'stale', current: data } };
    },
  });

const removeFactorRoute = (deps: LoginDeps): Route =>
  defineRoute({
    method: 'DELETE',
    path: '/api/admin/accounts/{accountId}/factors/{factorId}',
    access: 'admin',
    needsSecondFactorAgain: true,
    summary: 'Remove a second factor that someone has lost; without any, their password is enough',
    params: z.strictObject({ accountId: id, factorId: id }),
    answer: account,
    handle: async (request) => {
      const { accountId: id, factorId } = request.params;
      if (id === request.user?.id)
        throw new Refused('own-factor', 'This second factor is your own. Remove it under ‘Second factor’.', {
          status: 409,
        });
      await transact(deps.db, async (trx) => {
        const account = await deps.users.findLocked(trx, { id });
        const factors = await deps.factors.ofUser(id, trx);
        const factor = factors.find((each) => each.id === factorId);
        if (account === undefined || factor === undefined) throw noSuchFactor();
        await removeFactor(deps, trx, { account, actor: adminOf(request.user), factor, isLast: factors.length === 1 });
      });
      return answerOf(deps, id, request);
    },
  });

type ByUser = Pick<RouteRequest, 'user'>;

async function listed(deps: LoginDeps, accounts: readonly Account[], user: RouteRequest['user']) {
  const factors = await deps.factors.ofAll();
  return accounts.map(({ id, username, rights, updatedAt, lastSignedInAt }): ListedAccount => ({
    id,
    username,
    rights,
    changedAt: updatedAt.toISOString(),
    lastSignedInAt: lastSignedInAt?.toISOString() ?? null,
    factors: (factors.get(id) ?? []).map((factor) => shownFactor(deps, factor)),
    isYou: id === user?.id,
  }));
}

const gone = (): Refused => new Refused('not-found', 'This account no longer exists. Refresh the page.');

async function oneListed(deps: LoginDeps, id: string, { user }: ByUser): Promise<ListedAccount | undefined> {
  const account = await deps.users.byId(id);
  if (account === undefined) throw gone();
  return (await listed(deps, [account], user))[0];
}

const answerOf = async (deps: LoginDeps, id: string, request: ByUser): Promise<RouteAnswer> => ({
  data: await oneListed(deps, id, request),
});

/** The caller's own account and sessions, for everyone in the admin area (docs/decisions/0039). */
export const ownAccountRoutes = (deps: LoginDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/auth/account',
    access: 'dashboard',
    summary: 'Your own second factors and sessions',
    answer: ownAccountAnswer,
    handle: async (request) => ({ data: await ownAccount(deps, request) }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'dashboard',
    summary: 'End all your own sessions except this one',
    answer: endedAnswer,
    handle: async (request) => {
      const account = await accountOf(deps, request);
      const hash = ownHash(deps, request);
      const ended = await transact(deps.db, (trx) => endOthers(deps, trx, account, hash));
      return { data: { ended } };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/auth/sessions/{sessionId}',
    access: 'dashboard',
    summary: 'End one of your own sessions',
    params: z.strictObject({ sessionId: id }),
    answer: endedAnswer,
    handle: async (request) => {
      const account = await accountOf(deps, request);
      await transact(deps.db, async (trx) => {
        const session = await deps.sessions.removeOne(trx, account.id, request.params.sessionId);
        if (session === undefined) throw new Refused('not-found', 'This session has already ended. Refresh the page.');
        const before = { browser: session.browser, begunAt: session.createdAt.toISOString() };
        await record(deps, trx, { account, action: 'session-ended', before });
      });
      return { data: { ended: 1 } };
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
    factors: factors.map((factor) => shownFactor(deps, factor)),
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
