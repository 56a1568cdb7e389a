import type { Kysely } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { type Admin, adminOf, failure } from '../../http/admin-call.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { actionParams, doneAnswer } from '../members-contract.ts';
import type { AuditTrail } from '../ports.ts';
import { shareRoleChanges } from '../roles/action-queue.ts';
import { guildNameOf } from '../roles/delete-member.ts';
import { holdCase, memberSubject } from '../roles/member-store.ts';

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
