import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from 'discord.js';

import type { BotLog, RunReport } from '../../platform/bot-service/bot-runner.ts';
import type { GatewayConnection } from './gateway-client.ts';
import { watchConnection } from './connection-watch.ts';
import type { ConnectionPace } from './discord-pace.ts';

/** What the bot does with a connection. */
export interface BotWork {
  /** Takes nothing new; resolves when what it has begun is done. */
  stop(): Promise<void>;
}

export interface RunGatewayDeps {
  readonly connect: () => GatewayConnection;
  /** Listens to what happens, before the connection is made. */
  readonly attach: (client: Client) => BotWork;
  readonly log: BotLog;
  readonly pace: ConnectionPace;
}

/** Answers that are on their way get so long; everything together must stop within 2 s. */
const finishWithinMs = 700;

/** Connects to Discord and does what happens there until stopped. Throws what gatewayFailureOf can read. */
export async function runGateway(
  { connect, attach, log, pace }: RunGatewayDeps,
  report: RunReport,
  stop: AbortSignal,
): Promise<void> {
  const connection = connect();
  const watch = watchConnection({ client: connection.client, report, log, pace });
  const work = attach(connection.client);
  const stopped = Promise.withResolvers<void>();
  const onStop = (): void => stopped.resolve();
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    // The way it ends says more than the login, which only knows that it ended.
    const login = connection.login().catch(async (error: unknown) => {
      await Promise.race([watch.ended, Promise.resolve()]);
      throw error;
    });
    await Promise.race([stopped.promise, watch.ended, login.then(() => Promise.race([stopped.promise, watch.ended]))]);
  } finally {
    stop.removeEventListener('abort', onStop);
    watch.stop();
    await Promise.race([work.stop(), delay(finishWithinMs, undefined, { ref: false })]);
    await connection.close();
  }
}
