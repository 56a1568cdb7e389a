import type { Kysely } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { GuildConfigStore } from '../adapters/guild-config-store.ts';
import type { GuildStore } from '../adapters/guild-store.ts';
import type { Database } from '../../db/schema.ts';
import type { DescribedGuild } from '../core/known-guild.ts';
import type { CollectionWatching } from '../ports.ts';
import type { BotRoles } from './bot-ports.ts';

export interface GuildDeskDeps {
  readonly db: Kysely<Database>;
  readonly guilds: GuildStore;
  readonly configs: GuildConfigStore;
  readonly watching: Pick<CollectionWatching, 'watch' | 'unwatch'>;
  readonly roles: Pick<BotRoles, 'configurationChanged' | 'guildChanged'>;
}

/** Servers that come, change and go, written down with what follows. Throws what the database throws. */
export interface GuildDesk {
  /** A server that was left gets its configuration and its work back. */
  save(guild: DescribedGuild): Promise<void>;
  /** Discord reports an outage of the server, until it is saved again. */
  noteOutage(guildId: string): Promise<void>;
  /** Put out, or the server is gone; an outage of the server is none of this. */
  leave(guildId: string): Promise<void>;
  /** After a connect: what `isAsked` and is not among these was left while nobody listened. */
  leaveAllBut(guildIds: readonly string[], isAsked: (guildId: string) => boolean): Promise<void>;
}

export function createGuildDesk({ db, guilds, configs, watching, roles }: GuildDeskDeps): GuildDesk {
  const leave = (guildId: string): Promise<void> =>
    inTransaction(db, async (opened) => {
      const { config } = await configs.hold(guildId, opened);
      if (!(await guilds.leave(guildId, opened))) return;
      if (config !== null && config.trackedCollectionId !== null) {
        await watching.unwatch(config.trackedCollectionId, guildId, opened);
      }
    });

  const saveIn = async (guild: DescribedGuild, opened: OpenTransaction) => {
    // Before members, as everybody locks them.
    const { config } = await configs.hold(guild.guildId, opened);
    const saved = await guilds.save(guild, opened);
    // Nobody has a role there by this bot: after a first connect that may be thousands of servers.
    if (config === null) return { isNew: false, hasChanged: false };
    if (!saved.isNew) return saved;
    // With the server's own row or not at all: what is tried again finds a server that is new no more.
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
