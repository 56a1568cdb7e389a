import { type Client, Events } from 'discord.js';

import { retryPace, type BotLog, type RunReport } from '../../bot-service/bot-runner.ts';
import { inTime, systemClock } from '../../process/in-time.ts';
import type { GatewayConnection } from './gateway-client.ts';
import { GatewayEnded, unreachable } from './gateway-failure.ts';

/** Tests shorten these. */
export const discordPace = {
  ...retryPace,
  /** From the first attempt to the first ready shard, and from each shard to the next: they start one after the other. */
  readyWithinMs: 20_000,
  /** Shorter drops are not reported. */
  quietDropMs: 3_000,
  /** After this long without any shard, new connections are made; ten times as long while others are connected. */
  longestDropMs: 30_000,
  /** How long Start and Shutdown wait for the switch. */
  settleMs: 10_000,
  /** Delay before storing Discord's events is retried. */
  rewriteMs: 5_000,
  /** Discord's time to answer one request for members. */
  membersWithinMs: 15_000,
  /** How long a verify panel that was found is assumed to exist. */
  panelsBelievedForMs: 30_000,
  /** Delay before refused commands are registered again: Discord counts refusals too. */
  registerAgainMs: 60_000,
};
export type DiscordPace = Readonly<typeof discordPace>;
type ConnectionPace = Pick<DiscordPace, 'readyWithinMs' | 'quietDropMs' | 'longestDropMs'>;

/** The bot's work on a connection. */
export interface BotWork {
  /** Accepts nothing new; resolves when running work is done. */
  stop(): Promise<void>;
}

interface RunGatewayDeps {
  readonly connection: GatewayConnection;
  /** Its listeners are added before the connection is made. */
  readonly work: BotWork;
  readonly report: RunReport;
  readonly log: BotLog;
  readonly pace: ConnectionPace;
}

/** Time for running answers; everything together must stop within 2 s. */
const finishWithinMs = 700;

/** Runs the Discord connection until stopped. Throws what gatewayFailureOf can read. */
export async function runGateway({ connection, work, ...deps }: RunGatewayDeps, stop: AbortSignal): Promise<void> {
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
