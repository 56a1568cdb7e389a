import { rmdir } from 'node:fs/promises';
import path from 'node:path';

import type { DatabaseLog } from './database-log.ts';
import { stopPostmaster } from './postmaster.ts';
import { keepServer } from './server-keeper.ts';
import { runServer } from './server-start.ts';

export interface EmbeddedPostgresOptions {
  /** Created when missing; the database lives in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: DatabaseLog;
  /** On top of the built-in settings, e.g. `{ fsync: 'off' }` where the data may be lost. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Called once when the folder was lost to another process for good: the product must stop. */
  readonly onLost?: ((failure: Error) => void) | undefined;
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

/** Small on purpose (one product, a dozen connections), durable on purpose: fsync and full_page_writes keep their defaults. */
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
 * A real PostgreSQL as a child process in `DATA_DIR/postgres`, reachable through a Unix socket that only this user may open.
 * A server that a killed process left running is adopted; a crashed one is started again and repairs itself from its log.
 * Throws Unavailable with one sentence that says what to do: `data-dir-held`, `data-dir-unwritable`, `disk-full`,
 * `data-dir-other-major`, `data-dir-foreign`, `postgres-missing`, `postgres-needs-user`, `socket-folder-unsafe`, `postgres-start-failed`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, onLost = () => {} } = options;
  const dataDir = path.resolve(options.dataDir);
  const clusterDir = path.join(dataDir, 'postgres');
  const run = () => runServer({ dataDir, clusterDir, log, settings: { ...defaultSettings, ...options.settings } });
  const first = await run();
  const keeper = keepServer(first, { run, log, onLost });
  return {
    url: first.url,
    adopted: first.adopted,
    pid: () => keeper.current().pid,
    stop: async () => {
      const last = await keeper.release();
      if (last === null) return;
      // The server's end gives the lock back, not this process: otherwise another start could adopt a server about to stop.
      await stopPostmaster(last.pid, clusterDir);
      await last.lock.end().catch(() => {});
      await rmdir(last.socketDir).catch(() => {});
    },
  };
}
