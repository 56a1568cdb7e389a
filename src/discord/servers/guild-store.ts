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
    .selectAll('g')
    .select(['c.roleId', 'c.channelId', 'c.nftContract', 'c.nftName', 'c.graceMinutes', 'c.version'])
    .select(['c.panelMessageId', 'c.panelGoneAt'])
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
  ...(row as GuildRow & Pick<KnownGuild, 'roles' | 'channels'>),
  isPresent: row.leftAt === null,
  isInOutage: row.unavailableSince !== null,
  verifiedCount: Number(row.verifiedCount),
  hasWaitingRemoval: Boolean(row.hasWaitingRemoval),
  panel: row.panelMessageId === null ? 'none' : row.panelGoneAt === null ? 'posted' : 'deleted',
  config: configOf(row),
});

const configOf = ({ roleId, channelId, nftContract, nftName, graceMinutes, version }: GuildRow) =>
  nftContract === null
    ? null
    : {
        roleId: roleId ?? '',
        channelId,
        nftContract,
        nftName: nftName ?? '',
        graceMinutes: graceMinutes ?? 0,
        version: version ?? 1,
      };
