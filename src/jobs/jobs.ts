import { type Clock, fromKysely, type Job, type JobResult, type KyselyTransactionLike, PgBoss } from 'pg-boss';

import { createOutageNote, type OutageLog } from '../platform/outage-note.ts';
import type { JobDefinition, JobName } from './define-job.ts';

/** The one engine for everything that runs by itself (rulings R7): pg-boss on the product's own PostgreSQL. */
export interface Jobs {
  /** Before the start. */
  add<Payload extends object>(job: JobDefinition<Payload>): void;
  /** Runs it at `at`, or at once. One of the same key that waits already is moved to that time and gets this payload. */
  send<Payload extends object>(job: JobName<Payload>, payload: Payload, options?: SendOptions): Promise<void>;
  /** Makes the queues, begins what repeats, and works from here on. */
  start(): Promise<void>;
  /** Takes nothing new and aborts what runs; resolves when it is over, at most after `stopWithinMs`. */
  stop(): Promise<void>;
}

interface SendOptions {
  readonly at?: Date;
  /** Sent when this is committed, and not at all otherwise. */
  readonly within?: KyselyTransactionLike;
}

export interface JobsOptions {
  /** Of the product's database. May carry a password: never logged. */
  readonly url: string;
  readonly log: OutageLog;
  /** Of the engine, for tests that move time. */
  readonly clock?: Clock;
}

const poolSize = 4;
const connectWithinMs = 5_000;
const stopWithinMs = 2_000;
/** NOTIFY wakes a worker at once, and a timer of the copy that sent it when its time has come; polling finds what both have missed. */
const pollEverySeconds = 2;
const wakesWithinMs = 3_600_000;
/** A copy that dies in the middle of a job: another one begins it anew after this. The least that pg-boss takes. */
const heartbeatSeconds = 10;
const superviseEverySeconds = 5;
/** What became of a job is written down in tables of its own; here it is of no use to anybody. */
const keptAfterwardsSeconds = 60;
const waitsAtMostSeconds = 365 * 86_400;
const longestRunSeconds = 15 * 60;
const firstRetrySeconds = 1;
const retriesWithoutEnd = 1_000_000;
/** pg-boss goes on without pause only after a full batch of two or more. */
const batchSize = 2;

export function createJobs({ url, log, clock }: JobsOptions): Jobs {
  const boss = new PgBoss({
    connectionString: url,
    application_name: `product jobs ${process.pid}`,
    max: poolSize,
    connectionTimeoutMillis: connectWithinMs,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: superviseEverySeconds,
    monitorIntervalSeconds: superviseEverySeconds,
    ...(clock !== undefined && { clock }),
  });
  const note = createOutageNote(log, 'The job engine could not reach the database');
  boss.on('error', (error) => note.failed(error));
  boss.on('warning', ({ message, data }) => log.warn({ data }, `pg-boss: ${message}`));
  const added: AnyJob[] = [];
  const workerIds = new Map<string, string>();
  const stopping = new AbortController();

  const send: Jobs['send'] = async (job, payload, { at, within } = {}) => {
    const options = { startAfter: at ?? 0, ...(within !== undefined && { db: fromKysely(within) }) };
    if (hasKey(job)) await boss.upsert(job.name, payload, { ...options, singletonKey: keyOf(job, payload) });
    else await boss.send(job.name, payload, options);
    const inMs = (at?.getTime() ?? 0) - Date.now();
    if (inMs <= 0 || inMs > wakesWithinMs) return;
    setTimeout(() => boss.notifyWorker(workerIds.get(job.name) ?? ''), inMs).unref();
  };
  const work = async (job: AnyJob): Promise<void> => {
    const { name, repeats } = job;
    const queue = queueOf(job);
    await boss.createQueue(name, { ...queue, policy: hasKey(job) ? 'stately' : 'standard' });
    // One of an earlier version of the product would keep its own settings.
    await boss.updateQueue(name, queue);
    const run = createRunner(job, { send, log, stopping: stopping.signal, onFetched: note.done });
    workerIds.set(name, await boss.work(name, workersOf(job), run));
    // One that waits from before is left alone.
    if (repeats !== undefined) await boss.send(name, repeats.payload, { singletonKey: keyOf(job, repeats.payload) });
  };
  return {
    add: (job) => void added.push(job as unknown as AnyJob),
    send,
    start: async () => {
      await boss.start();
      for (const job of added) await work(job);
    },
    stop: async () => {
      stopping.abort(new Error('The product is stopping'));
      await boss.stop({ graceful: true, timeout: stopWithinMs });
    },
  };
}

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

const workersOf = ({ atOnce = 1 }: AnyJob) =>
  ({
    batchSize,
    burstWhenBatchFull: true,
    perJobResults: true,
    localConcurrency: Math.ceil(atOnce / batchSize),
    pollingIntervalSeconds: pollEverySeconds,
    notifyPollingIntervalSeconds: pollEverySeconds,
  }) as const;

interface RunnerDeps {
  readonly send: Jobs['send'];
  readonly log: OutageLog;
  readonly stopping: AbortSignal;
  /** The database answered. */
  readonly onFetched: () => void;
}

/** What a worker does with a batch. A run that throws is tried again, which the log says once. */
function createRunner(job: AnyJob, { send, log, stopping, onFetched }: RunnerDeps) {
  const { repeats, atOnce = 1 } = job;
  const note = createOutageNote(log, job.failing);
  const runOne = async ({ id, data, signal }: Job): Promise<JobResult> => {
    try {
      const payload = job.payload.parse(data);
      const again = await job.run(payload, AbortSignal.any([signal, stopping]));
      note.done();
      const at = again?.againAt ?? (repeats && new Date(Date.now() + repeats.everyMs));
      if (at !== undefined) await send(job, payload, { at });
      return { id, status: 'completed' };
    } catch (error) {
      if (!stopping.aborted) note.failed(error);
      return { id, status: 'failed', output: String(error) };
    }
  };
  return async (batch: Job[]): Promise<JobResult[]> => {
    onFetched();
    if (atOnce > 1) return Promise.all(batch.map(runOne));
    const results: JobResult[] = [];
    for (const each of batch) results.push(await runOne(each));
    return results;
  };
}

type AnyJob = JobDefinition<object>;

const hasKey = ({ key, repeats }: { readonly key?: unknown; readonly repeats?: unknown }): boolean =>
  key !== undefined || repeats !== undefined;

const keyOf = <Payload extends object>({ name, key }: JobName<Payload>, payload: Payload): string =>
  key?.(payload) ?? name;
