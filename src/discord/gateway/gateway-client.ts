import { setTimeout as delay } from 'node:timers/promises';

import { Client, GatewayIntentBits, Options } from 'discord.js';

import { GatewayUnreadable } from './gateway-failure.ts';
import { GuardedShards } from './guarded-shards.ts';
import { waitsAtMost } from './rest-client.ts';

/** A connection to Discord that has not logged in yet. */
export interface GatewayConnection {
  readonly client: Client;
  /** Throws what the platform refuses; resolves before the bot is ready. */
  login(): Promise<void>;
  /** At most about a second. It never comes back. */
  close(): Promise<void>;
}

const restTimeoutMs = 10_000;
/** What is asked for while the bot begins has time; whoever asked the bot gives up sooner. */
const longestLimitMs = 60_000;
const closeWithinMs = 1_000;
/** A server that is out must not hold up the others. */
const guildsWithinMs = 3_000;

/** The gateway as discord.js speaks it. `apiUrl` without version; the gateway's own address comes from there. */
export function createGatewayConnection({
  token,
  apiUrl,
}: {
  readonly token: string;
  readonly apiUrl: string;
}): GatewayConnection {
  let isClosed = false;
  const client = new Client({
    // As many as Discord recommends, all in this process (rulings R7).
    shards: 'auto',
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
    // Text from the chain and of strangers pings nobody.
    allowedMentions: { parse: [] },
    makeCache: smallCaches(),
    rest: { api: apiUrl, timeout: restTimeoutMs, retries: 1, rejectOnRateLimit: waitsAtMost(longestLimitMs) },
    waitGuildTimeout: guildsWithinMs,
    ws: {
      // A shard that is between two attempts when it is destroyed goes on connecting (@discordjs/ws 1.2, WebSocketShard.destroy
      // answers 'idle' and internalConnect follows): without its session information it waits for ever.
      buildStrategy: (manager) => {
        const { options } = manager;
        const known = { ...options };
        options.retrieveSessionInfo = (shardId) =>
          isClosed ? new Promise<never>(() => {}) : known.retrieveSessionInfo(shardId);
        return new GuardedShards(manager);
      },
    },
  });
  return {
    client,
    login: async () => {
      await client.login(token);
      // A recommendation that is no number makes no shard, and nobody would ever be ready.
      if (client.ws.shards.size === 0) throw new GatewayUnreadable('GET /gateway/bot recommends no shards');
    },
    close: async () => {
      isClosed = true;
      // A gateway that does not answer the goodbye is left alone.
      await Promise.race([client.destroy(), delay(closeWithinMs, undefined, { ref: false })]);
    },
  };
}

/** Of people only the bot itself is kept: the database has what matters of the others. */
const smallCaches = () =>
  Options.cacheWithLimits({
    ...Options.DefaultMakeCacheSettings,
    ApplicationCommandManager: 0,
    AutoModerationRuleManager: 0,
    DMMessageManager: 0,
    GuildBanManager: 0,
    GuildEmojiManager: 0,
    GuildForumThreadManager: 0,
    GuildInviteManager: 0,
    GuildMemberManager: { maxSize: 1, keepOverLimit: ({ id, client }) => id === client.user.id },
    GuildMessageManager: 0,
    GuildScheduledEventManager: 0,
    GuildStickerManager: 0,
    GuildTextThreadManager: 0,
    MessageManager: 0,
    PresenceManager: 0,
    ReactionManager: 0,
    ReactionUserManager: 0,
    StageInstanceManager: 0,
    ThreadManager: 0,
    ThreadMemberManager: 0,
    UserManager: { maxSize: 1, keepOverLimit: ({ id, client }) => id === client.user.id },
    VoiceStateManager: 0,
  });
