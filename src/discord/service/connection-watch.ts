import { type Client, Events } from 'discord.js';

import { GatewayEnded, unreachable } from '../adapters/gateway-failure.ts';
import type { BotLog, RunReport } from '../../platform/bot-service/bot-turn.ts';
import type { ConnectionPace } from './discord-pace.ts';

interface WatchDeps {
  readonly client: Client;
  readonly report: RunReport;
  readonly log: BotLog;
  readonly pace: ConnectionPace;
}

/**
 * Follows one connection: ready, dropped, resumed, ended. `ended` rejects with GatewayEnded when it is over or hopeless; discord.js
 * resumes by itself, and for ever, so hope has a limit here.
 */
export function watchConnection({ client, report, log, pace }: WatchDeps) {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  let timers: NodeJS.Timeout[] = [];
  let isReady = false;
  const clear = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  const later = (ms: number, run: () => void): void => void timers.push(setTimeout(run, ms));
  const giveUp = (): void => reject(new GatewayEnded(null));
  const isUp = (): void => {
    if (!isReady || client.user === null) return;
    clear();
    report.connected({ id: client.user.id, username: client.user.username });
  };
  const isDown = (): void => {
    if (timers.length > 0 && isReady) return;
    if (isReady) later(pace.longestDropMs, giveUp);
    later(
      pace.quietDropMs,
      isReady ? () => report.troubled(`${unreachable} The bot connects again by itself.`) : giveUp,
    );
  };
  later(pace.readyWithinMs, giveUp);
  client.once(Events.ClientReady, () => {
    isReady = true;
    isUp();
  });
  client.on(Events.ShardReady, isUp);
  client.on(Events.ShardResume, isUp);
  client.on(Events.ShardReconnecting, isDown);
  client.on(Events.ShardDisconnect, ({ code }) => reject(new GatewayEnded(code)));
  client.on(Events.Invalidated, giveUp);
  client.on(Events.ShardError, (error) => log.info({ err: error }, 'The connection to Discord stumbled'));
  client.on(Events.Error, (error) => log.warn({ err: error }, 'A Discord event could not be handled'));
  return { ended, stop: clear };
}
