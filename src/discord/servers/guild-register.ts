import { isDeepStrictEqual } from 'node:util';

import type { Kysely } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { resumeRoleChanges } from '../roles/member-roles.ts';
import { reconfigure } from './configuring.ts';
import { listenerName, type Watching, lockGuildConfig } from './guild-config-store.ts';
import { forgetRoles, lockMembers, noteGoneRole } from './guild-member-store.ts';
import type { DescribedGuild } from './rules/known-guild.ts';

interface GuildRegisterDeps {
  readonly db: Kysely<Database>;
  readonly watching: Pick<Watching, 'watch' | 'unwatch'>;
}

/** Stores servers that are joined, changed and left, with what follows. Throws database errors. */
export function createGuildRegister({ db, watching }: GuildRegisterDeps) {
  const saveIn = async (trx: Trx, guild: DescribedGuild): Promise<void> => {
    const { config, isNew, hasChanged } = await saveGuild(trx, guild);
    // The bot has given no role there. After a first connect there may be thousands of such servers.
    if (config === undefined) return;
    // What Discord refused before is retried.
    if (hasChanged) await resumeRoleChanges(trx, guild.guildId);
    if (!isNew) return;
    // In one transaction with the server's own row: a retry would no longer see the server as new.
    await reconfigure(trx, guild.guildId);
    if (config.trackedCollectionId !== null)
      await watching.watch(listenerName, BigInt(config.trackedCollectionId), guild.guildId, trx);
  };
  /** The bot was removed, or the server was deleted; not for an outage. */
  const leave = (guildId: string): Promise<void> =>
    transact(db, async (trx) => {
      const { config } = await lockGuildConfig(trx, guildId);
      const trackedId = config?.trackedCollectionId ?? null;
      if (!(await leaveGuild(trx, guildId)) || trackedId === null) return;
      await watching.unwatch(listenerName, BigInt(trackedId), guildId, trx);
    });

  return {
    /** A server that the bot had left gets its configuration and work back. */
    save: (guild: DescribedGuild): Promise<void> => transact(db, (trx) => saveIn(trx, guild)),
    /** Discord reports an outage of the server, until it is saved again. */
    noteOutage: async (guildId: string): Promise<void> => {
      await db
        .updateTable('discordGuilds')
        .set(({ fn }) => ({ unavailableSince: fn.coalesce('unavailableSince', databaseNow) }))
        .where('guildId', '=', guildId)
        .execute();
    },
    leave,
    /** After a connect: servers that `isOfShard` accepts and `guildIds` lacks were left while disconnected. */
    leaveAllBut: async (guildIds: ReadonlySet<string>, isOfShard: (guildId: string) => boolean): Promise<void> => {
      const present = await db.selectFrom('discordGuilds').select('guildId').where('leftAt', 'is', null).execute();
      for (const { guildId } of present) if (!guildIds.has(guildId) && isOfShard(guildId)) await leave(guildId);
    },
  };
}
export type GuildRegister = ReturnType<typeof createGuildRegister>;

const nameMax = 100;
const integerMax = 2 ** 31 - 1;

/** Shown only in the dashboard: an odd count must not keep the rest of a server from being stored. */
const storableCount = (count: number | null): number | null =>
  count !== null && Number.isFinite(count) && count >= 0 ? Math.min(integerMax, Math.round(count)) : null;

const withCleanName = <Named extends { readonly name: string }>(each: Named): Named => ({
  ...each,
  name: cleanText(each.name, nameMax),
});

/**
 * Stores a server that the bot is in. `isNew`: as far as known, the bot was not in it before. `hasChanged`: its roles or the bot's
 * permissions changed. If the chosen role is gone, no one has it from then on. Locks the server.
 */
export async function saveGuild(trx: Trx, guild: DescribedGuild) {
  const { guildId, botPermissions, botTopPosition } = guild;
  const roles = guild.roles.map(withCleanName);
  const channels = guild.channels.map(withCleanName);
  // Servers are locked before members, as everywhere.
  const { guild: before, config } = await lockGuildConfig(trx, guildId);
  const values = {
    name: cleanText(guild.name, nameMax) || `server ${guildId}`,
    memberCount: storableCount(guild.memberCount),
    roles: JSON.stringify(roles),
    channels: JSON.stringify(channels),
    botPermissions,
    botTopPosition,
  };
  const isNew = before === undefined || before.leftAt !== null;
  await trx
    .insertInto('discordGuilds')
    .values({ guildId, ...values })
    .onConflict((conflict) =>
      conflict.column('guildId').doUpdateSet({ ...values, leftAt: null, unavailableSince: null }),
    )
    .execute();
  // The steps that follow change all of them.
  if (isNew) await lockMembers(trx, guildId);
  await noteGoneRole(trx, guildId);
  if (isNew) return { config, isNew, hasChanged: false };
  const known = [before.roles, before.botPermissions, before.botTopPosition];
  return { config, isNew, hasChanged: !isDeepStrictEqual(known, [roles, botPermissions, botTopPosition]) };
}

/** False: the bot was not in it. */
export async function leaveGuild(trx: Trx, guildId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('discordGuilds')
    .set({ leftAt: databaseNow, updatedAt: databaseNow })
    .where('guildId', '=', guildId)
    .where('leftAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  // From here on Discord no longer reports roles.
  await forgetRoles(trx, guildId);
  return true;
}
