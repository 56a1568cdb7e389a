import { type Client, Events } from 'discord.js';

import { GatewayEnded, unreachable } from './gateway-failure.ts';
import type { BotLog, RunReport } from '../../bot-service/bot-runner.ts';
import type { ConnectionPace } from './discord-pace.ts';

interface WatchDeps {
  readonly client: Client;
  readonly report: RunReport;
  readonly log: BotLog;
  readonly pace: ConnectionPace;
}

/** A shard that is down while others are connected gets this much more time: new connections would interrupt those. */
const partlyDownFactor = 10;

/**
 * Follows the connections of all shards: ready, dropped, resumed, ended. The bot is connected when all of them are. `ended` rejects with
 * GatewayEnded when it is over or hopeless: discord.js resumes forever, so there is a limit here.
 */
export function watchConnection({ client, report, log, pace }: WatchDeps) {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  const giveUp = (): void => reject(new GatewayEnded(null));
  const down = new Set<number>();
  const trouble = createTrouble({ client, down, report, pace, giveUp });
  let untilReady = setTimeout(giveUp, pace.readyWithinMs);
  let isReady = false;
  const tell = (): void => {
    if (down.size > 0) trouble.begin();
    else trouble.end();
    if (!isReady || down.size > 0 || client.user === null) return;
    report.connected({ id: client.user.id, username: client.user.username });
  };
  const isUp = (shardId: number): void => {
    down.delete(shardId);
    if (!isReady) untilReady = untilReady.refresh();
    tell();
  };
  client.once(Events.ClientReady, () => {
    isReady = true;
    clearTimeout(untilReady);
    tell();
  });
  client.on(Events.ShardReady, isUp);
  client.on(Events.ShardResume, isUp);
  client.on(Events.ShardReconnecting, (shardId) => {
    down.add(shardId);
    tell();
  });
  client.on(Events.ShardDisconnect, ({ code }) => reject(new GatewayEnded(code)));
  client.on(Events.Invalidated, giveUp);
  client.on(Events.ShardError, (error) => log.info({ err: error }, 'The connection to Discord stumbled'));
  client.on(Events.Error, (error) => log.warn({ err: error }, 'A Discord event could not be handled'));
  return {
    ended,
    stop: () => {
      clearTimeout(untilReady);
      trouble.end();
    },
  };
}

interface TroubleDeps extends Pick<WatchDeps, 'client' | 'report' | 'pace'> {
  readonly down: ReadonlySet<number>;
  readonly giveUp: () => void;
}

/** A period in which not all shards are connected. */
function createTrouble({ client, down, report, pace, giveUp }: TroubleDeps) {
  let timers: NodeJS.Timeout[] = [];
  let isReported = false;
  const tell = (): void => {
    isReported = true;
    report.troubled(sentenceOf(down.size, client.ws.shards.size));
  };
  const begin = (): void => {
    if (isReported) tell();
    if (timers.length > 0) return;
    const giveUpUnlessPartly = (): void => {
      if (down.size === client.ws.shards.size) giveUp();
    };
    timers = [
      setTimeout(tell, pace.quietDropMs),
      setInterval(giveUpUnlessPartly, pace.longestDropMs),
      setTimeout(giveUp, partlyDownFactor * pace.longestDropMs),
    ];
  };
  const end = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    isReported = false;
  };
  return { begin, end };
}

const sentenceOf = (downCount: number, shardCount: number): string =>
  downCount === shardCount
    ? `${unreachable} The bot connects again by itself.`
    : `${downCount} of the bot's ${shardCount} connections to Discord ${downCount === 1 ? 'is' : 'are'} down: their servers wait, the others go on. The bot connects again by itself.`;
