import type { Kysely } from 'kysely';
import { transact, type Trx } from '../../db/transaction.ts';
import { type Admin, adminOf, failure } from '../../http/admin-call.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import { doneAnswer, removalParams, actionParams } from '../members-contract.ts';
import { enqueueNotices, enqueueRoleChange, shareRoleChanges } from '../roles/action-queue.ts';
import {
  closeBatch,
  type HeldGuild,
  holdGuild,
  holdLeaving,
  type LeavingMember,
  moveMembers,
  readBatch,
} from '../roles/removal-store.ts';
import type { Database } from '../../db/schema.ts';
import type { AuditTrail } from '../ports.ts';
import { noticeFor } from '../roles/decide-removals.ts';
import { databaseNow } from '../../db/expressions.ts';
import { guildNameOf } from '../roles/delete-member.ts';
import { holdCase, memberSubject } from '../roles/member-store.ts';

interface DecideRemovalsDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly collectionType: string;
  readonly wake: () => void;
}

/** Rulings R5 and R6: decisions on mass removals. */
export const removalRoutes = (deps: DecideRemovalsDeps): readonly Route[] => [
  decisionRoute(deps, 'approve', 'approved', 'Approve a mass removal that waits'),
  decisionRoute(deps, 'refuse', 'refused', 'Refuse a mass removal: the role stays until the wallets hold again'),
];

const decisionRoute = (deps: DecideRemovalsDeps, verb: string, word: 'approved' | 'refused', summary: string): Route =>
  defineRoute({
    method: 'POST',
    path: `/api/discord/removals/{removalId}/${verb}`,
    access: 'operator',
    summary,
    params: removalParams,
    answer: doneAnswer,
    handle: async ({ params, user }) => {
      try {
        await decideRemoval(deps, params.removalId, word, adminOf(user));
        return { status: 200, body: { data: { ok: true } } };
      } catch (error) {
        if (error instanceof Refused && error.reason === 'already-decided') {
          return failure(409, error.reason, error.message);
        }
        throw error;
      }
    },
  });

/**
 * An admin's decision on a mass removal that was stopped. `approved`: it goes on after a fresh check of each member, with notice and
 * the server's grace; `refused`: the role stays until the wallets hold again. Throws Refused: `not-found`, `already-decided`.
 */
async function decideRemoval(
  deps: DecideRemovalsDeps,
  removalId: string,
  word: 'approved' | 'refused',
  actor: Admin,
): Promise<void> {
  const { db, audit, wake } = deps;
  const batch = await readBatch(db, removalId);
  if (batch === null) throw new Refused('not-found', 'There is no such removal. Refresh the page.');
  await transact(db, async (trx) => {
    const guild = await holdGuild(trx, batch.guildId, true);
    if (guild === null) throw new Refused('already-decided', 'The bot is not in this server any more.');
    const braked = (await holdLeaving(trx, batch.guildId)).filter(({ roleState }) => roleState === 'braked');
    if (!(await closeBatch(trx, removalId, word, actor.name))) {
      throw new Refused(
        'already-decided',
        'This removal was decided meanwhile, has grown, or is not due any more. Refresh the page.',
      );
    }
    if (word === 'approved') await goOn(trx, guild, braked, deps.collectionType);
    else
      await moveMembers(trx, guild.guildId, idsOf(braked), { roleState: 'kept', removalDueAt: null, checkDueAt: null });
    await audit.record(
      {
        actor,
        action: word === 'approved' ? 'discord-removal-approved' : 'discord-removal-refused',
        subject: { kind: 'discord-guild', id: guild.guildId, label: guild.name },
        // The entry of the stop has its number of then; this is the number decided on.
        before: {
          removalId,
          state: 'waiting',
          ...(batch.firstCount !== braked.length && { removalCount: batch.firstCount }),
        },
        after: { removalId, state: word, removalCount: braked.length },
      },
      trx,
    );
  });
  wake();
}

const idsOf = (members: readonly LeavingMember[]): readonly string[] => members.map(({ userId }) => userId);

