import { type Kysely, sql } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { DescribedGuild, KnownGuild } from '../core/known-guild.ts';
import { forgetRoles, noteGoneRole } from './guild-member-store.ts';
import { holdRoleChanges } from './role-change-lock.ts';
import type { DiscordTables } from './tables.ts';
import { isVerified } from './verified-members.ts';

const nameMax = 100;

/** Every server the bot has met, as the gateway last described it. Throws what the database throws. */
export interface GuildStore {
  /**
   * The bot is in it. `isNew`: it was not before, as far as was known. `hasChanged`: about roles or what the bot may do. Where the chosen
   * role is not there any more, nobody has it from then on.
   */
  save(
    guild: DescribedGuild,
    opened: OpenTransaction,
  ): Promise<{ readonly isNew: boolean; readonly hasChanged: boolean }>;
  /** null: the bot has never been there. */
  read(guildId: string): Promise<KnownGuild | null>;
  /** Those the bot is in, by name. */
  present(): Promise<readonly KnownGuild[]>;
  countPresent(): Promise<number>;
  /** Of those believed to be present, the ones that are not among `guildIds`. */
  absent(guildIds: readonly string[]): Promise<readonly string[]>;
  /** Discord reports an outage of it, until it is saved again. */
  noteOutage(guildId: string): Promise<void>;
  /** False: it was not present. Role work that waits for it is dropped. */
  leave(guildId: string, opened: OpenTransaction): Promise<boolean>;
}

