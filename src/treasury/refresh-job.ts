import { z } from 'zod';

import type { JobDefinition } from '../jobs/define-job.ts';
import type { TreasuryReading } from './core/reading.ts';
import type { ValuationSettings } from './core/valuation-settings.ts';
import { withDeadline } from './deadline.ts';
import type { KeptReading } from './kept-reading.ts';
import type { Clock } from './ports.ts';
import { type ReadContext, readLateMetadata } from './read-treasury.ts';
import { type RefreshOutcome, refreshTreasury } from './refresh.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

export interface RefreshJobDeps {
  readonly context: ReadContext;
  readonly settings: ValuationSettings;
  readonly kept: KeptReading;
  readonly served: ServedSnapshot;
  readonly clock: Clock;
  /** A refresh that is not done by then is given up, whatever hangs. */
  readonly deadlineMs: number;
}

/** Without any snapshot yet, a failed refresh is tried again soon. */
const firstRetryMs = 5_000;
/** How long the reading of late metadata may take; the next refresh goes on with it. */
const lateDeadlineMs = 20_000;

/** Refreshes the treasury for all copies. A refresh that fails is no failure of the job: the last good reading stays. */
export function refreshJob(deps: RefreshJobDeps): JobDefinition<object> {
  const { kept, served, settings } = deps;
  const { refreshMs } = settings;
  return {
    name: 'treasury-refresh',
    payload: z.object({}),
    repeats: { payload: {}, everyMs: refreshMs },
    longestRetryMs: refreshMs,
    failing: 'The treasury could not be refreshed',
    run: async (_payload, stop) => {
      const begunMs = Date.now();
      await kept.adopt();
      await refreshOnce(deps, stop);
      const everyMs = served.reading() === null ? Math.min(firstRetryMs, refreshMs) : refreshMs;
      return { againAt: new Date(Math.max(Date.now(), begunMs + everyMs)) };
    },
  };
}

/** Reads, publishes, then explains what is listed apart. Saving is not cut short by a stop: what was read is kept. */
async function refreshOnce(deps: RefreshJobDeps, stopped: AbortSignal): Promise<void> {
  const { context, settings, kept, served, clock, deadlineMs } = deps;
  try {
    const outcome = await withDeadline(clock, deadlineMs, stopped, (stop) =>
      refreshTreasury(served.reading(), context, settings, stop),
    );
    report(outcome, deps);
    if (outcome.kind !== 'published') return served.giveUp();
    await kept.publish(outcome.reading);
    await explainLater(deps, outcome.reading, stopped);
  } catch (error) {
    served.giveUp();
    if (stopped.aborted) throw error;
    context.log.warn({ err: error }, failureText(deps));
  }
}

const failureText = ({ served }: RefreshJobDeps): string =>
  served.reading() === null
    ? 'Treasury refresh failed; there is no earlier one to show, the next try follows'
    : 'Treasury refresh failed; the last good one stays';

function report(outcome: RefreshOutcome, deps: RefreshJobDeps): void {
  const { log } = deps.context;
  if (outcome.kind === 'failed') log.warn({ reason: outcome.reason, cause: outcome.cause }, failureText(deps));
  if (outcome.kind === 'held') {
    const totals = { lastMicroUsd: String(outcome.lastMicroUsd), nextMicroUsd: String(outcome.nextMicroUsd) };
    log.warn(totals, 'The treasury total moved too far without being confirmed; the last good one stays');
  }
}

async function explainLater(deps: RefreshJobDeps, reading: TreasuryReading, stopped: AbortSignal): Promise<void> {
  const { context, kept, clock } = deps;
  try {
    const explained = await withDeadline(clock, lateDeadlineMs, stopped, (stop) =>
      readLateMetadata(reading, context, stop),
    );
    if (explained !== null) await kept.publish(explained);
  } catch (error) {
    if (!stopped.aborted) context.log.warn({ err: error }, 'The coins listed apart could not be explained this time');
  }
}
