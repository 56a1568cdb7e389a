import { type Kysely, sql } from 'kysely';

import { typedTransaction } from '../../db/connect.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { DescribedGuild, KnownGuild } from './rules/known-guild.ts';
import { forgetRoles, noteGoneRole } from './guild-member-store.ts';
import type { Database } from '../../db/schema.ts';
import { isVerified } from '../roles/member-store.ts';
import { holdRoleChanges } from '../roles/action-queue.ts';

const nameMax = 100;

/** Every server the bot has met, as the gateway last described it. Throws database errors. */
export interface GuildStore {
  /**
   * The bot is in it. `isNew`: it was not before, as far as known. `hasChanged`: its roles or what the bot may do. If the chosen role is
   * gone, no one has it from then on.
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
  /** Servers believed to be present that are not among `guildIds`. */
  absent(guildIds: readonly string[]): Promise<readonly string[]>;
  /** Discord reports an outage of it, until it is saved again. */
  noteOutage(guildId: string): Promise<void>;
  /** False: it was not present. Its waiting role work is dropped. */
  leave(guildId: string, opened: OpenTransaction): Promise<boolean>;
}

export function createGuildStore(db: Kysely<Database>): GuildStore {
  return {
    save: async (guild, opened) => {
      const transaction = typedTransaction(opened);
      const saved = await write(transaction, guild);
      await noteGoneRole(transaction, guild.guildId);
      return saved;
    },
    read: async (guildId) => {
      const row = await guildRows(db).where('g.guildId', '=', guildId).executeTakeFirst();
      return row === undefined ? null : toKnownGuild(row);
    },
    present: async () => {
      const rows = await guildRows(db)
        .where('g.leftAt', 'is', null)
        .orderBy(sql`lower(g.name)`)
        .orderBy('g.guildId')
        .execute();
      return rows.map(toKnownGuild);
    },
    countPresent: async () => {
      const { count } = await db
        .selectFrom('discordGuilds')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('leftAt', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    absent: async (guildIds) => {
      const rows = await db
        .selectFrom('discordGuilds')
        .select('guildId')
        .where('leftAt', 'is', null)
        .where(sql<boolean>`guild_id <> all(${guildIds})`)
        .execute();
      return rows.map(({ guildId: id }) => id);
    },
    noteOutage: async (guildId) => {
      await db
        .updateTable('discordGuilds')
        .set({ unavailableSince: sql`coalesce(unavailable_since, clock_timestamp())` })
        .where('guildId', '=', guildId)
        .execute();
    },
    leave: (guildId, opened) => leave(typedTransaction(opened), guildId),
  };
}

const integerMax = 2 ** 31 - 1;

/** Shown only in the dashboard: an odd count must not keep the rest of a server from being stored. */
const storableCount = (count: number | null): number | null =>
  count !== null && Number.isFinite(count) && count >= 0 ? Math.min(integerMax, Math.round(count)) : null;

async function write(trx: Kysely<Database>, guild: DescribedGuild) {
  const roles = JSON.stringify(guild.roles.map((role) => ({ ...role, name: cleanText(role.name, nameMax) })));
  const channels = JSON.stringify(guild.channels.map((each) => ({ ...each, name: cleanText(each.name, nameMax) })));
  const { guildId, ownerId, memberCount, botPermissions, botTopPosition } = guild;
  const name = cleanText(guild.name, nameMax) || `server ${guildId}`;
  // A separate statement: one that also changes the row would not see the old values.
  const { rows } = await sql<{ isPresent: boolean; hasChanged: boolean }>`
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
  const isNew = before?.isPresent !== true;
  return { isNew, hasChanged: !isNew && before.hasChanged };
}

async function leave(transaction: Kysely<Database>, guildId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('discordGuilds')
    .set({ leftAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
    .where('guildId', '=', guildId)
    .where('leftAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  // Members before actions, the lock order everywhere. From here on Discord no longer reports roles.
  await forgetRoles(transaction, guildId);
  await holdRoleChanges(transaction, guildId);
  await transaction
    .updateTable('discordActions')
    .set({ state: 'dropped', failure: 'The bot was put out of the server.', doneAt: sql`clock_timestamp()` })
    .where('guildId', '=', guildId)
    .where('state', '=', 'pending')
    .execute();
  return true;
}

const guildRows = (db: Kysely<Database>) =>
  db
    .selectFrom('discordGuilds as g')
    .leftJoin('discordGuildConfigs as c', 'c.guildId', 'g.guildId')
    .select([
      'g.guildId',
      'g.name',
      'g.memberCount',
      'g.roles',
      'g.channels',
      'g.botPermissions',
      'g.botTopPosition',
      'g.leftAt',
      'g.unavailableSince',
      'c.roleId',
      'c.channelId',
      'c.nftContract',
      'c.nftName',
      'c.graceMinutes',
      'c.version',
      'c.panelMessageId',
      'c.panelGoneAt',
    ])
    .select((eb) => [
      eb
        .selectFrom('discordMembers as m')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('m.guildId', '=', 'g.guildId')
        .where(isVerified)
        .as('verifiedCount'),
      eb
        .exists(
          eb
            .selectFrom('discordRemovalBatches as b')
            .select(sql`1`.as('one'))
            .whereRef('b.guildId', '=', 'g.guildId')
            .where('b.state', '=', 'waiting'),
        )
        .as('hasWaitingRemoval'),
    ]);

type GuildRow = Awaited<ReturnType<ReturnType<typeof guildRows>['executeTakeFirstOrThrow']>>;

const toKnownGuild = (row: GuildRow): KnownGuild => ({
  guildId: row.guildId,
  name: row.name,
  memberCount: row.memberCount,
  roles: row.roles as KnownGuild['roles'],
  channels: row.channels as KnownGuild['channels'],
  botPermissions: row.botPermissions,
  botTopPosition: row.botTopPosition,
  isPresent: row.leftAt === null,
  isInOutage: row.unavailableSince !== null,
  verifiedCount: Number(row.verifiedCount),
  hasWaitingRemoval: Boolean(row.hasWaitingRemoval),
  panel: row.panelMessageId === null ? 'none' : row.panelGoneAt === null ? 'posted' : 'deleted',
  config:
    row.nftContract === null
      ? null
      : {
          roleId: row.roleId ?? '',
          channelId: row.channelId,
          nftContract: row.nftContract,
          nftName: row.nftName ?? '',
          graceMinutes: row.graceMinutes ?? 0,
          version: row.version ?? 1,
        },
});
