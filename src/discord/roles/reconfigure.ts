import { type Kysely, sql } from 'kysely';

import { dropPending } from './enqueue-actions.ts';
import { closeBatch, holdGuild, holdWaitingBatch, moveMembers } from './removal-store.ts';
import { makeSweepDue } from './sweep-store.ts';
import type { Database } from '../../db/schema.ts';

/**
 * The server was reconfigured, or is back: everyone is checked now. If the collection changed, earlier findings remove no role: those
 * checks, and a mass removal that waits because of them, are void.
 */
export const reconfigure = (db: Kysely<Database>, guildId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const guild = await holdGuild(trx, guildId, true);
    if (guild === null) return;
    await makeSweepDue(trx, guildId);
    // In one order, like all callers that lock several members.
    await sql`select 1 from discord_members where guild_id = ${guildId} order by user_id for no key update`.execute(
      trx,
    );
    await takeBackUp(trx, guildId, guild.roleId);
    const { rows } = await sql<{ userId: string }>`
      select user_id from discord_members
      where guild_id = ${guildId} and standing in ('doubt', 'grace', 'braked', 'kept')
        and explanation ->> 'nftType' is distinct from ${guild.nftContract}`.execute(trx);
    const userIds = rows.map(({ userId }) => userId);
    if (userIds.length === 0) return;
    await moveMembers(trx, guildId, userIds, { standing: 'holder', checkDueAt: null });
    await dropPending(trx, guildId, userIds, ['remove-role', 'direct-message'], 'another collection was chosen');
    const waiting = await holdWaitingBatch(trx, guildId);
    if (waiting !== null) await closeBatch(trx, waiting.id, { state: 'obsolete', by: null });
  });

/**
 * Another role may have been chosen and then this one again: members released meanwhile, to whom the bot gave this role without ever
 * removing it, are treated like anyone who has it.
 */
async function takeBackUp(trx: Kysely<Database>, guildId: string, roleId: string): Promise<void> {
  if (roleId === '') return;
  const { rows } = await sql<{ userId: string }>`
    select m.user_id from discord_members m
    where m.guild_id = ${guildId} and m.standing = 'none' and m.has_role is distinct from false and (
      select a.kind from discord_actions a where a.guild_id = m.guild_id and a.user_id = m.user_id
        and a.role_id = ${roleId} and a.state = 'done' and a.kind in ('grant-role', 'remove-role')
      order by a.id desc limit 1) = 'grant-role'`.execute(trx);
  await moveMembers(
    trx,
    guildId,
    rows.map(({ userId }) => userId),
    { standing: 'holder' },
  );
}
