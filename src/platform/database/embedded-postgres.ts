import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { Unavailable } from '../../shared/failure.ts';
import { findBinaries } from './binaries.ts';
import { embeddedDatabase, embeddedUser, initialiseCluster, isInitialised, prepareDataDir } from './cluster-folder.ts';
import { takeDataDirLock } from './data-dir-lock.ts';
import type { DatabaseLog } from './database-log.ts';
import { isPostmaster, readPidFile, startPostmaster, stopPostmaster, type PostmasterStart } from './postmaster.ts';
import { chooseRunAs } from './run-as.ts';
import { prepareSocketFolder, socketFolderOf } from './socket-folder.ts';
import { explainStartupFailure } from './startup-failure.ts';

export interface EmbeddedPostgresOptions {
  /** Created when missing; the database lives in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: DatabaseLog;
  /** On top of the built-in settings, e.g. `{ fsync: 'off' }` where the data may be lost. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called once when the folder was lost to another process for good: the product must stop. */
  readonly onLost?: (failure: Error) => void;
}

export interface EmbeddedPostgres {
  /** Works until stop(), also across a restart of the server after a crash. */
  readonly url: string;
  /** True when the server was already running, left behind by a process that was killed. */
  readonly adopted: boolean;
  /** The server's process now. */
  readonly pid: () => number;
  /** Ends the server and waits for it, at most 3 s. Every connection to it is cut. */
  readonly stop: () => Promise<void>;
}

interface RunningServer {
  readonly pid: number;
  readonly url: string;
  readonly socketDir: string;
  readonly adopted: boolean;
  readonly lock: pg.Client;
}

/** Small on purpose (one product, 30 connections), durable on purpose: fsync and full_page_writes keep their defaults. */
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

const readyWithinMs = 60_000;
const settleWithinMs = 15_000;
const settleMs = 20;
const regainFirstMs = 100;
const regainMostMs = 2_000;

/**
 * A real PostgreSQL as a child process in `DATA_DIR/postgres`, reachable through a Unix socket that only this user may open.
 * A server that a killed process left running is adopted; a crashed one is started again and repairs itself from its log.
 * Throws Unavailable with one sentence that says what to do: `data-dir-held`, `data-dir-unwritable`, `disk-full`,
 * `data-dir-other-major`, `data-dir-foreign`, `postgres-missing`, `postgres-needs-user`, `socket-folder-unsafe`, `postgres-start-failed`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  const clusterDir = path.join(dataDir, 'postgres');
  const running = () => runServer(options, dataDir, clusterDir);
  const keeper = keepRunning(await running(), running, options);
  return {
    url: keeper.first.url,
    adopted: keeper.first.adopted,
    pid: () => keeper.current().pid,
    stop: async () => {
      const last = await keeper.release();
      // The lock is given back by the server's end, not before: otherwise another start could adopt a server about to stop.
      await stopPostmaster(last.pid, clusterDir);
      await last.lock.end().catch(() => {});
      await rmdir(last.socketDir).catch(() => {});
    },
  };
}

async function runServer(
  options: EmbeddedPostgresOptions,
  dataDir: string,
  clusterDir: string,
): Promise<RunningServer> {
  try {
    const start = await prepareStart(options, dataDir, clusterDir);
    return await untilSettled(async () => {
      const server = await adoptOrStart(start, options.log);
      if (server === null) return null;
      const url = embeddedUrl(server.socketDir);
      const lock = await takeDataDirLock(url, dataDir).catch((error: unknown) => {
        if (isPassing(error)) return null;
        throw error;
      });
      return lock === null ? null : { ...server, url, lock };
    });
  } catch (error) {
    throw await explainStartupFailure(error, dataDir);
  }
}

async function prepareStart(
  options: EmbeddedPostgresOptions,
  dataDir: string,
  clusterDir: string,
): Promise<PostmasterStart> {
  const { initdb, postgres } = findBinaries();
  await prepareDataDir(dataDir);
  const runAs = await chooseRunAs(postgres, dataDir, clusterDir);
  if (!(await isInitialised(clusterDir))) {
    options.log.info({ dataDir }, 'Making a new database');
    await initialiseCluster(dataDir, clusterDir, initdb, runAs);
  }
  const socketDir = await socketFolderOf(dataDir);
  await prepareSocketFolder(socketDir, runAs);
  const settings = { ...defaultSettings, ...options.settings };
  return {
    clusterDir,
    socketDir,
    logFile: path.join(dataDir, 'postgres.log'),
    postgres,
    runAs,
    settings,
    readyWithinMs,
  };
}

/** null: another start or stop is under way in this folder, look again in a moment. */
async function adoptOrStart(
  start: PostmasterStart,
  log: DatabaseLog,
): Promise<{ readonly pid: number; readonly socketDir: string; readonly adopted: boolean } | null> {
  const found = await readPidFile(start.clusterDir);
  if (found !== null && (await isPostmaster(found.pid, start.clusterDir))) {
    return found.status === 'ready' ? { pid: found.pid, socketDir: found.socketDir, adopted: true } : null;
  }
  const result = await startPostmaster(start);
  if (result.kind === 'ready') {
    log.info({ pid: result.pid }, 'PostgreSQL started');
    return { pid: result.pid, socketDir: start.socketDir, adopted: false };
  }
  if (/lock file .* (already exists|is empty)/.test(result.output)) return null;
  throw new Error(result.output);
}

async function untilSettled<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  const deadline = Date.now() + settleWithinMs;
  for (;;) {
    const result = await attempt();
    if (result !== null) return result;
    if (Date.now() > deadline) {
      throw new Unavailable(
        'postgres-start-failed',
        'Another PostgreSQL is starting or stopping in DATA_DIR and does not finish: end it and start again.',
      );
    }
    await delay(settleMs);
  }
}

/** The server is on its way down or up: the state a start meets that follows a stop closely. */
function isPassing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const ended = error instanceof Error && error.message === 'Connection terminated unexpectedly';
  return (
    ended ||
    code === '57P03' ||
    code === '57P01' ||
    code === 'ECONNREFUSED' ||
    code === 'ENOENT' ||
    code === 'ECONNRESET'
  );
}

function embeddedUrl(socketDir: string): string {
  return `postgresql://${embeddedUser}@localhost/${embeddedDatabase}?host=${encodeURIComponent(socketDir)}`;
}

/** The lock connection ends exactly when the server does, ours or adopted: then the server is brought back and the lock retaken. */
function keepRunning(first: RunningServer, run: () => Promise<RunningServer>, options: EmbeddedPostgresOptions) {
  let server = first;
  let released = false;
  let regaining: Promise<void> = Promise.resolve();
  const regain = async (): Promise<void> => {
    options.log.warn({ pid: server.pid }, 'PostgreSQL ended unexpectedly; starting it again');
    for (let waitMs = regainFirstMs; !released; waitMs = Math.min(waitMs * 2, regainMostMs)) {
      try {
        server = await run();
        watch(server);
        return;
      } catch (error) {
        if (error instanceof Unavailable && error.reason === 'data-dir-held') return options.onLost?.(error);
        options.log.error({ err: error }, 'PostgreSQL could not be started again');
        await delay(waitMs);
      }
    }
  };
  const watch = ({ lock }: RunningServer): void => {
    lock.once('end', () => {
      if (!released) regaining = regain();
    });
  };
  watch(first);
  return {
    first,
    current: () => server,
    release: async () => {
      released = true;
      await regaining;
      return server;
    },
  };
}
