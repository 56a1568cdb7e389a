import { type Client, Events } from 'discord.js';
import { createBotRunner, type RunReport } from '../../bot-service/bot-runner.ts';
import type { BotIdentity } from '../../bot-service/service-store.ts';
import { createGatewayConnection, type GatewayConnection } from './gateway-client.ts';
import { gatewayFailureOf, GatewayEnded, unreachable } from './gateway-failure.ts';
import { addInteractions, registerCommands } from '../commands/interactions.ts';
import { addGatewayEvents } from './gateway-events.ts';
import type { GatewayDeps } from './member-events.ts';
import {
  createChannelSender,
  createMemberList,
  createRolePlatform,
  createRestClient,
  type RestOptions,
} from './rest-calls.ts';
import { createKeyedWork } from './keyed-work.ts';
import type { BotWork } from '../bot.ts';
import { withTimeout, systemClock } from '../../process/in-time.ts';

/** Everything that talks to Discord, over one REST client and one gateway. */
export function createDiscordCalls(connection: RestOptions, botIdentity: BotIdentity) {
  const rest = createRestClient(connection);
  return {
    platform: createRolePlatform(rest, botIdentity.check),
    sendToChannel: createChannelSender(rest),
    readMembers: createMemberList(rest),
    createService: (deps: GatewayDeps) => createDiscordService(connection, deps),
  };
}

/** The bot with a token: one copy at a time is connected to Discord (rulings R7). */
const createDiscordService = (options: RestOptions, deps: GatewayDeps) =>
  createBotRunner({
    ...deps,
    label: 'Discord bot',
    failureOf: gatewayFailureOf,
    run: async (report, stop) => {
      if (!(await deps.botIdentity.check())) return;
      const connection = createGatewayConnection(options);
      const work = attach(connection.client, deps);
      await runGateway(connection, work, { ...deps, report }, stop);
    },
  });

function attach(client: Client, deps: GatewayDeps): BotWork {
  const { log, pace } = deps;
  // Without commands no one can verify: a brief refusal by Discord must not last until the next connection.
  const commands = createKeyedWork({
    work: async () => {
      if (client.isReady()) await registerCommands(client);
    },
    onFailure: (error) => log.warn({ err: error }, 'The Discord bot could not register its commands; trying again'),
    retryMs: pace.registerAgainMs,
  });
  client.once('clientReady', () => commands.request('all'));
  const parts = [addInteractions(client, deps), addGatewayEvents(client, deps), commands];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

type WatchDeps = Pick<GatewayDeps, 'log' | 'pace'> & { readonly report: RunReport };

/** Time for running answers to finish; everything together must stop within 2 s. */
const finishWithinMs = 700;

/** Runs the Discord connection until stopped. Throws what gatewayFailureOf can read. */
async function runGateway(
  connection: GatewayConnection,
  work: BotWork,
  deps: WatchDeps,
  stop: AbortSignal,
): Promise<void> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const onStop = (): void => resolve();
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  const stopWatching = watchConnection(connection.client, deps, reject);
  try {
    // The event that ends the connection comes first and says more than the login error, which only says that it ended.
    connection.login().catch(reject);
    await over;
  } finally {
    stop.removeEventListener('abort', onStop);
    stopWatching();
    await withTimeout(work.stop(), finishWithinMs, () => {});
    await connection.close();
  }
}

/**
 * Watches the connections of all shards: ready, dropped, resumed, ended. The bot is connected when all of them are. Returns a function
 * that stops it. `onEnd`: the connection has ended or is given up; discord.js would resume forever, so there is a limit here.
 */
export function watchConnection(
  client: Client,
  { report, log, pace }: WatchDeps,
  onEnd: (failure: GatewayEnded) => void,
): () => void {
  const giveUp = (): void => onEnd(new GatewayEnded(null));
  const down = new Set<number>();
  const drop = createDropReport(client, down, { report, pace }, giveUp);
  let isReady = false;
  // Events still arrive while the connection is being closed; no timer may start then.
  let isOver = false;
  let cancelGivingUp = systemClock.after(pace.readyWithinMs, giveUp);
  const update = (): void => {
    if (isOver) return;
    if (down.size > 0) return drop.begin();
    drop.end();
    if (isReady && client.user !== null) report.connected({ id: client.user.id, username: client.user.username });
  };
  const noteProgress = (): void => {
    cancelGivingUp();
    if (!isReady && !isOver) cancelGivingUp = systemClock.after(pace.readyWithinMs, giveUp);
  };
  const isUp = (shardId: number): void => {
    down.delete(shardId);
    noteProgress();
    update();
  };
  // Before a shard is ready, its servers arrive one by one, which takes longer the more there are.
  client.on(Events.GuildAvailable, noteProgress);
  client.once(Events.ClientReady, () => {
    isReady = true;
    cancelGivingUp();
    update();
  });
  client.on(Events.ShardReady, isUp);
  client.on(Events.ShardResume, isUp);
  client.on(Events.ShardReconnecting, (shardId) => {
    down.add(shardId);
    update();
  });
  client.on(Events.ShardDisconnect, ({ code }) => onEnd(new GatewayEnded(code)));
  client.on(Events.Invalidated, giveUp);
  client.on(Events.ShardError, (error) => log.info({ err: error }, 'A connection to Discord reported an error'));
  client.on(Events.Error, (error) => log.warn({ err: error }, 'A Discord event could not be handled'));
  return () => {
    isOver = true;
    cancelGivingUp();
    drop.end();
  };
}

/** A shard that is down while others are connected gets this many times longer: new connections would interrupt the others. */
const partlyDownFactor = 10;

/** A period in which not all shards are connected: reported unless it is short, and given up if it lasts. */
function createDropReport(
  client: Client,
  down: ReadonlySet<number>,
  { report, pace }: Pick<WatchDeps, 'report' | 'pace'>,
  giveUp: () => void,
) {
  let cancels: (() => void)[] = [];
  let isReported = false;
  const reportNow = (): void => {
    isReported = true;
    report.troubled(sentenceOf(down.size, client.ws.shards.size));
  };
  const giveUpUnlessPartly = (tries: number): void => {
    if (down.size === client.ws.shards.size || tries >= partlyDownFactor) giveUp();
    else cancels.push(systemClock.after(pace.longestDropMs, () => giveUpUnlessPartly(tries + 1)));
  };
  return {
    begin: (): void => {
      // Another shard is down, or up again.
      if (isReported) reportNow();
      if (cancels.length > 0) return;
      cancels = [
        systemClock.after(pace.quietDropMs, reportNow),
        systemClock.after(pace.longestDropMs, () => giveUpUnlessPartly(1)),
      ];
    },
    end: (): void => {
      for (const cancel of cancels) cancel();
      cancels = [];
      isReported = false;
    },
  };
}

function sentenceOf(downCount: number, shardCount: number): string {
  if (downCount === shardCount) return `${unreachable} The bot reconnects by itself.`;
  const are = downCount === 1 ? 'is' : 'are';
  return `${downCount} of the bot's ${shardCount} connections to Discord ${are} down: their servers wait, the others are not affected. The bot reconnects by itself.`;
}
