import type { AuditEntry } from '../../audit/contract.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { enqueueNotices } from './direct-messages.ts';
import { memberSubject } from './member-store.ts';
import { clearGivenRole, cancelRoleChanges, requestRoleChange } from './member-roles.ts';
import { removals, type RolesDeps } from './role-jobs.ts';
import {
  closeBatch,
  countInDoubt,
  countRemovals,
  type LockedGuild,
  lockGuild,
  lockLeaving,
  lockWaitingBatch,
  type LeavingMember,
  moveMembers,
  openBatch,
  secondNoTime,
  type WaitingBatch,
} from './removal-store.ts';
import { guildSubject } from '../servers/guild-config-store.ts';
import { nounsFor } from './rules/explanation.ts';
import { planRemovals, type RemovalPlan } from './rules/removal-plan.ts';
import { removalNotice } from '../bot-texts.ts';
import { type Admin, adminOf, failure, defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { doneAnswer } from '../members-contract.ts';
import { removalParams } from '../requests.ts';

type RemovalsDeps = Pick<RolesDeps, 'db' | 'audit' | 'collectionType'>;

const serversAtOnce = 2;

/** After the second 'no': the brake on mass removals, the direct message, the grace period, and the removal (rulings R5). */
export const removalJob = (deps: RemovalsDeps): JobDefinition<{ guildId: string }> => ({
  ...removals,
  atOnce: serversAtOnce,
  failing: 'The removals of a server could not be decided',
  run: ({ guildId }) => transact(deps.db, (trx) => decideIn(trx, deps, guildId)),
});

interface Work extends RemovalsDeps {
  readonly trx: Trx;
  readonly guild: LockedGuild;
  readonly members: readonly LeavingMember[];
  readonly waiting: WaitingBatch | null;
}

async function decideIn(trx: Trx, deps: RemovalsDeps, guildId: string): Promise<void> {
  const guild = await lockGuild(trx, guildId, 'skip');
  if (guild === null) return;
  const waiting = await lockWaitingBatch(trx, guildId);
  // Read in the order in which members change state: a member whose state changes meanwhile is counted twice, never missed.
  const inDoubt = await countInDoubt(trx, guildId);
  const members = await lockLeaving(trx, guildId);
  const counts = await countRemovals(trx, guildId, waiting?.createdAt ?? null);
  const plan = planRemovals({ ...counts, inDoubt, members, isWaiting: waiting !== null, now: guild.now });
  const work = { ...deps, trx, guild, members, waiting };
  await moveMembers(trx, guildId, plan.gone, { roleState: 'none', checkDueAt: null });
  await clearGivenRole(trx, guildId, guild.roleId, plan.gone);
  if (plan.isObsolete && waiting !== null) {
    await closeBatch(trx, waiting.id, 'obsolete');
    await auditBrake(work, 'discord-removal-obsolete', { state: 'waiting' }, { state: 'obsolete' });
  }
  // Decided again in the next run, by their own numbers.
  await moveMembers(trx, guildId, plan.release, { roleState: 'grace', checkDueAt: guild.now });
  await brakeMembers(work, plan.brake, counts.roleHolders);
  await announce(work, plan.announce);
  await remove(work, plan.remove);
}

async function auditBrake(
  { audit, trx, guild }: Work,
  action: 'discord-removal-obsolete' | 'discord-removal-stopped',
  before: AuditEntry['before'],
  after: AuditEntry['after'],
): Promise<void> {
  const actor = { kind: 'system', name: 'removal brake' } as const;
  await audit.record({ actor, action, subject: guildSubject(guild.guildId, guild.name), before, after }, trx);
}

async function brakeMembers(work: Work, userIds: RemovalPlan['brake'], holderCount: number): Promise<void> {
  if (userIds.length === 0) return;
  const { trx, guild, members, waiting } = work;
  await cancelRoleChanges(trx, guild.guildId, userIds);
  await moveMembers(trx, guild.guildId, userIds, { roleState: 'braked', removalDueAt: null, checkDueAt: null });
  const brakedBefore = members.filter(({ roleState }) => roleState === 'braked').length;
  await openBatch(trx, guild.guildId, holderCount, waiting);
  const figures = { removalCount: brakedBefore + userIds.length, holderCount };
  if (waiting === null) await auditBrake(work, 'discord-removal-stopped', null, figures);
}

async function announce(work: Work, userIds: RemovalPlan['announce']): Promise<void> {
  if (userIds.length === 0) return;
  const { trx, guild, collectionType } = work;
  const endsAt = guild.graceMs === 0 ? null : new Date(guild.now.getTime() + guild.graceMs);
  // Without a grace period the removal is due with the second check.
  const removalDueAt = endsAt ?? secondNoTime;
  await moveMembers(trx, guild.guildId, userIds, { roleState: 'grace', removalDueAt, checkDueAt: endsAt });
  await enqueueNotices(trx, guild.guildId, userIds, noticeFor(guild, collectionType, endsAt));
  await auditEnding(work, userIds, endsAt ?? guild.now);
  if (endsAt === null) await remove(work, userIds);
}

async function auditEnding({ audit, trx, guild, members }: Work, userIds: readonly string[], endsAt: Date) {
  const entry = { actor: { kind: 'system', name: 'role check' }, action: 'discord-role-ending', before: null } as const;
  for (const member of members.filter(({ userId }) => userIds.includes(userId))) {
    const subject = memberSubject({ ...member, guildId: guild.guildId, guild });
    await audit.record({ ...entry, subject, after: { endsAt: endsAt.toISOString() } }, trx);
  }
}

const noticeFor = (
  guild: Pick<LockedGuild, 'name' | 'roleName' | 'nftContract' | 'nftName'>,
  collectionType: string,
  endsAt: Date | null,
): string =>
  removalNotice({
    guildName: guild.name,
    roleName: guild.roleName,
    nouns: nounsFor(guild.nftName, guild.nftContract === collectionType),
    endsAt,
  });

async function remove({ trx, guild }: Work, userIds: RemovalPlan['remove']): Promise<void> {
  const { guildId, roleId } = guild;
  await requestRoleChange(trx, { guildId, userIds, roleId, wanted: 'remove-role', cause: 'not-holding' });
}

/** Rulings R5: decisions on mass removals. */
export const decisionRoutes = (deps: RemovalsDeps): readonly Route[] => [
  removalRoute(deps, 'approve', 'approved', 'Approve a waiting mass removal'),
  removalRoute(deps, 'refuse', 'refused', 'Refuse a mass removal: the role stays until the wallets hold again'),
];

type Decision = 'approved' | 'refused';

const removalRoute = (deps: RemovalsDeps, verb: string, decision: Decision, summary: string): Route =>
  defineRoute({
    method: 'POST',
    path: `/api/discord/removals/{removalId}/${verb}`,
    access: 'operator',
    summary,
    params: removalParams,
    answer: doneAnswer,
    handle: async ({ params, user }) => {
      const refusal = await transact(deps.db, (trx) =>
        decideRemoval(trx, deps, params.removalId, decision, adminOf(user)),
      );
      return refusal ?? { data: { ok: true } };
    },
  });

/**
 * An admin's decision on a mass removal that was stopped. `approved`: it continues after a fresh check of each member, with notice and
 * the server's grace; `refused`: the role stays until the wallets hold again. Returns why nothing was written; null: it is decided.
 */
async function decideRemoval(
  trx: Trx,
  { audit, collectionType }: RemovalsDeps,
  removalId: string,
  decision: Decision,
  actor: Admin,
): Promise<RouteAnswer | null> {
  const batches = trx.selectFrom('discordRemovalBatches').select('guildId').where('id', '=', removalId);
  const batch = await batches.executeTakeFirst();
  if (batch === undefined)
    return failure(404, 'not-found', 'There is no such removal: it may have grown since. Refresh the page.');
  const guild = await lockGuild(trx, batch.guildId, 'wait');
  if (guild === null) return failure(409, 'already-decided', 'The bot is not in this server any more.');
  const braked = (await lockLeaving(trx, batch.guildId)).filter(({ roleState }) => roleState === 'braked');
  const userIds = braked.map(({ userId }) => userId);
  if (!(await closeBatch(trx, removalId, decision, actor.name))) {
    const sentence = 'This removal has been decided, has grown, or is no longer due. Refresh the page.';
    return failure(409, 'already-decided', sentence);
  }
  if (decision === 'approved') await continueRemovals(trx, guild, userIds, collectionType);
  else await moveMembers(trx, guild.guildId, userIds, { roleState: 'kept', removalDueAt: null, checkDueAt: null });
  await audit.record(
    {
      actor,
      action: `discord-removal-${decision}`,
      subject: guildSubject(guild.guildId, guild.name),
      before: { state: 'waiting' },
      after: { state: decision, removalCount: userIds.length },
    },
    trx,
  );
  return null;
}

/** Members notified before the brake are notified again: their message may not have been sent, and it named an earlier end. */
async function continueRemovals(trx: Trx, guild: LockedGuild, userIds: readonly string[], collectionType: string) {
  const { guildId, roleId, graceMs, now } = guild;
  const endsAt = new Date(now.getTime() + graceMs);
  await moveMembers(trx, guildId, userIds, { roleState: 'grace', removalDueAt: endsAt });
  await enqueueNotices(trx, guildId, userIds, noticeFor(guild, collectionType, graceMs === 0 ? null : endsAt));
  await requestRoleChange(trx, { guildId, userIds, roleId, wanted: 'remove-role', cause: 'approved' });
}
