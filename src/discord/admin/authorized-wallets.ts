import { type Kysely, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { type Admin, adminOf, failure, defineRoute, type Route } from '../../http/route.ts';
import { retainedSince } from '../../retention/retention.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import { authorizedWallet, type AuthorizedWalletsAnswer, authorizedWalletsAnswer } from '../members-contract.ts';
import { guildParams, authorizedWalletParams, authorizeWalletBody } from '../requests.ts';
import { isAuthorizationActive, markDue } from '../roles/member-store.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import type { CheckCause } from '../roles/rules/findings.ts';
import { guildSubject } from '../servers/guild-config-store.ts';
import { knownGuildName } from '../servers/guild-store.ts';
import { checkedWallet, ok } from './http-members.ts';

type AuthorizingDeps = Pick<RolesDeps, 'db' | 'audit' | 'clock'>;

const reasonMax = 200;
const shownMax = 500;

/** Wallets that count as holding in a server (rulings R5), with reason, author and expiry. */
export const walletRoutes = (deps: AuthorizingDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/wallets',
    access: 'operator',
    summary: 'Authorized wallets of a server, including those removed or expired in the last 30 days',
    params: guildParams,
    answer: authorizedWalletsAnswer,
    handle: async ({ params: { guildId } }) => {
      await knownGuildName(deps.db, guildId);
      const endedAt = sql`coalesce(a.removed_at, a.expires_at, 'infinity')`;
      const kept = walletsIn(deps.db, guildId).where(endedAt, '>', retainedSince('discord_authorized_wallets'));
      const rows = await kept.orderBy('a.id', 'desc').limit(shownMax).execute();
      return ok(rows.map(toWallet));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/wallets',
    access: 'operator',
    summary: 'Authorize a wallet: it counts as holding until the authorization expires or is removed',
    params: guildParams,
    bodyBytes: 4 * 1_024,
    body: authorizeWalletBody,
    answer: authorizedWallet,
    handle: async ({ params: { guildId }, body: wanted, user }) => {
      const reason = cleanText(wanted.reason, reasonMax);
      if (reason === '') throw new Invalid('reason-required', 'The reason has no visible letter. Type a reason.');
      const added = await authorize(deps, { ...wanted, guildId, reason }, adminOf(user));
      if (added !== null) return ok(added);
      const sentence = 'This wallet is authorized already. Remove it first to change its reason or expiry.';
      return failure(409, 'already-authorized', sentence);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/discord/guilds/{guildId}/wallets/{walletId}',
    access: 'operator',
    summary: 'Remove an authorization; the role ends only after two checks that find nothing',
    params: authorizedWalletParams,
    answer: authorizedWallet,
    handle: async ({ params: { guildId, walletId }, user }) =>
      ok(await endAuthorization(deps, guildId, walletId, adminOf(user))),
  }),
];

const walletsIn = (db: Kysely<Database>, guildId: string) =>
  db
    .selectFrom('discordAuthorizedWallets as a')
    .leftJoin('discordWallets as w', (join) =>
      join.onRef('w.guildId', '=', 'a.guildId').onRef('w.wallet', '=', 'a.wallet'),
    )
    .leftJoin('discordMembers as m', (join) =>
      join.onRef('m.guildId', '=', 'w.guildId').onRef('m.userId', '=', 'w.userId'),
    )
    .select(['a.id', 'a.wallet', 'a.reason', 'a.expiresAt', 'a.addedBy', 'a.addedAt', 'a.removedBy', 'a.removedAt'])
    .select([isAuthorizationActive.as('isActive'), 'm.userId', 'm.displayName'])
    .where('a.guildId', '=', guildId);

type Row = Awaited<ReturnType<ReturnType<typeof walletsIn>['executeTakeFirstOrThrow']>>;

const toWallet = ({ userId, displayName, ...row }: Row): AuthorizedWalletsAnswer[number] => ({
  ...row,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  addedAt: row.addedAt.toISOString(),
  removedAt: row.removedAt?.toISOString() ?? null,
  member: userId === null ? null : { userId, displayName: displayName ?? '' },
});

async function readAuthorized(trx: Trx, guildId: string, id: string) {
  const row = await walletsIn(trx, guildId).where('a.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new Refused('not-found', 'There is no such authorized wallet. Refresh the list.');
  return toWallet(row);
}

interface Given {
  readonly guildId: string;
  readonly wallet: string;
  readonly reason: string;
  readonly expiresAt: string | null;
}

/** null: it is authorized already. Throws Invalid (`invalid-wallet`, `expiry-in-the-past`) and Refused (`not-found`). */
async function authorize({ db, audit, clock }: AuthorizingDeps, given: Given, actor: Admin) {
  const { guildId, reason } = given;
  const wallet = checkedWallet(given.wallet);
  const expiresAt = given.expiresAt === null ? null : new Date(given.expiresAt);
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw new Invalid('expiry-in-the-past', 'The expiry must be in the future. Leave it out for no expiry.');
  }
  return transact(db, async (trx) => {
    const guildName = await knownGuildName(trx, guildId);
    // Each wallet may be listed only once: an expired entry is closed first.
    await trx
      .updateTable('discordAuthorizedWallets')
      .set((eb) => ({ removedAt: eb.ref('expiresAt') }))
      .where((eb) => eb.and({ guildId, wallet }))
      .where('removedAt', 'is', null)
      .where('expiresAt', '<=', databaseNow)
      .execute();
    const inserted = await trx
      .insertInto('discordAuthorizedWallets')
      .values({ guildId, wallet, reason, expiresAt, addedBy: actor.name })
      .onConflict((conflict) => conflict.columns(['guildId', 'wallet']).where('removedAt', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) return null;
    await markLinkers(trx, guildId, wallet, 'authorized');
    const after = { wallet, reason, expiresAt: expiresAt?.toISOString() ?? null };
    const entry = { actor, action: 'discord-wallet-authorized', subject: guildSubject(guildId, guildName) };
    await audit.record({ ...entry, before: null, after }, trx);
    return readAuthorized(trx, guildId, inserted.id);
  });
}

/** Throws Refused (`not-found`). Ending one that has already ended is harmless. */
const endAuthorization = ({ db, audit }: AuthorizingDeps, guildId: string, id: string, actor: Admin) =>
  transact(db, async (trx) => {
    const guildName = await knownGuildName(trx, guildId);
    const found = await readAuthorized(trx, guildId, id);
    const { numUpdatedRows } = await trx
      .updateTable('discordAuthorizedWallets as a')
      .set({ removedAt: databaseNow, removedBy: actor.name })
      .where('a.id', '=', id)
      .where(isAuthorizationActive)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return found;
    const { wallet, reason, expiresAt } = found;
    await markLinkers(trx, guildId, wallet, 'authorization-ended');
    const entry = { actor, action: 'discord-wallet-authorization-removed', subject: guildSubject(guildId, guildName) };
    await audit.record({ ...entry, before: { wallet, reason, expiresAt }, after: null }, trx);
    return readAuthorized(trx, guildId, id);
  });

/** An authorization that expires is noticed by the next sweep. */
async function markLinkers(trx: Trx, guildId: string, wallet: string, cause: CheckCause) {
  const linked = trx.selectFrom('discordWallets').select('userId');
  const members = await linked.where((eb) => eb.and({ guildId, wallet })).execute();
  await markDue(
    trx,
    members.map(({ userId }) => ({ guildId, userId, cause })),
  );
}
