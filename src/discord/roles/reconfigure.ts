import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { dropPending } from './action-queue.ts';
import { closeBatch, holdGuild, holdWaitingBatch, moveMembers } from './removal-store.ts';
import type { Findings } from './rules/findings.ts';
import { makeSweepDue } from './sweep-store.ts';

/**
 * The server was reconfigured, or is back: everyone is checked now. If the collection changed, earlier findings remove no role: those
 * checks, and a mass removal that waits because of them, are void.
 */
export async function reconfigure(trx: Kysely<Database>, guildId: string): Promise<void> {
  const guild = await holdGuild(trx, guildId, true);
  if (guild === null) return;
  await makeSweepDue(trx, guildId);
  const members = trx.selectFrom('discordMembers').where('guildId', '=', guildId);
  // In one order, like all callers that lock several members.
  await members.select('userId').orderBy('userId').forNoKeyUpdate().execute();
  await takeBackUp(trx, guildId, guild.roleId);
  const doubted = await members
    .select(['userId', 'explanation'])
    .where('standing', 'in', ['doubt', 'grace', 'braked', 'kept'])
    .execute();
  const userIds = doubted
    .filter(({ explanation }) => (explanation as Findings | null)?.nftType !== guild.nftContract)
    .map(({ userId }) => userId);
  if (userIds.length === 0) return;
  await moveMembers(trx, guildId, userIds, { standing: 'holder', checkDueAt: null });
  await dropPending(trx, guildId, userIds, ['remove-role', 'direct-message'], 'another collection was chosen');
  const waiting = await holdWaitingBatch(trx, guildId);
  if (waiting !== null) await closeBatch(trx, waiting.id, 'obsolete');
}

/**
 * Another role may have been chosen and then this one again: members released meanwhile, to whom the bot gave this role without ever
 * removing it, are treated like anyone who has it.
 */
async function takeBackUp(trx: Kysely<Database>, guildId: string, roleId: string): Promise<void> {
  if (roleId === '') return;
  const released = await trx
    .selectFrom('discordMembers as m')
    .select('m.userId')
    .where('m.guildId', '=', guildId)
    .where('m.standing', '=', 'none')
    .where('m.hasRole', 'is distinct from', false)
    .where((eb) => {
      const lastChange = eb
        .selectFrom('discordActions as a')
        .select('a.kind')
        .whereRef('a.guildId', '=', 'm.guildId')
        .whereRef('a.userId', '=', 'm.userId')
        .where('a.roleId', '=', roleId)
        .where('a.state', '=', 'done')
        .where('a.kind', 'in', ['grant-role', 'remove-role'])
        .orderBy('a.id', 'desc')
        .limit(1);
      return eb(lastChange, '=', 'grant-role');
    })
    .execute();
  const userIds = released.map(({ userId }) => userId);
  await moveMembers(trx, guildId, userIds, { standing: 'holder' });
}
