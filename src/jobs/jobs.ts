import { fromKysely, type Job, type KyselyTransactionLike, PgBoss } from 'pg-boss';

import { runAfter } from '../process/in-time.ts';
import { guardConnections } from '../db/guard-connections.ts';
import { createOutageLog } from '../db/outage.ts';
import type { z } from 'zod';
import type { Log } from '../process/logger.ts';
import { bringForward, watchForClockSetBack } from './waiting-jobs.ts';

/** The one engine for everything that runs by itself (rulings R7): pg-boss on the product's own PostgreSQL. */
export interface Jobs {
  /** Call it before the start. */
  add<Payload extends object>(job: JobDefinition<Payload>): void;
  /** Runs it after `inMs`, or at once. If one with the same key is waiting already, only that one runs, at the earlier of the two times. */
  send<Payload extends object>(job: JobName<Payload>, payload: NoInfer<Payload>, options?: SendOptions): Promise<void>;
  /** Sends several, to run at once. If one with the same key is waiting already, it stays as it is. */
  sendAll<Payload extends object>(job: JobName<Payload>, payloads: readonly NoInfer<Payload>[]): Promise<void>;
  /** Creates the queues and sends the repeating jobs. From then on jobs can be sent. */
  createQueues(): Promise<void>;
  /** Creates the queues if that has not been done, and runs jobs from then on. */
  start(): Promise<void>;
  /** Takes no new jobs and aborts the running ones; resolves when they have ended, after `stopWithinMs` at the latest. */
  stop(): Promise<void>;
}

/** One kind of work that runs by itself: a queue of its own in the database, worked on by every copy of the product. */
export interface JobDefinition<Payload extends object> {
  /** The queue's name, kebab-case. */
  readonly name: string;
  /** What the job is about. Stored as JSON, and read back through this schema. Left out: it is about nothing, and all have one key. */
  readonly payload?: z.ZodType<Payload>;
  /**
   * Jobs with the same key never run at the same time, and at most one of them waits, so the payload may say no more than the key.
   * One sent while another runs is run after it. Left out beside a payload: all of them run, in parallel.
   */
  readonly key?: (payload: Payload) => string;
  /** How many run at a time in one copy; 1 when left out. */
  readonly atOnce?: number;
  /** Of a job without a payload: it runs at the start of the product and then again after this. */
  readonly everyMs?: number;
  /** A run that throws is retried after a second, then after twice as long each time, at most after this. */
  readonly longestRetryMs?: number;
  /** For the log when it throws: 'Old rows could not be deleted'. */
  readonly failing: string;
  /**
   * May run twice for one job (if a copy dies in the middle): its writes must allow for that. Returns how long until it runs again, if at
   * all: never a time, as a clock may be set while the job runs.
   * `stop`: the product is stopping, or the run has taken too long.
   */
  readonly run: (payload: Payload, stop: AbortSignal) => Promise<{ readonly againInMs: number } | void>;
}

/** What a sender needs to know of a job. */
export type JobName<Payload extends object> = Pick<JobDefinition<Payload>, 'name' | 'payload' | 'key'>;

interface SendOptions {
  readonly inMs?: number;
  /** Sent when this is committed, and not at all otherwise. */
  readonly transaction?: KyselyTransactionLike;
}

export interface JobsOptions {
  /** Of the product's database. May carry a password: never logged. */
  readonly url: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** A connection on which a statement gets no answer for this long is given up (docs/decisions/0020). */
  readonly answerTimeoutMs?: number;
}

const poolSize = 4;
const connectWithinMs = 5_000;
const usualAnswerTimeoutMs = 10_000;
const stopWithinMs = 2_000;
/** NOTIFY wakes a worker at once, and a timer of the sending copy wakes one when a job is due; polling finds the jobs that both missed. */
const pollEverySeconds = 2;
/** For the other workers of a queue: a worker that finds a job wakes the next one. */
const othersPollEverySeconds = 10;
const wakesWithinMs = 3_600_000;
/** When a copy dies in the middle of a job, another one starts it again after this. The minimum that pg-boss accepts. */
const heartbeatSeconds = 10;
const superviseEverySeconds = 5;
/** The results of jobs are in the product's own tables: finished jobs are not needed. */
const keptAfterwardsSeconds = 60;
const deleteFinishedEverySeconds = 600;
const waitsAtMostSeconds = 365 * 86_400;
/** A sweep through thousands of kiosks at a public node's limit takes more than an hour; each of its calls has its own deadline. */
const longestRunSeconds = 6 * 3_600;
const firstRetrySeconds = 1;
const retriesWithoutEnd = 1_000_000;

