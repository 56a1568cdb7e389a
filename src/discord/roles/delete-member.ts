import type { ExpressionBuilder } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { AuditTrail } from '../ports.ts';
import { enqueueRoleChange, shareRoleChanges } from './action-queue.ts';
import { holdCase, type MemberCase, type MemberId } from './member-store.ts';
import type { RolesDeps } from './job-names.ts';
import { dataDeleted } from './rules/action-verdict.ts';

/** Who asked for it: the member in Discord, or an admin. */
export type LinkActor = Parameters<AuditTrail['record']>[0]['actor'];

/** Fields in `before` and `after` of entries about a member. */
const personalFields = ['wallet'];

/**
 * 'Delete my data': the role is removed at once, the rows are deleted and the log of changes forgets the member, also while the chain
 * is down. False: there was nothing to delete, and nothing was changed.
 */
export const deleteMember = (
  { db, audit }: Pick<RolesDeps, 'db' | 'audit'>,
  member: MemberId,
  actor: LinkActor,
): Promise<boolean> => transact(db, (trx) => deleteIn(trx, audit, member, actor));

async function deleteIn(
  trx: Trx,
  audit: AuditTrail,
  { guildId, userId }: MemberId,
  actor: LinkActor,
): Promise<boolean> {
  // Links first, as when one is used: it is used up before this, or not at all.
  const links = trx.deleteFrom('discordVerifications').where('guildId', '=', guildId).where('userId', '=', userId);
  const hadLinks = (await links.executeTakeFirst()).numDeletedRows > 0n;
  const member = await holdCase(trx, guildId, userId);
  if (member !== null) await deleteHeld(trx, member);
  const label = `a member of ${await guildNameOf(trx, guildId)}`;
  const subject = { kind: 'discord-member', id: `${guildId}/${userId}` };
  const person = { kind: 'discord', userId } as const;
  const forget = () => audit.redact({ subject, placeId: guildId, actor: person, label, fields: personalFields }, trx);
  // Entries may outlive the rows, for instance of a server that the bot had left. The log changes with an entry or not at all.
  if (member === null && !hadLinks && !(await forget())) return false;
  const before = { walletCount: member?.wallets.length ?? 0 };
  const entry = { actor, action: 'discord-member-deleted', subject: { ...subject, label }, before, after: null };
  await audit.record(entry, trx);
  // Including the entry just made: that someone deleted their data stays known, but not who.
  await forget();
  return true;
}

export async function guildNameOf(trx: Trx, guildId: string): Promise<string> {
  const guilds = trx.selectFrom('discordGuilds').where('guildId', '=', guildId);
  return (await guilds.select('name').executeTakeFirst())?.name ?? 'a server';
}

async function deleteHeld(trx: Trx, { guildId, userId, hasRole, roleState, guild }: MemberCase): Promise<void> {
  const given = await roleBeingGiven(trx, { guildId, userId });
  await deleteMemberRows(trx, { guildId, userId });
  // A role given by someone else is not the bot's to remove.
  const owned = hasRole !== false && roleState !== 'none' ? guild.roleId : '';
  const roleId = given ?? owned;
  if (roleId === '') return;
  await enqueueRoleChange(trx, { guildId, userIds: [userId], roleId, kind: 'remove-role', cause: dataDeleted });
}

const actionsOf = (eb: ExpressionBuilder<{ a: Database['discordActions'] }, 'a'>, { guildId, userId }: MemberId) =>
  eb.and([eb('a.guildId', '=', guildId), eb('a.userId', '=', userId)]);

/** The role of a grant that waits or is at Discord now; null: there is none. */
async function roleBeingGiven(trx: Trx, member: MemberId): Promise<string | null> {
  const grant = await trx
    .selectFrom('discordActions as a')
    .select('a.roleId')
    .where((eb) => actionsOf(eb, member))
    .where('a.kind', '=', 'grant-role')
    .where('a.state', 'in', ['pending', 'doing'])
    .orderBy('a.id', 'desc')
    .executeTakeFirst();
  return grant?.roleId ?? null;
}

/**
 * Deletes what is stored of a member of a server, except their links and pending Discord actions. A running removal becomes one for
 * the deletion: should it fail, no check of the chain decides on it any more. One left by an earlier deletion goes on waiting, or
 * for an admin to fix. The member is held.
 */
async function deleteMemberRows(trx: Trx, member: MemberId): Promise<void> {
  const { guildId, userId } = member;
  await trx.deleteFrom('discordMembers').where('guildId', '=', guildId).where('userId', '=', userId).execute();
  await forgetTold(trx, userId);
  await shareRoleChanges(trx, guildId);
  await actionsToForget(trx, member).where('a.state', '<>', 'doing').execute();
  await trx
    .updateTable('discordActions as a')
    .set({ cause: dataDeleted })
    .where((eb) => actionsOf(eb, member))
    .where('a.kind', '=', 'remove-role')
    .execute();
}

/** With their last membership the notes go, too: nobody is left to be told twice. */
async function forgetTold(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('discordPayoutMessages')
    .where('userId', '=', userId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('discordMembers').select('userId').where('userId', '=', userId))))
    .execute();
}

/** Of a member who deleted their data, only pending actions stay; the member is held, if there is one. */
export async function forgetDeleted(trx: Trx, { guildId, userId }: MemberId): Promise<void> {
  if ((await holdCase(trx, guildId, userId)) === null) await forgetActions(trx, { guildId, userId });
}

/** Deletes the last trace of a deleted member: what was done at Discord for the deletion. */
export async function forgetActions(trx: Trx, member: MemberId): Promise<void> {
  await actionsToForget(trx, member).where('a.state', 'not in', ['pending', 'doing']).execute();
}

/** All but a removal that a deletion still owes: the role was neither given since nor removed by another one. */
const actionsToForget = (trx: Trx, member: MemberId) =>
  trx
    .deleteFrom('discordActions as a')
    .where((eb) => actionsOf(eb, member))
    .where((eb) => {
      const madeUpFor = eb
        .selectFrom('discordActions as newer')
        .select('newer.id')
        .whereRef('newer.guildId', '=', 'a.guildId')
        .whereRef('newer.userId', '=', 'a.userId')
        .whereRef('newer.roleId', '=', 'a.roleId')
        .whereRef('newer.id', '>', 'a.id')
        .where((newer) =>
          newer.or([
            newer('newer.state', '=', 'done'),
            newer('newer.failureCode', '=', 'unknown-member'),
            newer.and([newer('newer.kind', '=', 'grant-role'), newer('newer.state', 'in', ['pending', 'doing'])]),
          ]),
        );
      return eb.or([
        eb('a.kind', '<>', 'remove-role'),
        eb('a.cause', '<>', dataDeleted),
        eb('a.state', 'not in', ['pending', 'failed']),
        eb.exists(madeUpFor),
      ]);
    });
