import type { Kysely } from 'kysely';

import type { KnownGuild } from './rules/known-guild.ts';
import type { Database } from '../../db/schema.ts';
import { isVerified } from '../roles/member-store.ts';

/** Every server the bot has met, as the gateway last described it. Throws database errors. */
export const createGuildStore = (db: Kysely<Database>) => ({
  /** null: the bot has never been there. */
  read: async (guildId: string): Promise<KnownGuild | null> => {
    const row = await guildRows(db).where('g.guildId', '=', guildId).executeTakeFirst();
    return row === undefined ? null : toKnownGuild(row);
  },
  /** Those the bot is in, by name. */
  present: async (): Promise<readonly KnownGuild[]> => {
    const rows = await guildRows(db)
      .where('g.leftAt', 'is', null)
      .orderBy(({ fn }) => fn('lower', ['g.name']))
      .orderBy('g.guildId')
      .execute();
    return rows.map(toKnownGuild);
  },
  countPresent: async (): Promise<number> => {
    const { count } = await db
      .selectFrom('discordGuilds')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('leftAt', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});
export type GuildStore = ReturnType<typeof createGuildStore>;

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
            .select('b.id')
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
