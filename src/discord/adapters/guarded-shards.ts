import { SimpleShardingStrategy } from 'discord.js';

/**
 * A shard that gives up a connection which is still being made takes its ear for errors away and leaves it as it is (@discordjs/ws
 * 1.2.3, WebSocketShard.destroy). What such a connection says at its end, half a minute later, is then an error nobody caught, which
 * ends the whole product. Here it is ended at once, and heard out.
 */
export class GuardedShards extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    for (const shard of shards.values()) guard(shard);
  }

  /** discord.js awaits none of these: what it still says after the end would be a rejection nobody caught, which ends the product. */
  override async send(...said: Parameters<SimpleShardingStrategy['send']>): Promise<void> {
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    if (shards.has(said[0])) await super.send(...said);
  }
}

/** What is private in the library's types, and there all the same. */
interface Shard {
  readonly connection: Connection | null;
  destroy(options?: object): Promise<void>;
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
    if (connection !== null && connection.readyState === connection.CONNECTING) letGo(connection);
    await destroy(options);
  };
}

function letGo(connection: Connection): void {
  Object.assign(connection, { onmessage: null, onclose: null, onerror: null });
  connection.on('error', () => {});
  connection.terminate();
}
