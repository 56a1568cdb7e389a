import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { databaseOutage } from '../../db/outage.ts';
import type { Lease, Leases } from '../leases.ts';
import { createOutageNote } from '../outage-note.ts';
import type { BotName, ServiceReport, ServiceStore } from './service-store.ts';
import { watchLease } from './watch-lease.ts';

/** How fast the bot's own machinery turns; tests make it quicker. */
export interface TurnPace {
  /** A copy that dies holds the others up for so long at most. */
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

export const turnPace: TurnPace = { leaseMs: 7_500, heartbeatMs: 2_000, firstRetryMs: 1_000, longestRetryMs: 30_000 };

export interface BotTurnDeps {
  readonly store: ServiceStore;
  readonly leases: Leases;
  /** As the log names it: 'Telegram bot'. */
  readonly label: string;
  /** Connects to the platform and takes what happens there until stopped; reports each time that the platform has answered. */
  readonly run: (report: RunReport, stop: AbortSignal) => Promise<void>;
  /** Called when the state that every copy can see has changed. */
  readonly announce: () => void;
  /** Runs when somebody may have asked for another state. Answers how to stop listening. */
  readonly onWish: (look: () => void) => () => void;
  /** What `run` threw, as far as it is the platform's doing; null: it is not. */
  readonly failureOf: (error: unknown) => BotFailure | null;
  readonly log: BotLog;
  readonly pace: TurnPace;
}

/** What there is to tell while the bot runs. */
export interface RunReport {
  readonly connected: (bot: BotName) => void;
  /** It runs, and something keeps it from hearing. */
  readonly troubled: (sentence: string) => void;
}

/** Why the bot does not run. `sentence` is for people, with the fix where there is one, and never holds the token. */
export interface BotFailure {
  readonly sentence: string;
  readonly retryAfterMs: number | null;
  /** Only a person can mend it: it is tried again some times, as the platform may be mistaken, and then not until somebody starts it. */
  readonly isForPerson?: boolean;
}

export interface BotLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface AcquiredLease {
  readonly lease: Lease;
  /** By `performance.now`, just before the database was asked for it: it runs from some moment after that. */
  readonly askedAtMs: number;
}

/**
 * One copy's time as the one that runs the bot (rulings R7). Ends when the bot is no longer wanted, the lease is lost or the
 * product stops; whatever the platform does meanwhile is told as a state, and tried again.
 */
export async function holdBotTurn(deps: BotTurnDeps, acquired: AcquiredLease, stop: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const over = AbortSignal.any([stop, ending.signal]);
  const teller = createTeller(deps, acquired, ending);
  await teller.tell({ state: 'starting' });
  const stopListening = deps.onWish(() => void teller.repeat());
  const heartbeat = setInterval(() => void teller.repeat(), deps.pace.heartbeatMs);
  try {
    await keepRunning(deps, teller, over);
  } finally {
    clearInterval(heartbeat);
    stopListening();
    teller.stopWatching();
    // A copy that merely ends leaves the bot wanted: it starts again wherever there is another, or the product comes back.
    await teller.tell({ state: stop.aborted ? 'starting' : 'inactive' });
  }
}

interface Teller {
  tell(report: ServiceReport): Promise<void>;
  repeat(): Promise<void>;
  stopWatching(): void;
}

/** Says to all copies what this one does, keeps the lease, and ends the turn when it should. */
function createTeller(
  deps: BotTurnDeps,
  { lease, askedAtMs: acquiredAtMs }: AcquiredLease,
  ending: AbortController,
): Teller {
  let last: ServiceReport = { state: 'starting' };
  let line: Promise<void> = Promise.resolve();
  const note = createOutageNote(deps.log, `The ${deps.label} could not record its state`);
  const watch = watchLease(deps.pace, acquiredAtMs, () => ending.abort('lost'));
  const speak = async (report: ServiceReport, isNews: boolean): Promise<void> => {
    // What has gathered behind an answer that never came.
    if (ending.signal.aborted && !isNews) return;
    const askedAtMs = performance.now();
    try {
      const holds = await deps.leases.renew(lease, deps.pace.leaseMs);
      if (holds) watch.renewed(askedAtMs);
      const wanted = holds ? await deps.store.tell(report, lease) : null;
      note.done();
      if (wanted !== 'active') ending.abort(wanted === null ? 'lost' : 'unwanted');
      if (isNews && wanted !== null) deps.announce();
    } catch (error) {
      // Without the database nobody knows whose turn it is: the watch ends this one in time.
      note.failed(error);
    }
  };
  // One after the other, so that an older state never overwrites a newer one.
  const enqueue = (report: () => ServiceReport, isNews: boolean): Promise<void> => {
    line = line.then(() => speak(report(), isNews));
    return line;
  };
  return {
    tell: (report) => {
      const { state, bot = last.bot } = report;
      last = bot === undefined ? { state } : { state, bot };
      return enqueue(() => report, true);
    },
    repeat: () => enqueue(() => last, false),
    stopWatching: () => watch.stop(),
  };
}

async function keepRunning(deps: BotTurnDeps, teller: Teller, over: AbortSignal): Promise<void> {
  let failures = 0;
  let inVain = 0;
  while (!over.aborted) {
    let last: string | null = null;
    const report = (sentence: string, told: ServiceReport): void => {
      failures = 0;
      if (last === sentence || over.aborted) return;
      last = sentence;
      // What ends a warning before it: whoever reads the log sees that it is over.
      if (told.state === 'active') deps.log.info({}, `The ${deps.label} runs`);
      void teller.tell(told);
    };
    try {
      await deps.run(
        {
          connected: (bot) => {
            inVain = 0;
            report('', { state: 'active', bot });
          },
          troubled: (sentence) => report(sentence, { state: 'failing', error: sentence }),
        },
        over,
      );
    } catch (error) {
      if (over.aborted) return;
      failures += 1;
      const failure = deps.failureOf(error);
      inVain = failure?.isForPerson === true ? inVain + 1 : 0;
      const isGivenUp = inVain >= triesInVain;
      const sentence = `${failure?.sentence ?? ownFault(error)}${isGivenUp ? givenUp : ''}`;
      deps.log.warn({ err: error, attempt: failures }, `The ${deps.label} does not run: ${sentence}`);
      await teller.tell({ state: 'failing', error: sentence });
      if (isGivenUp) await aborted(over);
      else {
        const waitMs = retryMs(deps.pace, failures, failure?.retryAfterMs ?? 0);
        await delay(waitMs, undefined, { signal: over }).catch(() => {});
      }
    }
    // Whoever no longer wants it was perhaps not heard yet.
    await teller.repeat();
  }
}

const triesInVain = 5;
const givenUp = " The bot has stopped retrying: once that is done, press 'Stop trying', then 'Start'.";

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

const ownFault = (error: unknown): string =>
  databaseOutage(error) === null
    ? 'The bot hit an internal error and is restarting.'
    : 'The database did not answer; the bot is restarting.';

/** A platform that asks for more is not obeyed; 288 tries a day stay far below the 1,000 starts that Discord allows. */
const longestAskedMs = 300_000;

/** How long to wait after so many failures in a row. */
export function retryMs(pace: TurnPace, failures: number, askedMs: number): number {
  const backOffMs = Math.min(pace.firstRetryMs * 2 ** Math.min(failures - 1, 10), pace.longestRetryMs);
  return Math.max(backOffMs, Math.min(askedMs, longestAskedMs));
}
