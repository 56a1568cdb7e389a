import type { Kysely } from 'kysely';

import { typedTransaction } from '../../db/connect.ts';
import { openTransaction } from '../../db/open-transaction.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { dropPending, enqueueMessages, enqueueRoleChange } from './enqueue-actions.ts';
import {
  closeBatch,
  countRemovals,
  countInDoubt,
  type HeldGuild,
  holdGuild,
  holdLeaving,
  holdWaitingBatch,
  type LeavingMember,
  moveMembers,
  openBatch,
  type WaitingBatch,
} from './removal-store.ts';
import type { Database } from '../../db/schema.ts';
import { nounsFor } from './rules/explanation.ts';
import { planRemovals, type RemovalPlan } from './rules/removal-plan.ts';
import { removalNotice } from './rules/role-texts.ts';
import type { AuditTrail } from '../ports.ts';
import { auditMembers } from './audit-members.ts';
import { removals, roleActions } from './job-names.ts';

export interface RemovalsDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly jobs: Pick<Jobs, 'send'>;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
}

const serversAtOnce = 2;

/** After the second 'no': the brake on mass removals, the direct message, the grace, and the removal (rulings R5). */
export const removalJob = (deps: RemovalsDeps): JobDefinition<{ guildId: string }> => ({
  ...removals,
  atOnce: serversAtOnce,
  failing: 'The removals of a server could not be decided',
  run: async ({ guildId }) => {
    if (!(await settleGuild(deps, guildId))) return;
    for (const kind of ['messages', 'role-changes'] as const) await deps.jobs.send(roleActions, { guildId, kind });
  },
});

/** True: there is new work at Discord. */
function settleGuild(deps: RemovalsDeps, guildId: string): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const guild = await holdGuild(trx, guildId, false);
    if (guild === null) return false;
    const waiting = await holdWaitingBatch(trx, guildId);
    // In the order in which members move from one to the next: one who moves meanwhile is counted twice, never missed.
    const inDoubt = await countInDoubt(trx, guildId);
    const members = await holdLeaving(trx, guildId);
    const counts = await countRemovals(trx, guildId, waiting?.createdAt ?? null);
    const plan = planRemovals({ ...counts, inDoubt, members, isWaiting: waiting !== null, now: guild.now });
    const work = { deps, guild, members, opened: openTransaction(trx) };
    await moveMembers(trx, guildId, plan.gone, { standing: 'none', checkDueAt: null });
    if (plan.isObsolete && waiting !== null) await closeAsObsolete(work, waiting.id);
    // Decided again in the next round, by their own numbers.
    await moveMembers(trx, guildId, plan.release, { standing: 'grace', checkDueAt: guild.now });
    await brakeMembers(work, plan.brake, { roleHolders: counts.roleHolders, waiting });
    await announce(work, plan);
    await remove(work, plan);
    return plan.announce.length + plan.remove.length > 0;
  });
}

interface Work {
  readonly deps: RemovalsDeps;
  readonly guild: HeldGuild;
  readonly members: readonly LeavingMember[];
  readonly opened: OpenTransaction;
}

const trxOf = ({ opened }: Work): Kysely<Database> => typedTransaction(opened);

const auditedOf = ({ guild, members }: Work, userIds: readonly string[]) =>
  members
    .filter(({ userId }) => userIds.includes(userId))
    .map(({ userId, displayName }) => ({ guildId: guild.guildId, userId, displayName, guild }));

async function closeAsObsolete(work: Work, batchId: string): Promise<void> {
  await closeBatch(trxOf(work), batchId, { state: 'obsolete', by: null });
  const subject = { kind: 'discord-guild', id: work.guild.guildId, label: work.guild.name };
  await work.deps.audit.record(
    {
      actor: { kind: 'system', name: 'removal brake' },
      action: 'discord-removal-obsolete',
      subject,
      before: { removalId: batchId, state: 'waiting' },
      after: { removalId: batchId, state: 'obsolete' },
    },
    work.opened,
  );
}

async function brakeMembers(
  work: Work,
  userIds: readonly string[],
  { roleHolders, waiting }: { readonly roleHolders: number; readonly waiting: WaitingBatch | null },
): Promise<void> {
  if (userIds.length === 0) return;
  const { guild, members, deps } = work;
  const trx = trxOf(work);
  await dropPending(trx, guild.guildId, userIds, ['remove-role', 'direct-message'], 'waits for an admin');
  await moveMembers(trx, guild.guildId, userIds, { standing: 'braked', checkDueAt: null });
  const brakedBefore = members.filter(({ standing }) => standing === 'braked').length;
  const removalCount = brakedBefore + userIds.length;
  const id = await openBatch(trx, guild.guildId, { removalCount, holderCount: roleHolders }, waiting);
  if (waiting !== null) return;
  await deps.audit.record(
    {
      actor: { kind: 'system', name: 'removal brake' },
      action: 'discord-removal-stopped',
      subject: { kind: 'discord-guild', id: guild.guildId, label: guild.name },
      before: null,
      after: { removalId: id, removalCount, holderCount: roleHolders },
    },
    work.opened,
  );
}

async function announce(work: Work, { announce: userIds }: RemovalPlan): Promise<void> {
  if (userIds.length === 0) return;
  const { guild, members, deps } = work;
  const trx = trxOf(work);
  const endsAt = guild.graceMs === 0 ? null : new Date(guild.now.getTime() + guild.graceMs);
  const content = noticeFor(guild, deps.collectionType, endsAt);
  await enqueueMessages(
    trx,
    guild.guildId,
    userIds.map((userId) => ({ userId, content })),
    'role-ends',
  );
  for (const userId of userIds) {
    const secondNoAt = members.find((member) => member.userId === userId)?.secondNoAt ?? guild.now;
    // Without grace the removal is due with the second check.
    const removalDueAt = endsAt ?? secondNoAt;
    await moveMembers(trx, guild.guildId, [userId], { standing: 'grace', removalDueAt, checkDueAt: endsAt });
  }
  await auditMembers(deps.audit, work.opened, {
    action: 'discord-role-ending',
    by: 'role check',
    members: auditedOf(work, userIds),
    after: { endsAt: (endsAt ?? guild.now).toISOString() },
  });
  if (endsAt === null) await remove(work, { remove: userIds });
}

/** The direct message, with foreign names cleaned. */
export const noticeFor = (
  guild: Pick<HeldGuild, 'name' | 'roleName' | 'nftContract' | 'nftName'>,
  collectionType: string,
  endsAt: Date | null,
): string =>
  removalNotice({
    guildName: cleanText(guild.name, 100),
    roleName: guild.roleName === null ? null : cleanText(guild.roleName, 100),
    nouns: nounsFor(cleanText(guild.nftName, 100), guild.nftContract === collectionType),
    endsAt,
  });

async function remove(work: Work, { remove: userIds }: Pick<RemovalPlan, 'remove'>): Promise<void> {
  if (userIds.length === 0) return;
  const { guildId, roleId } = work.guild;
  // No role is chosen (specification 5): there is none to remove.
  if (roleId === '') return moveMembers(trxOf(work), guildId, userIds, { standing: 'none', checkDueAt: null });
  await enqueueRoleChange(trxOf(work), { guildId, userIds, roleId, kind: 'remove-role', cause: 'not-holding' });
}
