import type { Kysely, Selectable, UpdateObject } from 'kysely';
import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { type Trx, transact } from '../../db/transaction.ts';
import type { DescribedGuild, GuildConfig } from './rules/known-guild.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { CollectionTracking } from '../../market/contract.ts';
import type { Logger } from '../../process/logger.ts';
import { collectionWatch } from '../roles/role-jobs.ts';
import { Refused, Unavailable } from '../../shared/failure.ts';

/** A configuration being changed: locked by the transaction. */
export interface HeldConfig extends GuildConfig {
  readonly trackedCollectionId: bigint | null;
  readonly panel: Panel | null;
}

/** The message with the button by which members verify. */
export interface Panel {
  readonly channelId: string;
  readonly messageId: string;
}

export type ConfigFields = Omit<HeldConfig, 'version' | 'panel'>;

/** The server itself, locked likewise. */
interface HeldGuild extends Pick<DescribedGuild, 'name' | 'roles' | 'channels'> {
  readonly isPresent: boolean;
}

/** Locks the server's row too, so that two first saves do not collide. `guild` null: the bot has never been there. */
export async function holdGuild(trx: Trx, guildId: string) {
  // Not `for update`: callers that queue a role change only check that the server exists, and must not wait.
  const guild = await trx
    .selectFrom('discordGuilds')
    .select(['name', 'leftAt', 'roles', 'channels'])
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const row = await trx
    .selectFrom('discordGuildConfigs')
    .selectAll()
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return {
    guild: guild === undefined ? null : ({ ...guild, isPresent: guild.leftAt === null } as HeldGuild),
    config: row === undefined ? null : toHeld(row),
  };
}

const toHeld = (row: Selectable<Database['discordGuildConfigs']>): HeldConfig => ({
  ...row,
  trackedCollectionId: row.trackedCollectionId === null ? null : BigInt(row.trackedCollectionId),
  panel:
    row.panelChannelId === null || row.panelMessageId === null
      ? null
      : { channelId: row.panelChannelId, messageId: row.panelMessageId },
});

/** Everyone is checked again. */
export async function writeConfig(trx: Trx, guildId: string, fields: ConfigFields, updatedBy: string): Promise<void> {
  const { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId: trackedId } = fields;
  const trackedCollectionId = trackedId === null ? null : String(trackedId);
  const values = { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId, updatedBy };
  await trx
    .insertInto('discordGuildConfigs')
    .values({ guildId, ...values })
    .onConflict((conflict) =>
      conflict.column('guildId').doUpdateSet((eb) => ({
        ...values,
        version: eb('discordGuildConfigs.version', '+', 1),
        updatedAt: databaseNow,
        sweepDueAt: databaseNow,
      })),
    )
    .execute();
}

async function update(db: Kysely<Database>, guildId: string, values: UpdateObject<Database, 'discordGuildConfigs'>) {
  await db.updateTable('discordGuildConfigs').set(values).where('guildId', '=', guildId).execute();
}

export const setPanel = (trx: Trx, guildId: string, { channelId, messageId }: Panel): Promise<void> =>
  update(trx, guildId, { panelChannelId: channelId, panelMessageId: messageId });

/** The server's next sweep begins at once; one that is running no longer counts. */
export const sweepNow = (trx: Kysely<Database>, guildId: string): Promise<void> =>
  update(trx, guildId, { sweepDueAt: databaseNow });

/** Configurations `c` of the servers `g` the bot is in. */
export const configsOfPresent = (db: Kysely<Database>) =>
  db
    .selectFrom('discordGuildConfigs as c')
    .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
    .where('g.leftAt', 'is', null);

/** The activity pipeline, as far as the bot uses it; it serves several listeners, each with watches of its own. */
export type Watching = Pick<CollectionTracking, 'lookUp' | 'track' | 'watch' | 'unwatch' | 'setPaused'>;

/** The name under which the role engine listens; a watcher is a server. */
export const listener = 'discord';

/** null: the marketplace knows none, or cannot be asked now, which is retried later. Holdings come from the chain alone. */
export async function trackedIdOf({ watching, log }: Omit<WatchDeps, 'db'>, nftType: string): Promise<bigint | null> {
  try {
    const found = await watching.lookUp(nftType);
    // Whether a collection is vouched for does not matter here: admins name its type.
    return found.kind === 'found' || found.kind === 'unverified' ? (await watching.track(found.collection)).id : null;
  } catch (error) {
    if (!(error instanceof Unavailable) && !(error instanceof Refused)) throw error;
    log.warn({ err: error, nftType }, 'The marketplace could not be asked for a collection; asking again later');
    return null;
  }
}

interface WatchDeps {
  readonly db: Kysely<Database>;
  readonly watching: Pick<Watching, 'lookUp' | 'track' | 'watch'>;
  readonly log: Pick<Logger, 'warn'>;
}

export const collectionWatchJob = (deps: WatchDeps): JobDefinition<object> => ({
  ...collectionWatch,
  failing: 'Collections of servers could not be watched',
  run: async (_payload, stop) => {
    const configs = configsOfPresent(deps.db).select(['c.guildId', 'c.nftContract']);
    const unwatched = await configs.where('c.trackedCollectionId', 'is', null).orderBy('c.guildId').execute();
    const byContract = Map.groupBy(unwatched, ({ nftContract }) => nftContract);
    for (const [nftContract, servers] of byContract) {
      if (stop.aborted) return;
      const trackedId = await trackedIdOf(deps, nftContract);
      if (trackedId === null) continue;
      for (const { guildId } of servers) await watchIn(deps, guildId, nftContract, trackedId);
    }
  },
});

const watchIn = ({ db, watching }: WatchDeps, guildId: string, nftContract: string, trackedId: bigint): Promise<void> =>
  transact(db, async (trx) => {
    const { guild, config } = await holdGuild(trx, guildId);
    if (guild?.isPresent !== true || config?.nftContract !== nftContract || config.trackedCollectionId !== null) return;
    await update(trx, guildId, { trackedCollectionId: String(trackedId) });
    await watching.watch(listener, trackedId, guildId, trx);
  });
