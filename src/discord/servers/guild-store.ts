import { type Kysely, sql } from 'kysely';

import type { GuildConfig, KnownGuild } from './rules/known-guild.ts';
import type { Database } from '../../db/schema.ts';
import { isVerified } from '../roles/member-store.ts';
import { type Purge, type PurgeStep, rowsAtOnceMax, stepOf } from '../../retention/purge.ts';
import { retainedSince } from '../../retention/retention.ts';
import { Refused } from '../../shared/failure.ts';
import type { AuditTrail } from '../ports.ts';
import { guildSubject, listenerName, type Watching } from './guild-config-store.ts';
import { transact, type Trx } from '../../db/transaction.ts';

/** Every server the bot has met, as the gateway last described it. Throws database errors. */
export const createGuildStore = (db: Kysely<Database>) => ({
  /** null: the bot has never been there. */
  read: async (guildId: string): Promise<KnownGuild | null> => {
    const row = await guildRows(db).where('g.guildId', '=', guildId).executeTakeFirst();
    return row === undefined ? null : toKnownGuild(row);
  },
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

export const unknownGuild = (): Refused => new Refused('not-found', 'The bot is not in this server. Refresh the list.');

/** The name of a server where the bot is or was. Throws Refused. */
export async function knownGuildName(db: Kysely<Database>, guildId: string): Promise<string> {
  const guild = await db.selectFrom('discordGuilds').select('name').where('guildId', '=', guildId).executeTakeFirst();
  if (guild === undefined) throw unknownGuild();
  return guild.name;
}

const guildRows = (db: Kysely<Database>) =>
  db
    .selectFrom('discordGuilds as g')
    .leftJoin('discordGuildConfigs as c', 'c.guildId', 'g.guildId')
    .selectAll('g')
    .select(['c.roleId', 'c.channelId', 'c.nftContract', 'c.nftName', 'c.graceMinutes', 'c.version'])
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
  config: configOf(row),
});

const configOf = ({ roleId, channelId, nftContract, nftName, graceMinutes, version }: GuildRow) =>
  nftContract === null ? null : ({ roleId, channelId, nftContract, nftName, graceMinutes, version } as GuildConfig);

interface GuildPurgePorts {
  readonly watching: Pick<Watching, 'unwatch'>;
  readonly audit: AuditTrail;
}

export const guildPurge = (db: Kysely<Database>, ports: GuildPurgePorts): Purge => ({
  table: 'discord_guilds',
  step: () => purgeGuild(db, ports),
});

/** Each after the tables that refer to it. */
const tablesOfGuild = [
  'discord_posts',
  'discord_direct_messages',
  'discord_member_roles',
  'discord_removal_batches',
  'discord_authorized_wallets',
  'discord_verifications',
  'discord_wallets',
  'discord_members',
] as const;

/**
 * One step of purging the server that the bot left longest ago: at most some thousand rows, so that transactions stay short. Each
 * server is purged by one copy at a time.
 */
const purgeGuild = (db: Kysely<Database>, { watching, audit }: GuildPurgePorts): Promise<PurgeStep> =>
  transact(db, async (trx) => {
    const due = await trx
      .selectFrom('discordGuilds')
      .select(['guildId', 'name', 'leftAt'])
      .where('leftAt', '<=', retainedSince('discord_guilds'))
      .orderBy('leftAt')
      .limit(1)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (due === undefined) return stepOf(0);
    if (!(await deleteSome(trx, due.guildId))) return { purgedRows: 0, hasMore: true };
    const { guildId, name, leftAt } = due;
    const config = await trx
      .deleteFrom('discordGuildConfigs')
      .where('guildId', '=', guildId)
      .returning('trackedCollectionId')
      .executeTakeFirst();
    const tracked = config?.trackedCollectionId ?? null;
    if (tracked !== null) await watching.unwatch(listenerName, BigInt(tracked), guildId, trx);
    await trx.deleteFrom('discordGuilds').where('guildId', '=', guildId).execute();
    const entry = {
      actor: { kind: 'system', name: 'purge' },
      action: 'discord-server-purged',
      subject: guildSubject(guildId, name),
    } as const;
    await audit.record({ ...entry, before: { leftAt: leftAt?.toISOString() ?? null }, after: null }, trx);
    return { purgedRows: 1, hasMore: true };
  });

/** False: more rows of the server remain. */
async function deleteSome(trx: Trx, guildId: string): Promise<boolean> {
  let left = rowsAtOnceMax;
  for (const table of tablesOfGuild) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where guild_id = ${guildId} limit ${left}))`.execute(trx);
    left -= Number(numAffectedRows);
    if (left === 0) return false;
  }
  return true;
}
