import { once } from 'node:events';

import type { ChangeSignal } from '../db/change-signal.ts';
import { databaseOutage, createOutageLog, untilDone } from '../db/outage.ts';
import { createSessionLock } from '../db/session-lock.ts';
import { pause } from '../process/in-time.ts';
import type { BotName, ServiceReport, ServiceRow, ServiceStore } from './service-store.ts';
import type { Log } from '../process/logger.ts';

/** Of both bots. Tests shorten these. */
export const botPace = {
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  /** How long a start and a shutdown in the dashboard wait for the bot to start or stop. */
  settleMs: 10_000,
};
export type BotPace = Readonly<typeof botPace>;

export interface BotRunnerDeps {
  /** Of the product's database: the lock has its own connection. */
  readonly url: string;
  readonly store: ServiceStore;
  /** Its name in the log: 'Telegram bot'. */
  readonly label: string;
  /** Connects to the platform and handles its events until stopped. Reports whenever the platform has answered. */
  readonly run: (report: RunReport, stop: AbortSignal) => Promise<void>;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  /** The failure behind what `run` threw; null: the platform did not cause it. */
  readonly failureOf: (error: unknown) => BotFailure | null;
  /** Runs beside `run` while the bot is wanted, even while the platform refuses `run`. Never throws. */
  readonly runBeside?: (service: ServiceRow, over: AbortSignal) => Promise<void>;
  readonly log: Log;
  readonly pace: Omit<BotPace, 'settleMs'>;
}

export interface RunReport {
  /** `trouble`: it works, but what people write does not reach it. */
  readonly connected: (bot: BotName, trouble?: string | null) => void;
  /** It has lost its connection, or a part of it, and tries to get it back. */
  readonly troubled: (sentence: string) => void;
}

/** Why the bot does not run. `sentence` is for people, with the fix where there is one, and never contains the token. */
export interface BotFailure {
  readonly sentence: string;
  readonly retryAfterMs: number | null;
  /** Only a person can fix it: retried a few times, in case the platform is mistaken, then not until an admin starts the bot. */
  readonly isForPerson?: boolean;
}

/** Runs the bot in the copy that has its lock, while an admin wants it (rulings R7). Platform failures are shown and retried. */
export function createBotRunner(deps: BotRunnerDeps) {
  const { url, store, log } = deps;
  const stopping = new AbortController();
  const onHeld = async (lost: AbortSignal): Promise<void> => {
    await runWhileHeld(deps, lost);
    // Before the lock is released: the last recorded state is shown as the next copy's until that one records its own.
    if (stopping.signal.aborted) await recordStop(store).catch(() => {});
  };
  const lock = createSessionLock({ url, name: store.lockName, onHeld, log });
  return {
    start: () => lock.start(),
    stop: async () => {
      stopping.abort();
      await lock.stop();
    },
  };
}

/** A copy that stops leaves the bot wanted: another copy starts it, or the product when it is back. */
async function recordStop(store: ServiceStore): Promise<void> {
  const { wanted } = await store.read();
  await store.record({ state: wanted === 'active' ? 'starting' : 'inactive' });
}

async function runWhileHeld(deps: BotRunnerDeps, lost: AbortSignal): Promise<void> {
  const record = createRecorder(deps, lost);
  while (!lost.aborted) {
    const changed = new AbortController();
    const stopListening = deps.changes.subscribe(deps.store.topic, () => changed.abort());
    try {
      const service = await deps.store.read();
      if (service.wanted === 'active') await runWhileWanted(deps, service, record, lost);
      else await restWhileUnwanted(service.state, record, AbortSignal.any([lost, changed.signal]));
    } finally {
      stopListening();
    }
  }
}

/** Only a change is recorded: each record is published, which makes every copy check again, this one too. */
async function restWhileUnwanted(state: string, record: RecordState, over: AbortSignal): Promise<void> {
  if (state !== 'inactive') await record({ state: 'inactive' });
  await aborted(over);
}

type RecordState = (report: ServiceReport) => Promise<void>;

