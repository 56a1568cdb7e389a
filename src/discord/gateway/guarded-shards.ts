import { SimpleShardingStrategy } from 'discord.js';

import { GatewayUnreadable } from './gateway-failure.ts';

/**
 * A shard that gives up a connection still being made removes its error listener and leaves it open (@discordjs/ws 1.2.3,
 * WebSocketShard.destroy). An error of that connection, half a minute later, would be uncaught and end the process. Here the
 * connection is ended at once and its errors are handled.
 */
export class GuardedShards extends SimpleShardingStrategy {
  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    for (const shard of shards.values()) guard(shard);
  }

  /** discord.js does not await these: a late rejection would be unhandled and end the process. */
  override async send(...said: Parameters<SimpleShardingStrategy['send']>): Promise<void> {
    const shards = this['shards'] as ReadonlyMap<number, Shard>;
    if (shards.has(said[0])) await super.send(...said);
  }
}

/** What a shard calls without awaiting it (@discordjs/ws 1.2.3), with Discord's answers unchecked. */
const unawaited = ['internalConnect', 'onMessage', 'onClose', 'heartbeat'] as const;

/** Private in the library's types. */
interface Shard extends Record<(typeof unawaited)[number], (...given: unknown[]) => Promise<unknown>> {
  readonly connection: Connection | null;
  destroy(options?: object): Promise<void>;
  /** How the shard reports a failure to those waiting for its connection. */
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
    if (connection !== null && connection.readyState === connection.CONNECTING) letGo(connection);
    await destroy(options);
  };
  for (const name of unawaited) {
    const run = shard[name].bind(shard);
    // For instance an invalid gateway address: uncaught, it would end the process.
    shard[name] = (...given) =>
      run(...given).catch((error: unknown) => shard.emit('error', { error: new GatewayUnreadable(error) }));
  }
}

function letGo(connection: Connection): void {
  Object.assign(connection, { onmessage: null, onclose: null, onerror: null });
  connection.on('error', () => {});
  connection.terminate();
}
