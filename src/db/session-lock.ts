import { pause } from '../process/in-time.ts';
import { createOutageLog } from './outage.ts';
import { openConnection, type OwnConnection } from './own-connection.ts';
import type { Log } from '../process/logger.ts';

export type SessionLock = ReturnType<typeof createSessionLock>;

export interface SessionLockOptions {
  /** Of the product's database. May carry a password: never logged. */
  readonly url: string;
  /** The same in all copies. Must be a constant: it is written into SQL. */
  readonly name: string;
  /** Runs while this copy has the lock, and must end soon after the abort. If it ends or throws by itself, the lock is released. */
  readonly onHeld: (lost: AbortSignal) => Promise<void>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Only tests change these. */
  readonly pace?: SessionLockPace;
}

interface SessionLockPace {
  /** How often a copy without the lock tries to get it, and the copy with the lock checks its connection. */
  readonly tryEveryMs: number;
  readonly answerTimeoutMs: number;
  /** The database ends a session that is idle for this long, and with it the lock: longer than the other two and the release together. */
  readonly idleTimeoutMs: number;
}

const usualPace: SessionLockPace = { tryEveryMs: 1_000, answerTimeoutMs: 3_000, idleTimeoutMs: 7_500 };

/**
 * For work that one copy of the product does at a time, and that another must take over within seconds when that copy dies (rulings R7):
 * an advisory lock on its own connection, which the database releases with the connection, even after kill -9.
 *
 * Copies poll for the lock instead of waiting for it: a waiting statement would keep the database from cleaning up dead rows.
 */
export function createSessionLock(options: SessionLockOptions) {
  const { name, log, pace = usualPace } = options;
  const stopping = new AbortController();
  const outages = createOutageLog(log, `The lock '${name}' could not be kept`);
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await holdOnce({ ...options, pace }, stopping.signal, outages.done);
      } catch (error) {
        if (!stopping.signal.aborted) outages.failed(error);
      }
      await pause(pace.tryEveryMs, stopping.signal);
    }
  };
  return {
    /** Keeps trying to get the lock, also after it was lost. */
    start: (): void => void (running = run()),
    /** Releases the lock: another copy may get it at once. Resolves when `onHeld` has ended. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

/** Uses one connection until it ends. Throws what the database or `onHeld` throws. */
async function holdOnce(
  { url, name, onHeld, pace }: SessionLockOptions & { readonly pace: SessionLockPace },
  stopping: AbortSignal,
  onAnswer: () => void,
): Promise<void> {
  const session = await openConnection({
    url,
    purpose: 'lock',
    answerTimeoutMs: pace.answerTimeoutMs,
    firstStatement: `set idle_session_timeout = ${pace.idleTimeoutMs}`,
    stopping,
  });
  const over = AbortSignal.any([session.lost, stopping]);
  try {
    while (!over.aborted && !(await tryLock(session.client, name))) {
      onAnswer();
      await pause(pace.tryEveryMs, over);
    }
    if (over.aborted) return;
    onAnswer();
    const ended = new AbortController();
    const held = onHeld(over).finally(() => ended.abort());
    const keeping = session.keepAlive(pace.tryEveryMs, AbortSignal.any([over, ended.signal]));
    await Promise.all([held, keeping]);
  } finally {
    await session.close();
  }
}

/** In SQL: whether any copy has that lock. The halves of a bigint key are in two columns (documentation of pg_locks). */
export const isSessionLockHeld = (name: string): string => `exists (
  select 1 from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = hashtextextended('${name}', 0))`;

const tryLock = async (client: OwnConnection['client'], name: string): Promise<boolean> => {
  const { rows } = await client.query<{ is_held: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_held',
    [name],
  );
  return rows[0]?.is_held === true;
};