/** Records this copy's state for all copies, one write after the other, so that an older state never overwrites a newer one. */
function createRecorder({ store, label, log }: BotRunnerDeps, lost: AbortSignal): RecordState {
  const outages = createOutageLog(log, `The ${label} could not record its state`);
  let last: Promise<void> = Promise.resolve();
  return (report) => (last = last.then(() => untilDone(() => store.record(report), outages, lost)));
}

async function runWhileWanted(
  deps: BotRunnerDeps,
  service: ServiceRow,
  record: RecordState,
  lost: AbortSignal,
): Promise<void> {
  const ending = new AbortController();
  const endIfUnwanted = async (): Promise<void> => {
    // If the database stays unreachable, the lock is lost too.
    const read = await deps.store.read().catch(() => null);
    if (read !== null && read.wanted !== 'active') ending.abort('unwanted');
  };
  const stopListening = deps.changes.subscribe(deps.store.topic, () => void endIfUnwanted());
  try {
    await record({ state: 'starting' });
    await endIfUnwanted();
    const over = AbortSignal.any([lost, ending.signal]);
    await Promise.all([keepRunning(deps, { record, endIfUnwanted, over }), deps.runBeside?.(service, over)]);
  } finally {
    stopListening();
  }
}

interface Turn {
  readonly record: RecordState;
  readonly endIfUnwanted: () => Promise<void>;
  readonly over: AbortSignal;
}

async function keepRunning(deps: BotRunnerDeps, { record, endIfUnwanted, over }: Turn): Promise<void> {
  const { log, label, pace } = deps;
  let failures = 0;
  let failuresForPerson = 0;
  while (!over.aborted) {
    const report = createReport(deps, record, over);
    try {
      await deps.run(
        {
          connected: (bot, trouble = null) => {
            failures = 0;
            failuresForPerson = 0;
            report({ state: 'active', bot, ...(trouble !== null && { error: trouble }) });
          },
          troubled: (sentence) => {
            failures = 0;
            report({ state: 'failing', error: sentence });
          },
        },
        over,
      );
    } catch (error) {
      if (over.aborted) return;
      failures += 1;
      const failure = deps.failureOf(error);
      failuresForPerson = failure?.isForPerson === true ? failuresForPerson + 1 : 0;
      const isGivenUp = failuresForPerson >= triesForPersonMax;
      const sentence = `${failure?.sentence ?? ownFault(error)}${isGivenUp ? givenUp : ''}`;
      log.warn({ err: error, attempt: failures }, `The ${label} does not run: ${sentence}`);
      await record({ state: 'failing', error: sentence });
      if (isGivenUp) await aborted(over);
      else await pause(retryMs(pace, failures, failure?.retryAfterMs ?? 0), over);
    }
    // A signal may have been lost.
    await endIfUnwanted();
  }
}

/** Records what the platform answers, without repeating the last. */
function createReport({ log, label }: BotRunnerDeps, record: RecordState, over: AbortSignal) {
  let last: string | null = null;
  return (report: ServiceReport): void => {
    const news = report.error ?? report.state;
    if (last === news || over.aborted) return;
    last = news;
    // Logged to end an earlier warning.
    if (news === 'active') log.info({}, `The ${label} runs`);
    void record(report);
  };
}

const triesForPersonMax = 5;
const givenUp = " The bot has stopped trying. Fix this, press 'Stop trying', and start the bot again.";

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

const ownFault = (error: unknown): string =>
  databaseOutage(error) === null
    ? 'The bot hit an internal error and is restarting.'
    : 'The database did not answer; the bot is restarting.';

/** The longest wait that a platform may ask for; 288 tries a day stay far below the 1,000 starts that Discord allows. */
const longestAskedMs = 300_000;

export function retryMs(pace: BotRunnerDeps['pace'], failures: number, askedMs: number): number {
  const backOffMs = Math.min(pace.firstRetryMs * 2 ** Math.min(failures - 1, 10), pace.longestRetryMs);
  return Math.max(backOffMs, Math.min(askedMs, longestAskedMs));
}
