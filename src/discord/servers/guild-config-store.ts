import type { Kysely } from 'kysely';
import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { type Trx, transact } from '../../db/transaction.ts';
import type { DescribedGuild, GuildConfig } from './rules/known-guild.ts';
import type { Activity } from '../../market/contract.ts';
import type { Logger } from '../../process/logger.ts';
import { Refused, Unavailable } from '../../shared/failure.ts';

/** How the log of changes names a server. */
export const guildSubject = (guildId: string, name: string) => ({ kind: 'discord-guild', id: guildId, label: name });

/** The message with the button by which members verify. */
export type Panel = Readonly<Record<'panelChannelId' | 'panelMessageId', string>>;

export type ConfigFields = Omit<GuildConfig, 'version'> & { readonly trackedCollectionId: string | null };

/**
 * A server and its configuration, locked by the transaction; undefined: the bot has never been there, or it is not configured. The server's
 * row is locked too, so that two first saves do not collide.
 */
export async function lockGuildConfig(trx: Trx, guildId: string) {
  // Not `for update`: callers that queue a role change only check that the server exists, and must not wait.
  const guild = await trx
    .selectFrom('discordGuilds')
    .select(['name', 'leftAt', 'roles', 'channels', 'botPermissions', 'botTopPosition'])
    .$narrowType<Pick<DescribedGuild, 'roles' | 'channels'>>()
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const config = await trx
    .selectFrom('discordGuildConfigs')
    .selectAll()
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return { guild, config };
}

/** Also makes a sweep due, so that everyone is checked again. */
export async function writeConfig(
  trx: Trx,
  guildId: string,
  values: ConfigFields & Partial<Panel> & { readonly updatedBy: string },
): Promise<void> {
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

/** The server's next sweep begins at once; one that is running no longer counts. */
export async function sweepNow(db: Kysely<Database>, guildId: string): Promise<void> {
  await db.updateTable('discordGuildConfigs').set({ sweepDueAt: databaseNow }).where('guildId', '=', guildId).execute();
}

/** Configurations `c` of the servers `g` the bot is in. */
export const configsOfPresentGuilds = (db: Kysely<Database>) =>
  db
    .selectFrom('discordGuildConfigs as c')
    .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
    .where('g.leftAt', 'is', null);

/**
 * Servers `g` the bot is in with a row of that table that is due now or later. Found one after the other in its index: a server costs the
 * same whether one row waits there or thousands, so rows that cannot be processed cost nothing.
 */
export const presentGuildsWithDue = (table: 'discord_member_roles' | 'discord_direct_messages'): string => `(
  with recursive waiting (guild_id) as (
    (select guild_id from ${table} where due_at is not null order by guild_id limit 1)
    union all
    select (select later.guild_id from ${table} later where later.due_at is not null and later.guild_id > waiting.guild_id
      order by later.guild_id limit 1) from waiting where waiting.guild_id is not null
  )
  select there.* from waiting join discord_guilds there using (guild_id) where there.left_at is null) g`;

/** Of a server `g`: its role changes are paused, or are being tried at this moment. */
export const isPaused =
  "(g.roles_paused_until is not null and g.roles_paused_until > clock_timestamp() - interval '1 minute')";

/** The part of the activity pipeline that the bot uses; it serves several listeners, each with its own watches. */
export type Watching = Pick<Activity, 'lookUp' | 'track' | 'watch' | 'unwatch' | 'setPaused'>;

/** The name under which the role engine listens; a watcher is a server. */
export const listenerName = 'discord';

interface WatchDeps {
  readonly db: Kysely<Database>;
  readonly watching: Pick<Watching, 'lookUp' | 'track' | 'watch'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** null: the marketplace does not know the collection, or cannot be reached now and is tried again later. Holdings need only the chain. */
async function trackedIdOf({ watching, log }: Omit<WatchDeps, 'db'>, nftType: string): Promise<string | null> {
  try {
    const found = await watching.lookUp(nftType);
    // Whether the marketplace has verified the collection does not matter here: admins name its type.
    if (found.kind !== 'found' && found.kind !== 'unverified') return null;
    return String((await watching.track(found.collection)).id);
  } catch (error) {
    if (!(error instanceof Unavailable) && !(error instanceof Refused)) throw error;
    log.warn({ err: error, nftType }, 'The marketplace could not be asked about a collection; trying again later');
    return null;
  }
}

/** Watches the collection for servers that do not yet: configured since, or the marketplace did not know it or could not be reached. */
export async function watchUntracked({ db, ...deps }: WatchDeps, nftType: string): Promise<void> {
  const untracked = configsOfPresentGuilds(db)
    .select('c.guildId')
    .where('c.nftContract', '=', nftType)
    .where('c.trackedCollectionId', 'is', null)
    .orderBy('c.guildId');
  if ((await untracked.executeTakeFirst()) === undefined) return;
  const trackedCollectionId = await trackedIdOf(deps, nftType);
  if (trackedCollectionId === null) return;
  for (const { guildId } of await untracked.execute()) {
    await transact(db, async (trx) => {
      const { guild, config } = await lockGuildConfig(trx, guildId);
      if (guild?.leftAt !== null || config?.nftContract !== nftType || config.trackedCollectionId !== null) return;
      await trx
        .updateTable('discordGuildConfigs')
        .set({ trackedCollectionId })
        .where('guildId', '=', guildId)
        .execute();
      await deps.watching.watch(listenerName, BigInt(trackedCollectionId), guildId, trx);
    });
  }
}
