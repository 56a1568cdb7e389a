import { type Client, GatewayDispatchEvents } from 'discord.js';

import type { BotLog } from '../../bot-service/bot-runner.ts';
import { createKeyedWork } from './keyed-work.ts';
import type { BotWork } from './run-gateway.ts';
import type { GuildRegister } from '../servers/guild-register.ts';
import { hearDispatch, readyPayload } from './gateway-payloads.ts';

interface PresenceDeps {
  readonly register: Pick<GuildRegister, 'leaveAllBut'>;
  readonly log: BotLog;
  readonly retryMs: number;
}

/** Servers of one shard that Discord listed at its last connect. */
interface NamedGuilds {
  readonly guildIds: ReadonlySet<string>;
  readonly shardCount: number;
}

/** Servers left while disconnected: after a shard connects, those of that shard which Discord no longer lists. */
export function addShardPresence(client: Client, { register, log, retryMs }: PresenceDeps): BotWork {
  const namedBy = new Map<number, NamedGuilds>();
  const absences = createKeyedWork({
    work: async (key) => {
      const shardId = Number(key);
      const named = namedBy.get(shardId);
      if (named === undefined) return;
      const isOfShard = (guildId: string): boolean => shardOf(guildId, named.shardCount) === shardId;
      // And those that came since.
      await register.leaveAllBut(new Set([...named.guildIds, ...client.guilds.cache.keys()]), isOfShard);
    },
    onFailure: (error, shardId) =>
      log.warn({ err: error, shardId }, 'Servers that the bot has left could not be saved; trying again'),
    retryMs,
  });
  // Before discord.js handles it: what it still caches of the shard and Discord no longer lists was left meanwhile.
  hearDispatch(client, log, GatewayDispatchEvents.Ready, readyPayload, ({ guilds, shard: [shardId, shardCount] }) => {
    const guildIds = new Set(guilds.map(({ id }) => id));
    namedBy.set(shardId, { guildIds, shardCount });
    const left = client.guilds.cache.filter((guild) => guild.shardId === shardId && !guildIds.has(guild.id));
    for (const id of left.keys()) client.guilds.cache.delete(id);
    absences.ask(String(shardId));
  });
  return { stop: () => absences.stop() };
}

/** Documentation, topics/gateway, 'Sharding'. */
const shardOf = (guildId: string, shardCount: number): number => Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
