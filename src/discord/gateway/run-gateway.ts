import type { Client } from 'discord.js';

import type { BotLog, RunReport } from '../../bot-service/bot-runner.ts';
import type { GatewayConnection } from './gateway-client.ts';
import { watchConnection } from './connection-watch.ts';
import type { ConnectionPace } from './discord-pace.ts';
import { inTime } from '../../process/in-time.ts';

/** The bot's work on a connection. */
export interface BotWork {
  /** Accepts nothing new; resolves when running work is done. */
  stop(): Promise<void>;
}

export interface RunGatewayDeps {
  readonly connect: () => GatewayConnection;
  /** Adds listeners, before the connection is made. */
  readonly attach: (client: Client) => BotWork;
  readonly log: BotLog;
  readonly pace: ConnectionPace;
}

/** Time for running answers; everything together must stop within 2 s. */
const finishWithinMs = 700;

/** Runs the Discord connection until stopped. Throws what gatewayFailureOf can read. */
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
    // How the connection ended says more than the login error, which only says that it ended.
    const login = connection.login().catch(async (error: unknown) => {
      await Promise.race([watch.ended, Promise.resolve()]);
      throw error;
    });
    await Promise.race([stopped.promise, watch.ended, login.then(() => Promise.race([stopped.promise, watch.ended]))]);
  } finally {
    stop.removeEventListener('abort', onStop);
    watch.stop();
    await inTime(work.stop(), finishWithinMs, () => {});
    await connection.close();
  }
}
