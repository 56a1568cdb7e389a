import { type Kysely, sql } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import { holdCase, memberSubject } from '../roles/member-store.ts';
import type { Database } from '../../db/schema.ts';
import type { AuditTrail } from '../ports.ts';
import { guildNameOf } from '../roles/delete-member.ts';
import { shareRoleChanges } from '../roles/action-queue.ts';

export interface RetryActionDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly wake: () => void;
}

export type Retried = 'queued' | 'unknown' | 'not-failed' | 'superseded';

/** Makes a failed action due again; whether it is still wanted is checked before it runs. */
export async function retryAction(
  { db, audit, wake }: RetryActionDeps,
  actionId: string,
  actor: Parameters<AuditTrail['record']>[0]['actor'],
): Promise<Retried> {
  const retried = await inTransaction(db, async (opened, trx): Promise<Retried> => {
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
    const newer = sql<boolean>`${kind !== 'direct-message'} and exists (
      select 1 from discord_actions n where n.guild_id = ${guildId} and n.user_id = ${userId} and n.id <> ${actionId}
        and n.kind in ('grant-role', 'remove-role') and (n.state = 'pending' or n.id > ${actionId}::bigint))`;
    const { rows } = await sql<{ isSuperseded: boolean }>`
      select ${newer} as is_superseded from discord_actions where id = ${actionId} and state = 'failed' for update`.execute(
      trx,
    );
    if (rows[0] === undefined) return 'not-failed';
    if (rows[0].isSuperseded) return 'superseded';
    await sql`
      update discord_actions set state = 'pending', attempts = 0, due_at = clock_timestamp(), failure = null,
        failure_code = null, done_at = null
      where id = ${actionId}`.execute(trx);
    // A member who deleted their data is not named in new entries either.
    const subject =
      member === null
        ? { kind: 'discord-guild', id: guildId, label: await guildNameOf(trx, guildId) }
        : memberSubject(member);
    const [before, after] = [
      { actionId, kind, state: 'failed' },
      { actionId, kind, state: 'pending' },
    ];
    await audit.record({ actor, action: 'discord-action-retried', subject, before, after }, opened);
    return 'queued';
  });
  if (retried === 'queued') wake();
  return retried;
}