export function createJobs({ url, log, answerTimeoutMs = usualAnswerTimeoutMs }: JobsOptions): Jobs {
  guardConnections();
  const boss = createBoss(url, answerTimeoutMs);
  const outages = createOutageLog(log, 'The job engine could not reach the database');
  boss.on('error', (error) => outages.failed(asError(error)));
  boss.on('warning', ({ message, data }) => log.warn({ data }, `pg-boss: ${message}`));
  const added: AnyJob[] = [];
  const idleWorkers: IdleWorkers = new Map();
  const stopping = new AbortController();

  const send = createSender(boss, idleWorkers);
  let queues: Promise<unknown> | undefined;
  let stopWatching = (): void => {};
  const createQueues = async (): Promise<void> => {
    queues ??= boss.start().then(() => Promise.all(added.map((job) => createQueue(boss, job, send))));
    await queues;
  };
  const startWorkers = async (job: AnyJob): Promise<void> => {
    const { name, atOnce = 1 } = job;
    const run = createRunner(job, { send, log, stopping: stopping.signal, onFetched: outages.done });
    const idle = new Set<string>();
    idleWorkers.set(name, idle);
    for (let worker = 0; worker < atOnce; worker += 1) {
      const seconds = worker === 0 ? pollEverySeconds : othersPollEverySeconds;
      const polling = { batchSize: 1, pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds };
      const id = await boss.work<object>(name, polling, async ([next]) => {
        idle.delete(id);
        // Without batches, pg-boss would pause after each job.
        boss.notifyWorker(id);
        wakeOne(boss, idle);
        if (next !== undefined) await run(next).finally(() => idle.add(id));
      });
      idle.add(id);
    }
  };
  return {
    add: (job) => void added.push(job as unknown as AnyJob),
    send,
    sendAll: async (job, payloads) => {
      if (payloads.length === 0) return;
      const jobs = payloads.map((data) => ({ data, ...(hasKey(job) && { singletonKey: keyOf(job, data) }) }));
      await boss.insert(job.name, jobs);
    },
    createQueues,
    start: async () => {
      await createQueues();
      for (const job of added) await startWorkers(job);
      stopWatching = watchForClockSetBack(boss.getDb(), outages.failed);
    },
    stop: async () => {
      stopWatching();
      stopping.abort(new Error('The product is stopping'));
      await boss.stop({ graceful: true, timeout: stopWithinMs });
    },
  };
}

function createBoss(url: string, answerTimeoutMs: number): PgBoss {
  // pg-boss passes these to the pool that it makes (pg-boss/dist/db.js), though its types do not say so.
  const limits = { query_timeout: answerTimeoutMs, keepAlive: true };
  return new PgBoss({
    connectionString: url,
    application_name: `product jobs ${process.pid}`,
    max: poolSize,
    connectionTimeoutMillis: Math.min(connectWithinMs, answerTimeoutMs),
    ...limits,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: superviseEverySeconds,
    monitorIntervalSeconds: superviseEverySeconds,
    maintenanceIntervalSeconds: deleteFinishedEverySeconds,
  });
}

async function createQueue(boss: PgBoss, job: AnyJob, send: Jobs['send']): Promise<void> {
  const queue = queueOf(job);
  await boss.createQueue(job.name, { ...queue, policy: hasKey(job) ? 'stately' : 'standard' });
  // A queue of an earlier version of the product would keep its old settings.
  await boss.updateQueue(job.name, queue);
  // A job that waits from before runs now: its time may come from a setting that has changed.
  if (job.everyMs !== undefined) await send(job, {});
}

/** pg-boss reports a worker's failure as a plain object (pg-boss/dist/manager.js), of which the log would show nothing. */
const asError = (error: Error): Error =>
  error instanceof Error ? error : Object.assign(new Error((error as Error).message), error);

/** Idle workers by queue, the one that was woken longest ago first. A busy worker fetches its next job by itself. */
type IdleWorkers = Map<string, Set<string>>;

function wakeOne(boss: PgBoss, idle: Set<string> | undefined): void {
  const [id] = idle ?? [];
  if (idle === undefined || id === undefined) return;
  idle.delete(id);
  idle.add(id);
  boss.notifyWorker(id);
}

const createSender =
  (boss: PgBoss, idleWorkers: IdleWorkers): Jobs['send'] =>
  async (job, payload, { inMs = 0, transaction } = {}) => {
    const options = { startAfter: inMs / 1_000, ...(transaction && { db: fromKysely(transaction) }) };
    const keyed = { ...options, singletonKey: keyOf(job, payload) };
    if (!hasKey(job)) await boss.send(job.name, payload, options);
    else if (inMs === 0) await boss.upsert(job.name, payload, keyed);
    else if ((await boss.send(job.name, payload, keyed)) === null) {
      // One with the key waits already: it runs at the earlier of the two times.
      await bringForward(keyed.db ?? boss.getDb(), job.name, keyed.singletonKey, keyed.startAfter);
    }
    if (inMs > 0 && inMs < wakesWithinMs) runAfter(inMs, () => wakeOne(boss, idleWorkers.get(job.name)));
  };

const queueOf = ({ longestRetryMs = 60_000 }: AnyJob) => ({
  notify: true,
  heartbeatSeconds,
  expireInSeconds: longestRunSeconds,
  retentionSeconds: waitsAtMostSeconds,
  deleteAfterSeconds: keptAfterwardsSeconds,
  retryLimit: retriesWithoutEnd,
  retryDelay: firstRetrySeconds,
  retryBackoff: true,
  retryDelayMax: Math.ceil(longestRetryMs / 1_000),
});

interface RunnerDeps {
  readonly send: Jobs['send'];
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly stopping: AbortSignal;
  /** The database answered. */
  readonly onFetched: () => void;
}

/** Runs a job in a worker. A run that throws is retried, which the log says once. */
function createRunner(job: AnyJob, { send, log, stopping, onFetched }: RunnerDeps) {
  const outages = createOutageLog(log, job.failing);
  return async ({ data, signal }: Job): Promise<void> => {
    onFetched();
    try {
      const payload = job.payload?.parse(data) ?? {};
      const again = await job.run(payload, AbortSignal.any([signal, stopping]));
      outages.done();
      const inMs = again?.againInMs ?? job.everyMs;
      if (inMs !== undefined) await send(job, payload, { inMs });
    } catch (error) {
      if (!stopping.aborted) outages.failed(error);
      throw error;
    }
  };
}

type AnyJob = JobDefinition<object>;

const hasKey = ({ key, payload }: { readonly key?: unknown; readonly payload?: unknown }): boolean =>
  key !== undefined || payload === undefined;

const keyOf = <Payload extends object>({ name, key }: JobName<Payload>, payload: Payload): string =>
  key?.(payload) ?? name;
