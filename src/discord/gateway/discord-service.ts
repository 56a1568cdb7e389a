import { type Client, Events } from 'discord.js';
import { createBotRunner, type RunReport } from '../../bot-service/bot-runner.ts';
import type { SameBot, ServiceStore } from '../../bot-service/service-store.ts';
import { createGatewayConnection, type GatewayConnection } from './gateway-client.ts';
import { gatewayFailureOf, GatewayEnded, unreachable } from './gateway-failure.ts';
import type { BotDeps } from '../commands/command.ts';
import { addInteractions, registerCommands } from '../commands/interactions.ts';
import { addGatewayEvents, type GatewayEventDeps } from './gateway-events.ts';
import {
  createChannelVoice,
  createMemberList,
  createRolePlatform,
  createRestClient,
  type RestOptions,
} from './rest-calls.ts';
import { createKeyedWork } from './keyed-work.ts';
import type { BotWork, DiscordPace } from '../bot.ts';
import { inTime, systemClock } from '../../process/in-time.ts';
import type { Log } from '../../process/logger.ts';

interface DiscordCallsDeps {
  readonly connection: RestOptions;
  readonly sameBot: Pick<SameBot, 'check'>;
}

/** Everything that speaks with Discord, over one REST client and one gateway. */
export function createDiscordCalls({ connection, sameBot }: DiscordCallsDeps) {
  const rest = createRestClient(connection);
  return {
    platform: createRolePlatform(rest, sameBot.check),
    voice: createChannelVoice(rest),
    readMembers: createMemberList(rest),
    createService: (service: Omit<DiscordServiceDeps, 'connection'>) =>
      createDiscordService({ ...service, connection }),
  };
}

interface ServiceDeps {
  readonly connection: RestOptions;
  readonly store: ServiceStore;
  readonly sameBot: Pick<SameBot, 'check'>;
  /** Of the product's database. */
  readonly url: string;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}
type DiscordServiceDeps = ServiceDeps & BotDeps & GatewayEventDeps;

/** The bot with a token: one copy at a time is connected to Discord (rulings R7). */
function createDiscordService(deps: DiscordServiceDeps) {
  const { store, sameBot, log, pace } = deps;
  return createBotRunner({
    url: deps.url,
    label: 'Discord bot',
    failureOf: gatewayFailureOf,
    store,
    run: async (report, stop) => {
      if (!(await sameBot.check())) return;
      const connection = createGatewayConnection(deps.connection);
      const work = attach(connection.client, deps);
      await runGateway({ connection, work, report, log, pace }, stop);
    },
    announce: deps.announce,
    onWish: deps.onNews,
    log,
    pace,
  });
}

function attach(client: Client, deps: DiscordServiceDeps): BotWork {
  const { log, pace } = deps;
  // Without commands no one can verify: a brief refusal by Discord must not last until the next connection.
  const commands = createKeyedWork({
    work: async () => {
      if (client.isReady()) await registerCommands(client);
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'The Discord bot could not register its commands; it tries again by itself'),
    retryMs: pace.registerAgainMs,
  });
  client.once('clientReady', () => commands.ask('all'));
  const parts = [addInteractions(client, deps), addGatewayEvents(client, deps), commands];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

type ConnectionPace = Pick<DiscordPace, 'readyWithinMs' | 'quietDropMs' | 'longestDropMs'>;

interface RunGatewayDeps {
  readonly connection: GatewayConnection;
  /** Its listeners are added before the connection is made. */
  readonly work: BotWork;
  readonly report: RunReport;
  readonly log: Log;
  readonly pace: ConnectionPace;
}

/** Time for running answers; everything together must stop within 2 s. */
const finishWithinMs = 700;

/** Runs the Discord connection until stopped. Throws what gatewayFailureOf can read. */
async function runGateway({ connection, work, ...deps }: RunGatewayDeps, stop: AbortSignal): Promise<void> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const onStop = (): void => resolve();
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  const stopWatching = watchConnection({ ...deps, client: connection.client, onEnd: reject });
  try {
    // How the connection ended comes first, and says more than the login error, which only says that it ended.
    connection.login().catch(reject);
    await over;
  } finally {
    stop.removeEventListener('abort', onStop);
    stopWatching();
    await inTime(work.stop(), finishWithinMs, () => {});
    await connection.close();
  }
}

