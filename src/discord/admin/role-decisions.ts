import { databaseNow } from '../../db/expressions.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { type Admin, adminOf, failure, defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { actionParams, doneAnswer, removalParams } from '../members-contract.ts';
import { noticeFor } from '../roles/decide-removals.ts';
import { enqueueNotices } from '../roles/direct-messages.ts';
import { guildNameOf } from '../roles/linking.ts';
import { resumeRoleChanges, wantRole } from '../roles/member-roles.ts';
import { holdCase, memberSubject } from '../roles/member-store.ts';
import {
  closeBatch,
  type HeldGuild,
  holdGuild,
  holdLeaving,
  type LeavingMember,
  moveMembers,
  readBatch,
} from '../roles/removal-store.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';

interface DecisionDeps extends Pick<RolesDeps, 'db' | 'audit' | 'collectionType'> {
  readonly wake: () => void;
}

/** Rulings R5 and R6: decisions on mass removals, and retries of failed role changes. */
export const decisionRoutes = (deps: DecisionDeps): readonly Route[] => [
  removalRoute(deps, 'approve', 'approved', 'Approve a mass removal that waits'),
  removalRoute(deps, 'refuse', 'refused', 'Refuse a mass removal: the role stays until the wallets hold again'),
  defineRoute({
    method: 'POST',
    path: '/api/discord/actions/{actionId}/retry',
    access: 'operator',
    summary: 'Try a failed role change again',
    params: actionParams,
    answer: doneAnswer,
    handle: ({ params, user }) => andWake(deps, (trx) => retryChange(trx, deps, params.actionId, adminOf(user))),
  }),
];

type Word = 'approved' | 'refused';

const removalRoute = (deps: DecisionDeps, verb: string, word: Word, summary: string): Route =>
  defineRoute({
    method: 'POST',
    path: `/api/discord/removals/{removalId}/${verb}`,
    access: 'operator',
    summary,
    params: removalParams,
    answer: doneAnswer,
    handle: ({ params, user }) =>
      andWake(deps, (trx) => decideRemoval(trx, deps, params.removalId, word, adminOf(user))),
  });

/** `work`: null when it is done, or why it was not, with nothing written. */
async function andWake(
  { db, wake }: DecisionDeps,
  work: (trx: Trx) => Promise<RouteAnswer | null>,
): Promise<RouteAnswer> {
  const refusal = await transact(db, work);
  if (refusal !== null) return refusal;
  wake();
  return { status: 200, body: { data: { ok: true } } };
}

/**
 * An admin's decision on a mass removal that was stopped. `approved`: it goes on after a fresh check of each member, with notice and
 * the server's grace; `refused`: the role stays until the wallets hold again.
 */
async function decideRemoval(
  trx: Trx,
  { audit, collectionType }: DecisionDeps,
  removalId: string,
  word: Word,
  actor: Admin,
): Promise<RouteAnswer | null> {
  const batch = await readBatch(trx, removalId);
  if (batch === null) return failure(404, 'not-found', 'There is no such removal. Refresh the page.');
  const guild = await holdGuild(trx, batch.guildId, true);
  if (guild === null) return failure(409, 'already-decided', 'The bot is not in this server any more.');
  const braked = (await holdLeaving(trx, batch.guildId)).filter(({ roleState }) => roleState === 'braked');
  if (!(await closeBatch(trx, removalId, word, actor.name))) {
    const sentence = 'This removal was decided meanwhile, has grown, or is not due any more. Refresh the page.';
    return failure(409, 'already-decided', sentence);
  }
  if (word === 'approved') await goOn(trx, guild, braked, collectionType);
  else
    await moveMembers(trx, guild.guildId, idsOf(braked), { roleState: 'kept', removalDueAt: null, checkDueAt: null });
  // The entry of the stop has its number of then; this is the number decided on.
  const countThen = batch.firstCount !== braked.length && { removalCount: batch.firstCount };
  await audit.record(
    {
      actor,
      action: `discord-removal-${word}`,
      subject: { kind: 'discord-guild', id: guild.guildId, label: guild.name },
      before: { removalId, state: 'waiting', ...countThen },
      after: { removalId, state: word, removalCount: braked.length },
    },
    trx,
  );
  return null;
}

const idsOf = (members: readonly LeavingMember[]): readonly string[] => members.map(({ userId }) => userId);

async function goOn(trx: Trx, guild: HeldGuild, braked: readonly LeavingMember[], collectionType: string) {
  const { guildId, roleId, graceMs, now } = guild;
  const unnotified = idsOf(braked.filter(({ removalDueAt }) => removalDueAt === null));
  const endsAt = new Date(now.getTime() + graceMs);
  await moveMembers(trx, guildId, unnotified, { roleState: 'grace', removalDueAt: endsAt });
  await enqueueNotices(trx, guildId, unnotified, noticeFor(guild, collectionType, graceMs === 0 ? null : endsAt));
  // Already notified: they had their grace before the brake, or have the rest of it.
  await moveMembers(trx, guildId, idsOf(braked), { roleState: 'grace' });
  await wantRole(trx, { guildId, userIds: idsOf(braked), roleId, wanted: 'remove-role', cause: 'approved' });
}

/** Makes a failed change due again, at once; whether it is still wanted is checked before that. */
async function retryChange(
  trx: Trx,
  { audit }: DecisionDeps,
  changeId: string,
  actor: Admin,
): Promise<RouteAnswer | null> {
  const roles = trx.selectFrom('discordMemberRoles').select(['guildId', 'userId', 'wanted']);
  const change = await roles.where('id', '=', changeId).executeTakeFirst();
  if (change === undefined)
    return failure(404, 'not-found', 'There is no such role change: it may be done by now. Refresh the page.');
  const { guildId, userId, wanted } = change;
  // The server before its members, and they before their roles, the lock order everywhere.
  await trx.selectFrom('discordGuilds').select('guildId').where('guildId', '=', guildId).forNoKeyUpdate().execute();
  const member = await holdCase(trx, guildId, userId);
  const failed = trx.updateTable('discordMemberRoles').set({ dueAt: databaseNow, failure: null });
  const isFailed = failed.where('id', '=', changeId).where('failure', 'is not', null);
  if ((await isFailed.executeTakeFirst()).numUpdatedRows === 0n)
    return failure(409, 'action-not-failed', 'Only what failed can be tried again. Refresh the page.');
  await resumeRoleChanges(trx, guildId);
  // A member who deleted their data is not named in new entries either.
  const subject =
    member === null
      ? { kind: 'discord-guild', id: guildId, label: await guildNameOf(trx, guildId) }
      : memberSubject(member);
  const before = { actionId: changeId, kind: wanted, state: 'failed' };
  const after = { ...before, state: 'pending' };
  await audit.record({ actor, action: 'discord-action-retried', subject, before, after }, trx);
  return null;
}
