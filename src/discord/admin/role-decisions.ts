import { transact, type Trx } from '../../db/transaction.ts';
import { type Admin, adminOf, failure, defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { doneAnswer, removalParams } from '../members-contract.ts';
import { noticeFor } from '../roles/decide-removals.ts';
import { enqueueNotices } from '../roles/direct-messages.ts';
import { wantRole } from '../roles/member-roles.ts';
import { closeBatch, type HeldGuild, holdGuild, holdLeaving, moveMembers } from '../roles/removal-store.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import type { PlannedMember } from '../roles/rules/removal-plan.ts';

interface DecisionDeps extends Pick<RolesDeps, 'db' | 'audit' | 'collectionType'> {
  readonly wake: () => void;
}

/** Rulings R5: decisions on mass removals. */
export const decisionRoutes = (deps: DecisionDeps): readonly Route[] => [
  removalRoute(deps, 'approve', 'approved', 'Approve a mass removal that waits'),
  removalRoute(deps, 'refuse', 'refused', 'Refuse a mass removal: the role stays until the wallets hold again'),
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
    handle: async ({ params, user }) => {
      const refusal = await transact(deps.db, (trx) => decideRemoval(trx, deps, params.removalId, word, adminOf(user)));
      if (refusal !== null) return refusal;
      deps.wake();
      return { status: 200, body: { data: { ok: true } } };
    },
  });

/**
 * An admin's decision on a mass removal that was stopped. `approved`: it goes on after a fresh check of each member, with notice and
 * the server's grace; `refused`: the role stays until the wallets hold again. Answers why nothing was written; null: it is decided.
 */
async function decideRemoval(
  trx: Trx,
  { audit, collectionType }: DecisionDeps,
  removalId: string,
  word: Word,
  actor: Admin,
): Promise<RouteAnswer | null> {
  const batches = trx.selectFrom('discordRemovalBatches').select('guildId').where('id', '=', removalId);
  const batch = await batches.executeTakeFirst();
  if (batch === undefined)
    return failure(404, 'not-found', 'There is no such removal: it may have grown since. Refresh the page.');
  const guild = await holdGuild(trx, batch.guildId, true);
  if (guild === null) return failure(409, 'already-decided', 'The bot is not in this server any more.');
  const braked = (await holdLeaving(trx, batch.guildId)).filter(({ roleState }) => roleState === 'braked');
  if (!(await closeBatch(trx, removalId, word, actor.name))) {
    const sentence = 'This removal has been decided, has grown, or is no longer due. Refresh the page.';
    return failure(409, 'already-decided', sentence);
  }
  if (word === 'approved') await goOn(trx, guild, braked, collectionType);
  else
    await moveMembers(trx, guild.guildId, idsOf(braked), { roleState: 'kept', removalDueAt: null, checkDueAt: null });
  await audit.record(
    {
      actor,
      action: `discord-removal-${word}`,
      subject: { kind: 'discord-guild', id: guild.guildId, label: guild.name },
      before: { state: 'waiting' },
      after: { state: word, removalCount: braked.length },
    },
    trx,
  );
  return null;
}

const idsOf = (members: readonly PlannedMember[]): readonly string[] => members.map(({ userId }) => userId);

async function goOn(trx: Trx, guild: HeldGuild, braked: readonly PlannedMember[], collectionType: string) {
  const { guildId, roleId, graceMs, now } = guild;
  const unnotified = idsOf(braked.filter(({ removalDueAt }) => removalDueAt === null));
  const endsAt = new Date(now.getTime() + graceMs);
  await moveMembers(trx, guildId, unnotified, { roleState: 'grace', removalDueAt: endsAt });
  await enqueueNotices(trx, guildId, unnotified, noticeFor(guild, collectionType, graceMs === 0 ? null : endsAt));
  // Already notified: they had their grace before the brake, or have the rest of it.
  await moveMembers(trx, guildId, idsOf(braked), { roleState: 'grace' });
  await wantRole(trx, { guildId, userIds: idsOf(braked), roleId, wanted: 'remove-role', cause: 'approved' });
}
