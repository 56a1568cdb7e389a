import { setTimeout as delay } from 'node:timers/promises';

import { Unavailable } from '../shared/failure.ts';
import type { DatabaseLog } from './database-log.ts';
import type { RunningServer } from './server-start.ts';

export interface ServerKeeper {
  readonly current: () => RunningServer;
  /** Stops watching. Answers the server to stop; null when it belongs to another process now. */
  readonly release: () => Promise<RunningServer | null>;
}

interface KeeperOptions {
  readonly run: () => Promise<RunningServer>;
  readonly log: DatabaseLog;
  readonly onLost: (failure: Error) => void;
}

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Brings the server back when it ends on its own (a crash, an operator, the kernel short of memory). The lock connection tells,
 * for a server of ours and an adopted one alike. When another process was quicker, the folder is its own: `onLost`, once.
 */
export function keepServer(first: RunningServer, { run, log, onLost }: KeeperOptions): ServerKeeper {
  let server = first;
  let lost = false;
  let regaining: Promise<void> = Promise.resolve();
  const released = new AbortController();

  const watch = ({ lock }: RunningServer): void => {
    lock.once('end', () => {
      if (!released.signal.aborted) regaining = regain();
    });
  };

  const regain = async (): Promise<void> => {
    log.warn({ pid: server.pid }, 'PostgreSQL ended unexpectedly; it is started again');
    for (let waitMs = firstWaitMs; !released.signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        server = await run();
        return watch(server);
      } catch (error) {
        if (error instanceof Unavailable && error.reason === 'data-dir-held') {
          lost = true;
          return onLost(error);
        }
        log.error({ err: error }, 'PostgreSQL could not be started again; next try follows');
        await delay(waitMs, undefined, { signal: released.signal }).catch(() => {});
      }
    }
  };

  watch(first);
  return {
    current: () => server,
    release: async () => {
      released.abort();
      await regaining;
      return lost ? null : server;
    },
  };
}
