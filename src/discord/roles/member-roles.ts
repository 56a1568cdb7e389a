import { type Kysely, type Selectable, sql } from 'kysely';

import { databaseNow, databaseNowPlus, statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { isPaused } from '../servers/guild-config-store.ts';
import type { MemberRecord } from './rules/decide.ts';
import type { RoleCause } from './rules/findings.ts';
import { dataDeleted } from './rules/role-verdict.ts';

type Db = Kysely<Database>;
type Row = Readonly<Selectable<Database['discordMemberRoles']>>;

type RoleChangeKind = NonNullable<Row['wanted']>;

/** While this is false, no due work is done. */
export const isSwitchedOn = sql<boolean>`exists (select 1 from discord_service where wanted = 'active')`;

interface WantedRole {
  readonly guildId: string;
  readonly userIds: readonly string[];
  readonly roleId: string;
  readonly wanted: RoleChangeKind;
  readonly cause: RoleCause;
}

/**
 * Requests a role change, in the transaction of the decision; the members are locked, which protects these rows. It replaces a different
 * request; an equal one stays as it is, but if Discord refused it for a member, it is tried now and not in an hour.
 */
export async function requestRoleChange(
  trx: Db,
  { guildId, userIds, roleId, wanted, cause }: WantedRole,
): Promise<void> {
  if (userIds.length === 0 || roleId === '') return;
  await sql`
    insert into discord_member_roles as r (guild_id, user_id, role_id, wanted, cause, due_at)
    select ${guildId}, user_id, ${roleId}, ${wanted}, ${cause}, clock_timestamp()
    from unnest(${[...userIds]}::text[]) member(user_id)
    on conflict (guild_id, user_id, role_id) do update set wanted = excluded.wanted, cause = excluded.cause,
      due_at = excluded.due_at, failure = null, changed_at = excluded.due_at
    where r.wanted is distinct from excluded.wanted
      or (r.failure is not null and r.due_at > clock_timestamp() + interval '1 minute')`.execute(trx);
}

/** Cancels pending role changes of these members, except removals after a deletion; the members are locked. */
export async function cancelRoleChanges(trx: Db, guildId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const wanted = sql`guild_id = ${guildId} and user_id = any(${[...userIds]}) and wanted is not null and cause <> ${dataDeleted}`;
  await sql`delete from discord_member_roles where ${wanted} and given_at is null`.execute(trx);
  await sql`update discord_member_roles set wanted = null, due_at = null, failure = null where ${wanted}`.execute(trx);
}

/** Someone else removed the chosen role from these members: if they have it later, the bot did not give it. The members are locked. */
export async function clearGivenRole(
  trx: Db,
  guildId: string,
  roleId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  const given = sql`guild_id = ${guildId} and user_id = any(${[...userIds]}) and role_id = ${roleId} and given_at is not null`;
  await sql`delete from discord_member_roles where ${given} and wanted is null`.execute(trx);
  await sql`update discord_member_roles set given_at = null where ${given}`.execute(trx);
}

type Leaving = Pick<MemberRecord, 'guildId' | 'userId' | 'hasRole' | 'roleState'> & {
  readonly guild: { readonly roleId: string };
};

/** For a member who deletes their data: removes the roles that the bot gave or is about to give, and the chosen role. They are locked. */
export async function requestRoleRemovals(
  trx: Db,
  { guildId, userId, hasRole, roleState, guild }: Leaving,
): Promise<void> {
  const theirs = sql`guild_id = ${guildId} and user_id = ${userId}`;
  const cause = dataDeleted;
  // In state 'none' the member lacks the chosen role, or someone else gave it: then the bot must not remove it.
  const isSomeoneElses = roleState === 'none';
  if (!isSomeoneElses && hasRole !== false)
    await requestRoleChange(trx, { guildId, userIds: [userId], roleId: guild.roleId, wanted: 'remove-role', cause });
  const isNotFromBot = sql`(given_at is null or (${isSomeoneElses} and role_id = ${guild.roleId}))`;
  await sql`delete from discord_member_roles where ${theirs} and wanted is null and ${isNotFromBot}`.execute(trx);
  await sql`
    update discord_member_roles set wanted = 'remove-role', cause = ${cause}, due_at = clock_timestamp(), failure = null,
      changed_at = clock_timestamp() where ${theirs}`.execute(trx);
}

/** A pending change of a member's role. `givenAt`: as stored before Discord is asked. */
export interface RoleChange extends Pick<Row, 'id' | 'guildId' | 'userId' | 'roleId' | 'givenAt'> {
  readonly wanted: RoleChangeKind;
  /** A `RoleCause`, or what an older version wrote. */
  readonly cause: string;
  /** As the database writes it: another value means that the change was replaced or taken over meanwhile. */
  readonly dueAt: string;
  /** When the server itself last changed, as the database writes it. */
  readonly guildChangedAt: string;
  /** The server's role changes were paused before. */
  readonly wasPaused: boolean;
}

/** Of a row `r` of a server `g`. A removal waits for its direct message. */
export const isChangeDue = sql<boolean>`(r.due_at <= ${statementBegun} and g.left_at is null
  and coalesce(g.roles_paused_until <= ${statementBegun}, true)
  and (r.wanted = 'grant-role' or r.cause = ${dataDeleted} or not exists (select 1 from discord_direct_messages d
    where d.guild_id = r.guild_id and d.user_id = r.user_id and d.payout is null and d.due_at is not null)))`;

/** The server's next change; null: none is due, or the bot is absent or switched off. */
export async function nextChange(db: Db, guildId: string): Promise<RoleChange | null> {
  const { rows } = await sql<RoleChange>`
    select r.id, r.guild_id, r.user_id, r.role_id, r.given_at, r.wanted, r.cause, r.due_at::text as due_at,
      g.updated_at::text as guild_changed_at, g.roles_paused_until is not null as was_paused
    from discord_member_roles r join discord_guilds g on g.guild_id = r.guild_id
    where r.guild_id = ${guildId} and ${isChangeDue} and ${isSwitchedOn}
    order by r.due_at, r.id limit 1`.execute(db);
  return rows[0] ?? null;
}

const isUnchanged = ({ id, dueAt }: RoleChange) => sql<boolean>`(id = ${id} and due_at::text = ${dueAt})`;

/**
 * Called before Discord is asked. If this copy dies then, the change is tried again after `againInMs`, and a deletion of the member's
 * data covers it. null: the change was replaced or taken over meanwhile.
 */
export async function beginChange(db: Db, change: RoleChange, againInMs: number): Promise<RoleChange | null> {
  const begun = await db
    .updateTable('discordMemberRoles')
    .set({ dueAt: databaseNowPlus(againInMs), ...(change.wanted === 'grant-role' && { givenAt: databaseNow }) })
    .where(isUnchanged(change))
    .returning((eb) => eb.cast<string>('dueAt', 'text').as('dueAt'))
    .executeTakeFirst();
  return begun === undefined ? null : { ...change, ...begun };
}

/** A row without a role given by the bot and without a pending change is useless. */
const dropEmpty = (trx: Db, { id }: RoleChange) =>
  trx
    .deleteFrom('discordMemberRoles')
    .where((eb) => eb.and({ id, wanted: null, givenAt: null }))
    .execute();

/** Discord did not do it: restores whether the bot has given the role. */
export async function undoBeginChange(trx: Db, change: RoleChange): Promise<void> {
  const { id, givenAt, wanted } = change;
  if (wanted === 'remove-role') return;
  await trx.updateTable('discordMemberRoles').set({ givenAt }).where('id', '=', id).execute();
  await dropEmpty(trx, change);
}

/** False: the change was replaced or taken over meanwhile. */
export async function endChange(trx: Db, change: RoleChange): Promise<boolean> {
  const ended = trx.updateTable('discordMemberRoles').set({ wanted: null, dueAt: null, failure: null });
  const { numUpdatedRows } = await ended.where(isUnchanged(change)).executeTakeFirst();
  await dropEmpty(trx, change);
  return numUpdatedRows === 1n;
}

/** The same, and stores, even for a replaced change, that the member no longer has the role from the bot. */
export async function endNotGiven(trx: Db, change: RoleChange): Promise<boolean> {
  await trx.updateTable('discordMemberRoles').set({ givenAt: null }).where('id', '=', change.id).execute();
  return endChange(trx, change);
}

/** Keeps the change's failure. Does nothing if the change was replaced or taken over meanwhile. */
export async function postponeChange(db: Db, change: RoleChange, delayMs: number): Promise<void> {
  const changes = db.updateTable('discordMemberRoles').set({ dueAt: databaseNowPlus(delayMs) });
  await changes.where(isUnchanged(change)).execute();
}

/** The same, with Discord's refusal as the change's failure; null: the dashboard shows it with another change. */
export async function postponeRefused(db: Db, change: RoleChange, delayMs: number, failure: string | null) {
  // When this failure began, not the last attempt. Removals after a deletion are kept for 90 days from the deletion.
  const changedAt = sql<Date>`case when cause <> ${dataDeleted} and failure is distinct from ${failure} then clock_timestamp()
    else changed_at end`;
  const changes = db.updateTable('discordMemberRoles').set({ dueAt: databaseNowPlus(delayMs), failure, changedAt });
  await changes.where(isUnchanged(change)).execute();
}

/** Of a row `r`: Discord refused the change, and it is still pending. */
export const isFailed = `(r.failure is not null and (r.cause = '${dataDeleted}' or exists (
  select 1 from discord_members m join discord_guild_configs c on c.guild_id = m.guild_id
  where m.guild_id = r.guild_id and m.user_id = r.user_id and m.is_in_guild and c.role_id = r.role_id
    and m.has_role is distinct from (r.wanted = 'grant-role'))))`;

/** The role changes of a server that Discord refused, as the dashboard lists them. */
export const failedChanges = (db: Db, guildId: string) =>
  db.selectFrom('discordMemberRoles as r').where('r.guildId', '=', guildId).where(sql.raw<boolean>(isFailed));

/** Why role changes of a server wait. */
export interface Pause {
  readonly forMs: number;
  /** A sentence; null: Discord only asks for a pause. */
  readonly reason: string | null;
  /** Discord refused nothing: it is unknown what it would answer. */
  readonly isUnanswered?: boolean;
}

/** Of a server `g`: why its role changes wait; null: they do not, or not for long. */
export const pauseReason = sql<string | null>`case when ${sql.raw(isPaused)} then g.roles_pause_reason end`;

/** Pauses the server's role changes for that long, unless the server has changed since. */
export async function pauseRoleChanges(
  db: Db,
  { guildId, guildChangedAt }: RoleChange,
  { forMs, reason, isUnanswered = false }: Pause,
): Promise<void> {
  await sql`
    update discord_guilds g set roles_paused_until = ${databaseNowPlus(forMs)}, roles_pause_reason = ${reason},
      roles_unanswered_since = case when ${isUnanswered}
        then coalesce(case when ${sql.raw(isPaused)} then roles_unanswered_since end, clock_timestamp()) end
    where guild_id = ${guildId} and updated_at::text = ${guildChangedAt}`.execute(db);
}

/** The server has changed for the better, or Discord answers again: waiting changes are tried now. */
export async function resumeRoleChanges(db: Db, guildId: string): Promise<void> {
  const guilds = db.updateTable('discordGuilds').where('guildId', '=', guildId);
  const notPaused = { rolesPausedUntil: null, rolesPauseReason: null, rolesUnansweredSince: null };
  await guilds.set({ ...notPaused, updatedAt: databaseNow }).execute();
}
