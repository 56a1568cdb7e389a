import type { TreasuryReading } from './core/reading.ts';
import type { ValuationSettings } from './core/valuation-settings.ts';
import { withDeadline } from './deadline.ts';
import type { KeptReading } from './kept-reading.ts';
import type { Clock, ReadingSignal, RefreshTurn, TreasuryStore } from './ports.ts';
import { readLateMetadata } from './read-treasury.ts';
import type { ReadContext } from './read-treasury.ts';
import { refreshTreasury } from './refresh.ts';
import type { RefreshOutcome } from './refresh.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

export interface RefreshJobDeps {
  readonly context: ReadContext;
  readonly settings: ValuationSettings;
  readonly store: TreasuryStore;
  readonly kept: KeptReading;
  readonly turn: RefreshTurn;
  readonly signal: ReadingSignal;
  readonly served: ServedSnapshot;
  readonly clock: Clock;
  /** A refresh that is not done by then is given up, whatever hangs. */
  readonly deadlineMs: number;
}

export interface RefreshJob {
  /** Shows the last good reading of the database, if any, then looks and refreshes until stopped. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How often a copy looks whether it is time, or whether another copy was quicker: one small query. */
const lookEveryMs = 5_000;
/** Without any snapshot yet, a failed refresh is tried again soon. */
const firstRetryMs = 5_000;

const failureText = ({ served }: RefreshJobDeps): string =>
  served.reading() === null
    ? 'Treasury refresh failed; there is no earlier one to show, the next try follows'
    : 'Treasury refresh failed; the last good one stays';

const report = (outcome: RefreshOutcome, deps: RefreshJobDeps): void => {
  const { log } = deps.context;
  if (outcome.kind === 'failed') log.warn({ reason: outcome.reason, cause: outcome.cause }, failureText(deps));
  if (outcome.kind === 'held') {
    const totals = { lastMicroUsd: String(outcome.lastMicroUsd), nextMicroUsd: String(outcome.nextMicroUsd) };
    log.warn(totals, 'The treasury total moved too far without being confirmed; the last good one stays');
  }
};

/** How long the reading of late metadata may take; the next refresh goes on with it. */
const lateDeadlineMs = 20_000;

const explainLater = async (deps: RefreshJobDeps, reading: TreasuryReading, stopped: AbortSignal): Promise<void> => {
  const { context, kept, clock } = deps;
  try {
    const explained = await withDeadline(clock, lateDeadlineMs, stopped, (stop) =>
      readLateMetadata(reading, context, stop),
    );
    if (explained !== null) await kept.publish(explained);
  } catch (error) {
    if (!stopped.aborted) context.log.warn({ err: error }, 'The coins listed apart could not be explained this time');
  }
};

/** Reads, publishes, then explains what is listed apart. Saving is not cut short by a stop: what was read is kept. */
const refreshOnce = async (deps: RefreshJobDeps, stopped: AbortSignal): Promise<void> => {
  const { context, settings, store, kept, served, clock, deadlineMs } = deps;
  await store.noteAttempt(clock.now());
  const outcome = await withDeadline(clock, deadlineMs, stopped, (stop) =>
    refreshTreasury(served.reading(), context, settings, stop),
  );
  report(outcome, deps);
  if (outcome.kind !== 'published') return served.giveUp();
  await kept.publish(outcome.reading);
  await explainLater(deps, outcome.reading, stopped);
};

/** Milliseconds until the next refresh is due; 0: now. A clock that was set back must not stop the refreshes. */
const dueInMs = (deps: RefreshJobDeps, attemptedAt: Date | null): number => {
  if (attemptedAt === null) return 0;
  const { refreshMs } = deps.settings;
  const everyMs = deps.served.reading() === null ? Math.min(firstRetryMs, refreshMs) : refreshMs;
  const sinceMs = deps.clock.now().getTime() - attemptedAt.getTime();
  return sinceMs < 0 ? 0 : Math.max(0, everyMs - sinceMs);
};

/**
 * One look: takes over what another copy read, refreshes when it is time and nobody else is at it.
 * Answers in how many milliseconds to look again.
 */
const look = async (deps: RefreshJobDeps, stopped: AbortSignal): Promise<number> => {
  const { store, kept, turn } = deps;
  const { version, attemptedAt } = await store.readStatus();
  await kept.adopt(version);
  if (stopped.aborted || dueInMs(deps, attemptedAt) > 0) return Math.min(lookEveryMs, dueInMs(deps, attemptedAt));
  let lastAttemptAt: Date | null = null;
  const wasOurTurn = await turn.runAlone(async () => {
    // Between the look and the turn another copy may have done it all.
    const status = await store.readStatus();
    await kept.adopt(status.version);
    const isDue = dueInMs(deps, status.attemptedAt) === 0;
    lastAttemptAt = isDue ? deps.clock.now() : status.attemptedAt;
    if (isDue) await refreshOnce(deps, stopped).catch((error: unknown) => warnUnlessStopped(deps, stopped, error));
  });
  return wasOurTurn ? Math.min(lookEveryMs, dueInMs(deps, lastAttemptAt)) : lookEveryMs;
};

const warnUnlessStopped = (deps: RefreshJobDeps, stopped: AbortSignal, error: unknown): void => {
  deps.served.giveUp();
  if (!stopped.aborted) deps.context.log.warn({ err: error }, failureText(deps));
};

export function createRefreshJob(deps: RefreshJobDeps): RefreshJob {
  const { store, kept, signal, clock } = deps;
  const { log } = deps.context;
  const stopped = new AbortController();
  let looking: Promise<void> | null = null;
  let signalled = false;
  let cancelLook = (): void => {};
  let unsubscribe = (): void => {};

  const lookAndPlan = async (): Promise<void> => {
    let nextMs = lookEveryMs;
    try {
      nextMs = await look(deps, stopped.signal);
    } catch (error) {
      warnUnlessStopped(deps, stopped.signal, error);
    }
    looking = null;
    if (!stopped.signal.aborted) cancelLook = clock.after(signalled ? 0 : nextMs, lookNow);
    signalled = false;
  };

  /** One look at a time and another one after it, whatever happened; a signal during a look leads to one more at once. */
  const lookNow = (): void => {
    signalled = looking !== null;
    if (looking !== null || stopped.signal.aborted) return;
    cancelLook();
    looking = lookAndPlan();
  };

  return {
    start: async () => {
      try {
        await kept.adopt((await store.readStatus()).version);
      } catch (error) {
        log.warn({ err: error }, 'The kept treasury reading could not be read');
      }
      unsubscribe = signal.subscribe(lookNow);
      lookNow();
    },
    stop: async () => {
      stopped.abort(new Error('The treasury is stopping'));
      unsubscribe();
      cancelLook();
      await looking;
    },
  };
}
