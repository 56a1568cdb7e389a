import type { Kysely } from 'kysely';
import type { Pool } from 'pg';

import { pause } from '../process/in-time.ts';
import { type OwnConnection, openConnection } from './own-connection.ts';
import type { Log } from '../process/logger.ts';

const channel = 'product_changes';
/** Every running copy shares this lock ("RUNS" in ASCII) on this connection: the schema changes only while no copy runs (migrate.ts). */
export const runningLock = 0x52_55_4e_53;

export type ChangeSignal = Awaited<ReturnType<typeof createChangeSignal>>;

/** The signal is sent when the transaction commits. */
export const publishInTransaction = async <Tables>(trx: Kysely<Tables>, topic: string): Promise<void> => {
  await trx.selectNoFrom((is) => is.fn('pg_notify', [is.val(channel), is.val(topic)]).as('sent')).execute();
};

interface ChangeSignalOptions {
  readonly url: string;
  readonly pool: Pool;
  readonly log: Log;
}

const firstWaitMs = 100;
const longestWaitMs = 5_000;
const heartbeatMs = 30_000;
/** Then the database ends a silent connection, and its lock: a copy whose machine has vanished does not stand in the way of an upgrade. */
const idleTimeoutMs = 90_000;
const answerTimeoutMs = 10_000;

/**
 * Notifies every copy of the product that something it keeps in memory changed in the database (LISTEN and NOTIFY on a connection
 * of its own). Resolves when it listens; from then on it reconnects by itself, also after a restart of the database.
 * Throws the connection's own error when the first connect fails.
 */
export async function createChangeSignal({ url, pool, log }: ChangeSignalOptions) {
  const listeners = new Map<string, Set<() => void>>();
  const stopped = new AbortController();
  const notify = (topic: string): void => {
    for (const onChange of listeners.get(topic) ?? []) onChange();
  };
  const connect = (): Promise<OwnConnection> => listen(url, notify, stopped.signal);
  let connection = await connect();
  const listening = keepListening();

  async function keepListening(): Promise<void> {
    for (;;) {
      await connection.keepAlive(heartbeatMs, connection.lost);
      if (stopped.signal.aborted) return;
      log.warn({}, 'Lost the connection that listens for changes; reconnecting');
      const next = await reconnect(connect, stopped.signal);
      if (next === null) return;
      // `stop` ran meanwhile, and closed the connection before this one.
      if (stopped.signal.aborted) return next.close();
      connection = next;
      for (const topic of listeners.keys()) notify(topic);
    }
  }

  return {
    /**
     * `onChange` runs after every publish of that topic by any copy of the product, and after each reconnect, because signals sent
     * meanwhile are lost: it must find out itself what changed. Returns a function that unsubscribes.
     */
    subscribe: (topic: string, onChange: () => void): (() => void) => {
      const others = listeners.get(topic) ?? new Set();
      listeners.set(topic, others.add(onChange));
      return () => others.delete(onChange);
    },
    /** Resolves when the database has accepted the signal. */
    publish: async (topic: string): Promise<void> => {
      await pool.query('select pg_notify($1, $2)', [channel, topic]);
    },
    stop: async (): Promise<void> => {
      stopped.abort();
      await connection.close();
      await listening;
    },
  };
}

async function listen(url: string, notify: (topic: string) => void, stopping: AbortSignal): Promise<OwnConnection> {
  const firstStatement = `set idle_session_timeout = ${idleTimeoutMs}; select pg_advisory_lock_shared(${runningLock}); listen ${channel}`;
  const connection = await openConnection({ url, purpose: 'changes', answerTimeoutMs, firstStatement, stopping });
  connection.client.on('notification', ({ payload }) => notify(payload ?? ''));
  return connection;
}

/** Tries until it listens again, with growing pauses; null when stopped meanwhile. */
async function reconnect(connect: () => Promise<OwnConnection>, stopped: AbortSignal): Promise<OwnConnection | null> {
  for (let waitMs = firstWaitMs; !stopped.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const connection = await connect().catch(() => null);
    if (connection !== null) return connection;
    // So that copies that lost the same server do not all reconnect at the same moment.
    await pause(waitMs * (0.5 + Math.random()), stopped);
  }
  return null;
}