async function goOn(
  trx: Kysely<Database>,
  guild: HeldGuild,
  braked: readonly LeavingMember[],
  collectionType: string,
): Promise<void> {
  const { guildId, roleId, graceMs, now } = guild;
  const unnotified = braked.filter(({ removalDueAt }) => removalDueAt === null);
  const notified = braked.filter(({ removalDueAt }) => removalDueAt !== null);
  const endsAt = new Date(now.getTime() + graceMs);
  const content = noticeFor(guild, collectionType, graceMs === 0 ? null : endsAt);
  await enqueueNotices(trx, guildId, idsOf(unnotified), content);
  await moveMembers(trx, guildId, idsOf(unnotified), { roleState: 'grace', removalDueAt: endsAt });
  await moveMembers(trx, guildId, idsOf(notified), { roleState: 'grace' });
  if (roleId === '') return;
  const change = { guildId, roleId, kind: 'remove-role', cause: 'approved' } as const;
  await enqueueRoleChange(trx, { ...change, userIds: idsOf(unnotified), dueAt: endsAt });
  // Already notified: they had their grace before the brake, or have the rest of it.
  for (const { userId, removalDueAt } of notified) {
    await enqueueRoleChange(trx, { ...change, userIds: [userId], dueAt: removalDueAt });
  }
}

interface RetryActionDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly wake: () => void;
}

/** Rulings R6: retries of failed role changes. */
export const retryRoute = (deps: RetryActionDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/discord/actions/{actionId}/retry',
    access: 'operator',
    summary: 'Try a failed role change or direct message again',
    params: actionParams,
    answer: doneAnswer,
    handle: async ({ params, user }) => {
      const retried = await transact(deps.db, (trx) => retryAction(trx, deps.audit, params.actionId, adminOf(user)));
      if (retried === 'queued') deps.wake();
      return answers[retried];
    },
  });

const answers = {
  queued: { status: 200, body: { data: { ok: true } } },
  unknown: failure(404, 'not-found', 'There is no such role change: it may have been purged. Refresh the page.'),
  'not-failed': failure(409, 'action-not-failed', 'Only what failed can be tried again. Refresh the page.'),
  superseded: failure(409, 'action-superseded', 'Something newer waits for this member. Refresh the page.'),
} as const;

/** Makes a failed action due again; whether it is still wanted is checked before it runs. */
async function retryAction(trx: Trx, audit: AuditTrail, actionId: string, actor: Admin): Promise<keyof typeof answers> {
  const action = await trx
    .selectFrom('discordActions')
    .select(['guildId', 'userId', 'kind'])
    .where('id', '=', actionId)
    .executeTakeFirst();
  if (action === undefined) return 'unknown';
  const { guildId, userId, kind } = action;
  // Members before actions, the lock order everywhere.
  const member = await holdCase(trx, guildId, userId);
  await shareRoleChanges(trx, guildId);
  const failed = await trx
    .selectFrom('discordActions')
    .select('id')
    .where('id', '=', actionId)
    .where('state', '=', 'failed')
    .forUpdate()
    .executeTakeFirst();
  if (failed === undefined) return 'not-failed';
  const newer = await trx
    .selectFrom('discordActions')
    .select('id')
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .where('id', '<>', actionId)
    .where('kind', 'in', ['grant-role', 'remove-role'])
    .where((eb) => eb.or([eb('state', '=', 'pending'), eb('id', '>', actionId)]))
    .executeTakeFirst();
  if (kind !== 'direct-message' && newer !== undefined) return 'superseded';
  await trx
    .updateTable('discordActions')
    .set({
      state: 'pending',
      attempts: 0,
      dueAt: databaseNow,
      failure: null,
      failureCode: null,
      doneAt: null,
    })
    .where('id', '=', actionId)
    .execute();
  // A member who deleted their data is not named in new entries either.
  const subject =
    member === null
      ? { kind: 'discord-guild', id: guildId, label: await guildNameOf(trx, guildId) }
      : memberSubject(member);
  const before = { actionId, kind, state: 'failed' };
  const after = { ...before, state: 'pending' };
  await audit.record({ actor, action: 'discord-action-retried', subject, before, after }, trx);
  return 'queued';
}