interface WatchDeps extends Pick<RunGatewayDeps, 'report' | 'log' | 'pace'> {
  readonly client: Client;
  /** It is over or hopeless: discord.js resumes forever, so there is a limit here. */
  readonly onEnd: (failure: GatewayEnded) => void;
}

/**
 * Follows the connections of all shards: ready, dropped, resumed, ended. The bot is connected when all of them are. Returns how to stop.
 */
export function watchConnection({ client, report, log, pace, onEnd }: WatchDeps): () => void {
  const giveUp = (): void => onEnd(new GatewayEnded(null));
  const down = new Set<number>();
  const trouble = createTrouble({ client, down, report, pace, giveUp });
  let isReady = false;
  // The connection still reports while it is being closed; no wait may begin then.
  let isOver = false;
  let cancelGivingUp = systemClock.after(pace.readyWithinMs, giveUp);
  const tell = (): void => {
    if (isOver) return;
    if (down.size > 0) trouble.begin();
    else trouble.end();
    if (!isReady || down.size > 0 || client.user === null) return;
    report.connected({ id: client.user.id, username: client.user.username });
  };
  const isUp = (shardId: number): void => {
    down.delete(shardId);
    cancelGivingUp();
    if (!isReady && !isOver) cancelGivingUp = systemClock.after(pace.readyWithinMs, giveUp);
    tell();
  };
  client.once(Events.ClientReady, () => {
    isReady = true;
    cancelGivingUp();
    tell();
  });
  client.on(Events.ShardReady, isUp);
  client.on(Events.ShardResume, isUp);
  client.on(Events.ShardReconnecting, (shardId) => {
    down.add(shardId);
    tell();
  });
  client.on(Events.ShardDisconnect, ({ code }) => onEnd(new GatewayEnded(code)));
  client.on(Events.Invalidated, giveUp);
  client.on(Events.ShardError, (error) => log.info({ err: error }, 'The connection to Discord stumbled'));
  client.on(Events.Error, (error) => log.warn({ err: error }, 'A Discord event could not be handled'));
  return () => {
    isOver = true;
    cancelGivingUp();
    trouble.end();
  };
}

/** A shard that is down while others are connected gets this much more time: new connections would interrupt those. */
const partlyDownFactor = 10;

interface TroubleDeps extends Pick<WatchDeps, 'client' | 'report' | 'pace'> {
  readonly down: ReadonlySet<number>;
  readonly giveUp: () => void;
}

/** A period in which not all shards are connected. */
function createTrouble({ client, down, report, pace, giveUp }: TroubleDeps) {
  let cancels: (() => void)[] = [];
  let isReported = false;
  const tell = (): void => {
    isReported = true;
    report.troubled(sentenceOf(down.size, client.ws.shards.size));
  };
  const giveUpUnlessPartly = (tries: number): void => {
    if (down.size === client.ws.shards.size || tries >= partlyDownFactor) giveUp();
    else cancels.push(systemClock.after(pace.longestDropMs, () => giveUpUnlessPartly(tries + 1)));
  };
  return {
    begin: (): void => {
      if (isReported) tell();
      if (cancels.length > 0) return;
      cancels = [
        systemClock.after(pace.quietDropMs, tell),
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

const sentenceOf = (downCount: number, shardCount: number): string =>
  downCount === shardCount
    ? `${unreachable} The bot connects again by itself.`
    : `${downCount} of the bot's ${shardCount} connections to Discord ${downCount === 1 ? 'is' : 'are'} down: their servers wait, the others go on. The bot connects again by itself.`;
