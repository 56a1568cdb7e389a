import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { urlOf } from './data-folder.ts';
import { PostgresFailure } from './failure.ts';
import { takeFolderLock } from './folder-lock.ts';
import { isPostmaster, readPidFile, stopPostmaster } from './postmaster.ts';
import { type Log, type RunningServer, runServer } from './run-server.ts';

export interface EmbeddedPostgresOptions {
  /** Of the server's only role and of the folder of its socket; the same at every start. */
  readonly name: string;
  /** Created when missing; the database lives in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: Log;
  /** On top of the built-in settings, e.g. `{ fsync: 'off' }` where the data may be lost. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Called once when the folder was lost to another process for good: the program must stop. */
  readonly onLost?: ((failure: Error) => void) | undefined;
}

export interface EmbeddedPostgres {
  /** Works until stop(), also across a restart of the server after a crash. */
  readonly url: string;
  /** The server's process now. */
  readonly pid: () => number;
  /** Ends the server and waits for it, at most 3 s. Every connection to it is cut. */
  readonly stop: () => Promise<void>;
}

/** Small on purpose (one program, a dozen connections), durable on purpose: fsync and full_page_writes keep their defaults. */
const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  shared_buffers: '16MB',
  max_connections: '40',
  // Fewer background processes: no I/O workers, no replication, no parallel queries, no just-in-time compiler.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  jit: 'off',
  // The server's own story only; failing statements are logged by whoever sent them.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/**
 * A real PostgreSQL as a child process in the data folder's `postgres`, reachable through a Unix socket that only this user may open.
 * A server that a killed process left running is adopted; a crashed one is started again and repairs itself from its log.
 * Throws PostgresFailure.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { name, log, onLost = () => {} } = options;
  const dataDir = path.resolve(options.dataDir);
  const clusterDir = path.join(dataDir, 'postgres');
  const run = () =>
    runServer({ dataDir, clusterDir, name, log, settings: { ...defaultSettings, ...options.settings } });
  const first = await run();
  const supervisor = superviseServer(first, { run, log, onLost });
  return {
    url: first.url,
    pid: () => supervisor.current().pid,
    stop: async () => {
      const last = await supervisor.release();
      if (last === null) return;
      // The server's end gives the lock back, not this process: otherwise another start could adopt a server about to stop.
      await stopPostmaster(last.pid, clusterDir);
      await last.lock.end().catch(() => {});
      await rmdir(last.socketDir).catch(() => {});
    },
  };
}

/** The address of the server that runs in that folder, whoever holds it; null: none runs. */
export async function runningUrl(dataDir: string, name: string): Promise<string | null> {
  const running = await readPidFile(path.resolve(dataDir, 'postgres'));
  return running === null ? null : urlOf(running.socketDir, name);
}

/**
 * Ends the server that a killed program left in `dataDir`. One that a living process holds stays; one that cannot be asked (it is
 * still starting, or hangs) has no holder and is ended.
 */
export async function stopAbandonedServer(dataDir: string, name: string): Promise<void> {
  const clusterDir = path.resolve(dataDir, 'postgres');
  const left = await readPidFile(clusterDir);
  if (left === null || !(await isPostmaster(left.pid, clusterDir))) return;
  try {
    const lock = await takeFolderLock(urlOf(left.socketDir, name), dataDir);
    await stopPostmaster(left.pid, clusterDir);
    await lock.end().catch(() => {});
  } catch (error) {
    if (error instanceof PostgresFailure && error.reason === 'data-dir-held') return;
    await stopPostmaster(left.pid, clusterDir);
  }
}

interface Supervisor {
  readonly current: () => RunningServer;
  /** Stops watching. Answers the server to stop; null when it belongs to another process now. */
  readonly release: () => Promise<RunningServer | null>;
}

interface SupervisorOptions {
  readonly run: () => Promise<RunningServer>;
  readonly log: Log;
  readonly onLost: (failure: Error) => void;
}

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Brings the server back when it ends on its own (a crash, an operator, the kernel short of memory). The lock connection tells,
 * for a server of ours and an adopted one alike. When another process was quicker, the folder is its own: `onLost`, once.
 */
function superviseServer(first: RunningServer, { run, log, onLost }: SupervisorOptions): Supervisor {
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
    log.warn({ pid: server.pid }, 'PostgreSQL ended unexpectedly; restarting it');
    for (let waitMs = firstWaitMs; !released.signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        server = await run();
        return watch(server);
      } catch (error) {
        if (error instanceof PostgresFailure && error.reason === 'data-dir-held') {
          lost = true;
          return onLost(error);
        }
        log.error({ err: error }, 'PostgreSQL could not be started again; trying again');
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
