import { SimpleShardingStrategy } from 'discord.js';

import { GatewayUnreadable } from './gateway-failure.ts';

/**
 * A shard that gives up a connection which is still being made takes its ear for errors away and leaves it as it is (@discordjs/ws
 * 1.2.3, WebSocketShard.destroy). What such a connection says at its end, half a minute later, is then an uncaught error, which
 * ends the whole product. Here it is ended at once, and heard out.
 */
export class GuardedShards extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    for (const shard of shards.values()) guard(shard);
  }

  /** discord.js awaits none of these: what it still says after the end would be an unhandled rejection, which ends the product. */
  override async send(...said: Parameters<SimpleShardingStrategy['send']>): Promise<void> {
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    if (shards.has(said[0])) await super.send(...said);
  }
}

/** What a shard does of itself and awaits nowhere (@discordjs/ws 1.2.3), with answers of Discord's that it takes as they come. */
const unawaited = ['internalConnect', 'onMessage', 'onClose', 'heartbeat'] as const;

/** What is private in the library's types, and there all the same. */
interface Shard extends Record<(typeof unawaited)[number], (...given: unknown[]) => Promise<unknown>> {
  readonly connection: Connection | null;
  destroy(options?: object): Promise<void>;
  /** The shard's own word for a failure: whoever waits for its connection hears it. */
  emit(event: 'error', told: { readonly error: unknown }): boolean;
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
  for (const name of unawaited) {
    const run = shard[name].bind(shard);
    // An address of the gateway that is no address, for instance: thrown where nobody listens, it would end the whole product.
    shard[name] = (...given) =>
      run(...given).catch((error: unknown) => shard.emit('error', { error: new GatewayUnreadable(error) }));
  }
}

function letGo(connection: Connection): void {
  Object.assign(connection, { onmessage: null, onclose: null, onerror: null });
  connection.on('error', () => {});
  connection.terminate();
}