export function createGuildStore(db: Kysely<DiscordTables>): GuildStore {
  return {
    save: async (guild, opened) => {
      const transaction = transactionOf<DiscordTables>(opened);
      const saved = await write(transaction, guild);
      await noteGoneRole(transaction, guild.guildId);
      return saved;
    },
    read: async (guildId) => {
      const row = await guildRows(db).where('g.guild_id', '=', guildId).executeTakeFirst();
      return row === undefined ? null : toKnownGuild(row);
    },
    present: async () => {
      const rows = await guildRows(db)
        .where('g.left_at', 'is', null)
        .orderBy(sql`lower(g.name)`)
        .orderBy('g.guild_id')
        .execute();
      return rows.map(toKnownGuild);
    },
    countPresent: async () => {
      const { count } = await db
        .selectFrom('discord_guilds')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('left_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    absent: async (guildIds) => {
      const rows = await db
        .selectFrom('discord_guilds')
        .select('guild_id')
        .where('left_at', 'is', null)
        .where(sql<boolean>`guild_id <> all(${guildIds})`)
        .execute();
      return rows.map(({ guild_id: id }) => id);
    },
    noteOutage: async (guildId) => {
      await db
        .updateTable('discord_guilds')
        .set({ unavailable_since: sql`coalesce(unavailable_since, clock_timestamp())` })
        .where('guild_id', '=', guildId)
        .execute();
    },
    leave: (guildId, opened) => leave(transactionOf<DiscordTables>(opened), guildId),
  };
}

const integerMax = 2 ** 31 - 1;

/** As Discord says it, for the dashboard alone: an odd count must not keep the rest of a server from being written down. */
const storableCount = (count: number | null): number | null =>
  count !== null && Number.isFinite(count) && count >= 0 ? Math.min(integerMax, Math.round(count)) : null;

async function write(trx: Kysely<DiscordTables>, guild: DescribedGuild) {
  const roles = JSON.stringify(guild.roles.map((role) => ({ ...role, name: cleanText(role.name, nameMax) })));
  const channels = JSON.stringify(guild.channels.map((each) => ({ ...each, name: cleanText(each.name, nameMax) })));
  const { guildId, ownerId, memberCount, botPermissions, botTopPosition } = guild;
  const name = cleanText(guild.name, nameMax) || `server ${guildId}`;
  // A statement of its own: one that changes the row as well would not see it as it was.
  const { rows } = await sql<{ is_present: boolean; has_changed: boolean }>`
    select left_at is null as is_present, (roles, bot_permissions, bot_top_position)
      is distinct from (${roles}::jsonb, ${botPermissions}::text, ${botTopPosition}::integer) as has_changed
    from discord_guilds where guild_id = ${guildId} for no key update`.execute(trx);
  await sql`
    insert into discord_guilds as g (guild_id, name, owner_id, member_count, roles, channels, bot_permissions, bot_top_position)
    values (${guildId}, ${name}, ${ownerId}, ${storableCount(memberCount)}, ${roles}, ${channels}, ${botPermissions}, ${botTopPosition})
    on conflict (guild_id) do update set
      name = excluded.name, owner_id = excluded.owner_id, member_count = excluded.member_count,
      roles = excluded.roles, channels = excluded.channels,
      bot_permissions = excluded.bot_permissions, bot_top_position = excluded.bot_top_position,
      joined_at = case when g.left_at is null then g.joined_at else clock_timestamp() end,
      left_at = null, unavailable_since = null, updated_at = clock_timestamp()`.execute(trx);
  const [before] = rows;
  const isNew = before?.is_present !== true;
  return { isNew, hasChanged: !isNew && before.has_changed };
}

async function leave(transaction: Kysely<DiscordTables>, guildId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('discord_guilds')
    .set({ left_at: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
    .where('guild_id', '=', guildId)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  // Members before actions, as everybody locks them. Whatever Discord says of roles from here on, nobody is told.
  await forgetRoles(transaction, guildId);
  await holdRoleChanges(transaction, guildId);
  await transaction
    .updateTable('discord_actions')
    .set({ state: 'dropped', failure: 'The bot was put out of the server.', done_at: sql`clock_timestamp()` })
    .where('guild_id', '=', guildId)
    .where('state', '=', 'pending')
    .execute();
  return true;
}

const guildRows = (db: Kysely<DiscordTables>) =>
  db
    .selectFrom('discord_guilds as g')
    .leftJoin('discord_guild_configs as c', 'c.guild_id', 'g.guild_id')
    .select([
      'g.guild_id',
      'g.name',
      'g.member_count',
      'g.roles',
      'g.channels',
      'g.bot_permissions',
      'g.bot_top_position',
      'g.left_at',
      'g.unavailable_since',
      'c.role_id',
      'c.channel_id',
      'c.nft_contract',
      'c.nft_name',
      'c.grace_minutes',
      'c.version',
      'c.panel_message_id',
      'c.panel_gone_at',
    ])
    .select((eb) => [
      eb
        .selectFrom('discord_members as m')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('m.guild_id', '=', 'g.guild_id')
        .where(isVerified)
        .as('verified_count'),
      eb
        .exists(
          eb
            .selectFrom('discord_removal_batches as b')
            .select(sql`1`.as('one'))
            .whereRef('b.guild_id', '=', 'g.guild_id')
            .where('b.state', '=', 'waiting'),
        )
        .as('has_waiting_removal'),
    ]);

type GuildRow = Awaited<ReturnType<ReturnType<typeof guildRows>['executeTakeFirstOrThrow']>>;

const toKnownGuild = (row: GuildRow): KnownGuild => ({
  guildId: row.guild_id,
  name: row.name,
  memberCount: row.member_count,
  roles: row.roles,
  channels: row.channels,
  botPermissions: row.bot_permissions,
  botTopPosition: row.bot_top_position,
  isPresent: row.left_at === null,
  isInOutage: row.unavailable_since !== null,
  verifiedCount: Number(row.verified_count),
  hasWaitingRemoval: Boolean(row.has_waiting_removal),
  panel: row.panel_message_id === null ? 'none' : row.panel_gone_at === null ? 'posted' : 'deleted',
  config:
    row.nft_contract === null
      ? null
      : {
          roleId: row.role_id ?? '',
          channelId: row.channel_id,
          nftContract: row.nft_contract,
          nftName: row.nft_name ?? '',
          graceMinutes: row.grace_minutes ?? 0,
          version: row.version ?? 1,
        },
});
