import type { Pool } from 'pg';

import { Unavailable } from '../shared/failure.ts';
import { pause, withTimeout } from '../process/in-time.ts';
import type { Log } from '../process/logger.ts';

/**
 * PostgreSQL's codes for 'not now' (Appendix A of its manual): connection exceptions (08), insufficient resources (53),
 * operator intervention such as a shutdown (57), system errors (58), a deadlock or a serialization failure (40), a server that
 * accepts no changes (25006: a standby, a full disk), and the server's time limits for a transaction (25P03, 25P04) or a lock
 * wait (55P03).
 */
const passingState = /^(?:(?:08|53|57|58|40)[0-9A-Z]{3}|25006|25P0[34]|55P03)$/;
/** In SQL: whether the server accepts changes now. */
export const acceptsWrites = "current_setting('transaction_read_only') = 'off'";
/** Socket and name errors: a container that is being replaced has no name for a while. */
const networkCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** pg and pg-pool give these no code (pg/lib/client.js, pg-pool/index.js). */
const passingWords =
  /^(?:Connection terminated|timeout e|Client (?:has encountered|was closed)|Query read timeout|Cannot use a pool after)/;
const retryAfterMs = 5_000;

const outage = (cause?: unknown): Unavailable =>
  new Unavailable('database-unavailable', 'The database does not answer.', cause, retryAfterMs);

/** The failure that callers get when the database is gone or overloaded; otherwise null. */
export function databaseOutage(error: unknown): Unavailable | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The socket file of a server that is not running; any other missing file is our own fault.
  const isMissingSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
  const isOutage =
    passingState.test(code) || networkCodes.test(code) || isMissingSocket || passingWords.test(error.message);
  return isOutage ? outage(error) : null;
}

/** Throws Unavailable `database-unavailable` when a server that took the query does not answer in time: no one is kept waiting. */
export const answeredWithin = <T>(answer: Promise<T>, withinMs = 3_000): Promise<T> =>
  withTimeout(answer, withinMs, () => {
    throw outage();
  });

/** Whether this copy can do its work; `reason` is a sentence for the operator. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

const unanswered: Readiness = { ready: false, reason: 'The database does not answer.' };
const readOnly: Readiness = { ready: false, reason: 'The database does not accept changes.' };

/**
 * For `/readyz`: whether the database answers in time and accepts changes. With one that does not accept them (a standby after
 * a failover, a provider's with a full disk), no one can sign in and no work can continue.
 */
export function createDatabaseCheck(pool: Pick<Pool, 'query'>, withinMs = 2_000): () => Promise<Readiness> {
  const check = (): Promise<Readiness> => {
    const readiness = pool.query<{ takes_changes: boolean }>(`select ${acceptsWrites} as takes_changes`).then(
      ({ rows }): Readiness => (rows[0]?.takes_changes === true ? { ready: true } : readOnly),
      () => unanswered,
    );
    return withTimeout(readiness, withinMs, () => unanswered);
  };
  let running: Promise<Readiness> | null = null;
  // Simultaneous callers share the answer: a thousand at once are one query.
  return () => (running ??= check().finally(() => void (running = null)));
}

export type OutageLog = ReturnType<typeof createOutageLog>;

/**
 * Logs once that a repeated action fails, and once that it works again; a failure of another kind is logged again. `sentence` has no full
 * stop: 'Recaps could not be made'.
 */
export function createOutageLog(log: Pick<Log, 'info' | 'warn'>, sentence: string) {
  let reported: string | null = null;
  return {
    failed: (error: unknown): void => {
      // An outage shows as different errors in turn: refused, terminated, timed out.
      const kind = databaseOutage(error) === null ? String(error) : 'database';
      if (kind !== reported) log.warn({ err: error }, `${sentence}; trying again`);
      reported = kind;
    },
    done: (): void => {
      if (reported !== null) log.info({}, `${sentence} for a while; it works again`);
      reported = null;
    },
  };
}

const tryAgainAfterMs = 250;

/** Repeats `work` until it succeeds or `over` aborts. Never throws. */
export async function untilDone(work: () => Promise<void>, outages: OutageLog, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      await work();
      return outages.done();
    } catch (error) {
      outages.failed(error);
      await pause(tryAgainAfterMs, over);
    }
  }
}

/** For tools and tests without a log. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
