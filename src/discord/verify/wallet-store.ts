import { type Kysely, sql } from 'kysely';

import { dataDeleted } from '../roles/rules/action-verdict.ts';
import type { Database } from '../../db/schema.ts';
import { shareRoleChanges } from '../roles/enqueue-actions.ts';

type Db = Kysely<Database>;

export interface LinkedWallet {
  readonly guildId: string;
  readonly userId: string;
  readonly displayName: string;
  /** Canonical. */
  readonly wallet: string;
  readonly scheme: string;
}

/** Locks the member, created if missing. They are in the server: that is where they asked to verify. True: created just now. */
export async function holdMember(
  trx: Db,
  { guildId, userId, displayName }: Pick<LinkedWallet, 'guildId' | 'userId' | 'displayName'>,
): Promise<boolean> {
  // A row that existed has been locked by this transaction, and so has an xmax.
  const { rows } = await sql<{ isNew: boolean }>`
    insert into discord_members (guild_id, user_id, display_name) values (${guildId}, ${userId}, ${displayName})
    on conflict (guild_id, user_id) do update set display_name = excluded.display_name, is_in_guild = true
    returning xmax = 0 as is_new`.execute(trx);
  return rows[0]?.isNew === true;
}

/** Deletes a member created just now. Pending Discord actions of a deleted member are not touched. */
export async function dropNewMember(trx: Db, { guildId, userId }: Pick<LinkedWallet, 'guildId' | 'userId'>) {
  await trx.deleteFrom('discordMembers').where('guildId', '=', guildId).where('userId', '=', userId).execute();
}

/** Rulings R5: one wallet one member per server. */
export async function insertWallet(
  trx: Db,
  { guildId, userId, wallet, scheme }: LinkedWallet,
): Promise<'linked' | 'already-yours' | 'taken-by-another'> {
  const { rows } = await sql<{ userId: string }>`
    insert into discord_wallets (guild_id, wallet, user_id, scheme) values (${guildId}, ${wallet}, ${userId}, ${scheme})
    on conflict (guild_id, wallet) do nothing returning user_id`.execute(trx);
  if (rows.length > 0) return 'linked';
  return (await ownerOfWallet(trx, { guildId, wallet })) === userId ? 'already-yours' : 'taken-by-another';
}

/** Who has linked it in this server; null: no one. */
export async function ownerOfWallet(
  db: Db,
  { guildId, wallet }: Pick<LinkedWallet, 'guildId' | 'wallet'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('discordWallets')
    .select('userId')
    .where('guildId', '=', guildId)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** False: it is not theirs. */
export async function deleteWallet(
  trx: Db,
  { guildId, userId, wallet }: Pick<LinkedWallet, 'guildId' | 'userId' | 'wallet'>,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('discordWallets')
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Oldest first. */
export async function walletsOf(db: Db, guildId: string, userId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('discordWallets')
    .select('wallet')
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .orderBy('linkedAt')
    .orderBy('wallet')
    .execute();
  return rows.map(({ wallet }) => wallet);
}

/** Deletes the member's verification links, even one about to be used. False: there is none. Locked before members, as when used. */
export async function deleteLinks(trx: Db, guildId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('discordVerifications')
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The role of a grant that waits or is at Discord now; null: there is none. */
export async function roleBeingGiven(trx: Db, guildId: string, userId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('discordActions')
    .select('roleId')
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .where('kind', '=', 'grant-role')
    .where('state', 'in', ['pending', 'doing'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.roleId ?? null;
}

/** A removal `a` that a deletion still owes: the role was neither given since nor removed by another one. */
const isOwed = sql<boolean>`(a.kind = 'remove-role' and a.cause = ${dataDeleted} and a.state in ('pending', 'failed')
  and not exists (select 1 from discord_actions newer where newer.guild_id = a.guild_id and newer.user_id = a.user_id
    and newer.id > a.id and newer.role_id = a.role_id
    and (newer.state = 'done' or newer.failure_code = 'unknown-member'
      or (newer.kind = 'grant-role' and newer.state in ('pending', 'doing')))))`;

/**
 * Deletes what is stored of a member of a server, except their links and pending Discord actions. A running removal becomes one for
 * the deletion: should it fail, no check of the chain decides on it any more. One left by an earlier deletion goes on waiting, or
 * for an admin to fix. The member is held.
 */
export async function deleteMemberRows(trx: Db, guildId: string, userId: string): Promise<void> {
  await trx.deleteFrom('discordMembers').where('guildId', '=', guildId).where('userId', '=', userId).execute();
  await shareRoleChanges(trx, guildId);
  await sql`
    delete from discord_actions a where a.guild_id = ${guildId} and a.user_id = ${userId} and a.state <> 'doing'
      and not ${isOwed}`.execute(trx);
  await sql`
    update discord_actions set cause = ${dataDeleted}
    where guild_id = ${guildId} and user_id = ${userId} and kind = 'remove-role' and cause <> ${dataDeleted}`.execute(
    trx,
  );
}

/** Deletes the last trace of a deleted member: what was done at Discord for the deletion. */
export async function forgetMember(trx: Db, guildId: string, userId: string): Promise<void> {
  await sql`
    delete from discord_actions a where a.guild_id = ${guildId} and a.user_id = ${userId}
      and a.state not in ('pending', 'doing') and not ${isOwed}`.execute(trx);
}

export async function noteRole(db: Db, guildId: string, userId: string, hasRole: boolean | null): Promise<void> {
  await db
    .updateTable('discordMembers')
    .set({ hasRole: hasRole })
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .execute();
}

/** The role may have been removed from a member entitled to it: whether they have it is unknown, and they are checked next. */
export async function doubtRole(db: Db, guildId: string, userId: string): Promise<void> {
  await sql`
    update discord_members set has_role = null, check_due_at = clock_timestamp(), check_cause = 'role-doubted'
    where guild_id = ${guildId} and user_id = ${userId}`.execute(db);
}

/** They are in the server again. False: they have linked nothing here. */
export async function noteJoin(trx: Db, guildId: string, userId: string, displayName: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_members set is_in_guild = true, display_name = ${displayName},
      has_role = case when is_in_guild then has_role else false end
    where guild_id = ${guildId} and user_id = ${userId}`.execute(trx);
  return numAffectedRows === 1n;
}
