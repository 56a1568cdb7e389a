import { Client, GatewayIntentBits, Options, SimpleShardingStrategy } from 'discord.js';

import { GatewayUnreadable } from './gateway-failure.ts';
import { type RestOptions, rejectWaitsOver } from './rest-calls.ts';
import { withTimeout } from '../../process/in-time.ts';

/** A Discord connection that is not logged in yet. */
export interface GatewayConnection {
  readonly client: Client;
  /** Throws Discord's refusal; resolves before the bot is ready. */
  login(): Promise<void>;
  /** Takes about a second at most. The connection cannot be used again. */
  close(): Promise<void>;
}

const restTimeoutMs = 10_000;
/** Requests at startup may wait; callers give up sooner. */
const longestLimitMs = 60_000;
const closeWithinMs = 1_000;
/** An unavailable server must not delay the others. */
const guildsWithinMs = 3_000;

/** The gateway client of discord.js. `apiUrl` without version; the gateway's own address comes from there. */
export function createGatewayConnection({ token, apiUrl }: RestOptions): GatewayConnection {
  let isClosed = false;
  const client = new Client({
    // As many as Discord recommends, all in this process (rulings R7).
    shards: 'auto',
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
    // Text from the chain and from strangers must not ping anyone.
    allowedMentions: { parse: [] },
    makeCache: smallCaches(),
    rest: { api: apiUrl, timeout: restTimeoutMs, retries: 1, rejectOnRateLimit: rejectWaitsOver(longestLimitMs) },
    waitGuildTimeout: guildsWithinMs,
    ws: {
      // A shard destroyed between two attempts keeps connecting (@discordjs/ws 1.2: WebSocketShard.destroy finds it 'idle',
      // then internalConnect follows): without session information it waits forever instead.
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
      // An invalid recommendation creates no shards, and the client would never be ready.
      if (client.ws.shards.size === 0) throw new GatewayUnreadable('GET /gateway/bot recommends no shards');
    },
    close: async () => {
      isClosed = true;
      // A gateway that does not answer the close is abandoned.
      await withTimeout(client.destroy(), closeWithinMs, () => {});
    },
  };
}

/** Only the bot's own user is cached: the database has what matters about the others. */
const smallCaches = () =>
  Options.cacheWithLimits({
    ...Options.DefaultMakeCacheSettings,
    GuildEmojiManager: 0,
    GuildForumThreadManager: 0,
    GuildMemberManager: { maxSize: 1, keepOverLimit: ({ id, client }) => id === client.user.id },
    GuildMessageManager: 0,
    GuildScheduledEventManager: 0,
    GuildStickerManager: 0,
    GuildTextThreadManager: 0,
    MessageManager: 0,
    PresenceManager: 0,
    StageInstanceManager: 0,
    ThreadManager: 0,
    ThreadMemberManager: 0,
    UserManager: { maxSize: 1, keepOverLimit: ({ id, client }) => id === client.user.id },
    VoiceStateManager: 0,
  });

/**
 * A shard that gives up while connecting removes the connection's error listener and leaves it open (@discordjs/ws 1.2.3,
 * WebSocketShard.destroy). An error of that connection half a minute later would be uncaught and end the process. Here the
 * connection is ended at once and its errors are handled.
 */
class GuardedShards extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    for (const shard of shards.values()) guard(shard);
  }

  /** discord.js does not await these: a late rejection would be unhandled and end the process. */
  override async send(...args: Parameters<SimpleShardingStrategy['send']>): Promise<void> {
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    if (shards.has(args[0])) await super.send(...args);
  }
}

/** Methods that a shard calls without awaiting them (@discordjs/ws 1.2.3), on unchecked answers of Discord. */
const unawaited = ['internalConnect', 'onMessage', 'onClose', 'heartbeat'] as const;

/** Private in the library's types. */
interface Shard extends Record<(typeof unawaited)[number], (...given: unknown[]) => Promise<unknown>> {
  readonly connection: Connection | null;
  destroy(options?: object): Promise<void>;
  /** How the shard reports a failure to code waiting for its connection. */
  emit(event: 'error', failure: { readonly error: unknown }): boolean;
}

interface Connection {
  readonly readyState: number;
  readonly CONNECTING: number;
  on(event: 'error', hear: () => void): unknown;
  terminate(): void;
}

function guard(shard: Shard): void {
  const destroy = shard.destroy.bind(shard);
  shard.destroy = async (options) => {
    const { connection } = shard;
    if (connection !== null && connection.readyState === connection.CONNECTING) abandon(connection);
    await destroy(options);
  };
  for (const name of unawaited) {
    const run = shard[name].bind(shard);
    // An uncaught error, such as for an invalid gateway address, would end the process.
    shard[name] = (...given) =>
      run(...given).catch((error: unknown) => shard.emit('error', { error: new GatewayUnreadable(error) }));
  }
}

function abandon(connection: Connection): void {
  Object.assign(connection, { onmessage: null, onclose: null, onerror: null });
  connection.on('error', () => {});
  connection.terminate();
}
