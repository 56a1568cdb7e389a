import type { Kysely } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { GuildConfigStore } from './guild-config-store.ts';
import type { GuildStore } from './guild-store.ts';
import type { Database } from '../../db/schema.ts';
import type { DescribedGuild } from './rules/known-guild.ts';
import type { CollectionWatching } from '../ports.ts';
import type { Roles } from '../roles/roles.ts';

export interface GuildRegisterDeps {
  readonly db: Kysely<Database>;
  readonly guilds: GuildStore;
  readonly configs: GuildConfigStore;
  readonly watching: Pick<CollectionWatching, 'watch' | 'unwatch'>;
  readonly roles: Pick<Roles, 'configurationChanged' | 'guildChanged'>;
}

/** Stores servers that come, change and go, with what follows. Throws database errors. */
export interface GuildRegister {
  /** A server that the bot had left gets its configuration and work back. */
  save(guild: DescribedGuild): Promise<void>;
  /** Discord reports an outage of the server, until it is saved again. */
  noteOutage(guildId: string): Promise<void>;
  /** The bot was removed, or the server is gone; not for an outage. */
  leave(guildId: string): Promise<void>;
  /** After a connect: servers that `isAsked` accepts and `guildIds` lacks were left while disconnected. */
  leaveAllBut(guildIds: readonly string[], isAsked: (guildId: string) => boolean): Promise<void>;
}

export function createGuildRegister({ db, guilds, configs, watching, roles }: GuildRegisterDeps): GuildRegister {
  const leave = (guildId: string): Promise<void> =>
    inTransaction(db, async (opened) => {
      const { config } = await configs.hold(guildId, opened);
      if (!(await guilds.leave(guildId, opened))) return;
      if (config !== null && config.trackedCollectionId !== null) {
        await watching.unwatch(config.trackedCollectionId, guildId, opened);
      }
    });

  const saveIn = async (guild: DescribedGuild, opened: OpenTransaction) => {
    // Before members, the lock order everywhere.
    const { config } = await configs.hold(guild.guildId, opened);
    const saved = await guilds.save(guild, opened);
    // The bot gave no role there: after a first connect that may be thousands of servers.
    if (config === null) return { isNew: false, hasChanged: false };
    if (!saved.isNew) return saved;
    // With the server's own row or not at all: a retry would no longer see the server as new.
    if (config.trackedCollectionId !== null) await watching.watch(config.trackedCollectionId, guild.guildId, opened);
    await configs.sweepNow(guild.guildId, opened);
    return saved;
  };

  return {
    save: async (guild) => {
      const { isNew, hasChanged } = await inTransaction(db, (opened) => saveIn(guild, opened));
      if (isNew) await roles.configurationChanged(guild.guildId);
      else if (hasChanged) await roles.guildChanged(guild.guildId);
    },
    noteOutage: (guildId) => guilds.noteOutage(guildId),
    leave,
    leaveAllBut: async (guildIds, isAsked) => {
      const absent = await guilds.absent(guildIds);
      for (const guildId of absent.filter(isAsked)) await leave(guildId);
    },
  };
}
