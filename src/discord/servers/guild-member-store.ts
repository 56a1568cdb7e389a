import { type Kysely, type RawBuilder, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import { transact } from '../../db/transaction.ts';
import type { Database } from '../../db/schema.ts';
import { requestCheck } from '../roles/check-requests.ts';
import { noteJoin } from '../roles/member-store.ts';
import { configsOfPresentGuilds } from './guild-config-store.ts';

export interface SeenMember {
  readonly userId: string;
  readonly displayName: string;
  readonly roleIds: readonly string[];
}

/** Locks the members in one order, to avoid deadlocks. */
async function updateMembers(
  db: Kysely<Database>,
  guildId: string,
  which: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with locked as (
      select m.user_id from discord_members m where m.guild_id = ${guildId} and ${which}
      order by m.user_id for no key update
    )
    update discord_members m set ${to} from locked where m.guild_id = ${guildId} and m.user_id = locked.user_id`.execute(
    db,
  );
}

/** Locks all members of a server in order of their ids, before several are changed in several steps (docs/decisions/0028). */
export async function lockMembers(trx: Kysely<Database>, guildId: string): Promise<void> {
  const members = trx.selectFrom('discordMembers').select('userId').where('guildId', '=', guildId);
  await members.orderBy('userId').forNoKeyUpdate().execute();
}

/** Makes it unknown who has the role, whatever Discord reported so far. */
export const forgetRoles = (db: Kysely<Database>, guildId: string): Promise<void> =>
  updateMembers(db, guildId, sql`m.has_role is not null`, sql`has_role = null`);

/** The role of the configuration `c` exists in the server `g`. */
const hasChosenRole = sql`exists (select 1 from jsonb_array_elements(g.roles) role where role ->> 'id' = c.role_id)`;

/** No one has a role that the server does not have. */
export const noteGoneRole = (db: Kysely<Database>, guildId: string): Promise<void> =>
  updateMembers(
    db,
    guildId,
    sql`m.has_role is distinct from false and exists (
      select 1 from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
      where c.guild_id = ${guildId} and c.role_id <> '' and not ${hasChosenRole})`,
    sql`has_role = false`,
  );

/** Members entitled to the chosen role who lack it are checked; at most this often if someone keeps removing it. */
const missingPauseMinutes = 10;
const isMissing = sql`(m.role_state = 'holder' and seen.now_has_role = false and seen.is_role_there and not exists (
  select 1 from discord_member_roles r where r.guild_id = m.guild_id and r.user_id = m.user_id and r.due_at is not null))`;
const missedAt = sql`greatest(clock_timestamp(), (
  select max(greatest(r.given_at, r.changed_at)) from discord_member_roles r
  where r.guild_id = m.guild_id and r.user_id = m.user_id and r.role_id = seen.chosen_role_id
) + ${missingPauseMinutes} * interval '1 minute')`;

const openLinks = (db: Kysely<Database>, guildId: string) =>
  db
    .selectFrom('discordVerifications')
    .where((eb) => eb.and({ guildId, state: 'open' }))
    .where('expiresAt', '>', databaseNow);

/** Stores Discord's reports on members who have linked a wallet, and nothing about others. Throws database errors. */
export const createGuildMemberStore = (db: Kysely<Database>) => ({
  /** Returns which of the known members were not in the server before. */
  seen: async (guildId: string, members: readonly SeenMember[]): Promise<{ readonly returned: readonly string[] }> => {
    if (members.length === 0) return { returned: [] };
    const rows = members.map(({ userId, displayName, roleIds }) => ({
      user_id: userId,
      display_name: displayName,
      role_ids: roleIds,
    }));
    const updated = await sql<{ userId: string; wasInGuild: boolean }>`
        with seen as (
          select s.*, m.is_in_guild as was_in_guild,
            case when coalesce(c.role_id, '') = '' then null else s.role_ids ? c.role_id end as now_has_role,
            c.role_id as chosen_role_id, ${hasChosenRole} as is_role_there
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(user_id text, display_name text, role_ids jsonb)
            join discord_members m on m.guild_id = ${guildId} and m.user_id = s.user_id
            join discord_guilds g on g.guild_id = m.guild_id
            left join discord_guild_configs c on c.guild_id = m.guild_id
          order by s.user_id for no key update of m
        )
        update discord_members m set is_in_guild = true, display_name = seen.display_name, has_role = seen.now_has_role,
          check_due_at = case when ${isMissing} then least(m.check_due_at, ${missedAt}) else m.check_due_at end,
          check_cause = case when ${isMissing} and (m.check_due_at is null or m.check_due_at > ${missedAt})
            then 'role-missing' else m.check_cause end
        from seen where m.guild_id = ${guildId} and m.user_id = seen.user_id
        returning m.user_id, seen.was_in_guild`.execute(db);
    return { returned: updated.rows.filter((row) => !row.wasInGuild).map((row) => row.userId) };
  },
  /** A member who may have linked a wallet is in the server again: checked at once. */
  joined: (guildId: string, userId: string, displayName: string): Promise<void> =>
    transact(db, async (trx) => {
      const member = { guildId, userId };
      if (await noteJoin(trx, member, displayName)) await requestCheck(trx, member, 'joined');
    }),
  /** They have left: links that they asked for before no longer work. */
  gone: async (guildId: string, userIds: readonly string[]): Promise<void> => {
    if (userIds.length === 0) return;
    await transact(db, async (trx) => {
      // Links first, as when one is used: it is used before this, or not at all.
      const links = openLinks(trx, guildId).select('tokenHash').where('userId', 'in', userIds);
      const closed = trx.with('locked', () => links.orderBy('tokenHash').forNoKeyUpdate());
      const closing = closed.updateTable('discordVerifications as link').from('locked').set({ state: 'closed' });
      await closing.whereRef('link.tokenHash', '=', 'locked.tokenHash').execute();
      await updateMembers(trx, guildId, sql`m.user_id = any(${userIds})`, sql`is_in_guild = false, has_role = false`);
    });
  },
  /** Those who have linked a wallet, or asked for a link that they can still use. */
  known: async (guildId: string): Promise<string[]> => {
    const members = db.selectFrom('discordMembers').select('userId').where('guildId', '=', guildId);
    const known = members.union(openLinks(db, guildId).select('userId'));
    return (await known.orderBy('userId').execute()).map(({ userId }) => userId);
  },
  /** Servers in which it is unknown who has the role. */
  guildsWithUnknownRoles: async (): Promise<readonly string[]> => {
    const rows = await configsOfPresentGuilds(db)
      .innerJoin('discordMembers as m', 'm.guildId', 'c.guildId')
      .select('m.guildId')
      .distinct()
      .where('c.roleId', '<>', '')
      .where('m.isInGuild', '=', true)
      .where('m.hasRole', 'is', null)
      .execute();
    return rows.map((row) => row.guildId);
  },
});
export type GuildMemberStore = ReturnType<typeof createGuildMemberStore>;
