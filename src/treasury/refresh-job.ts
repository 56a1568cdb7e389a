import { z } from 'zod';

import type { JobDefinition } from '../jobs/jobs.ts';
import { Unavailable } from '../shared/failure.ts';
import { confirmsJump, judgeJump } from './core/next-reading.ts';
import type { TreasuryReading, ValuationSettings } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import type { Clock } from '../shared/clock.ts';
import { type ReadContext, readLateMetadata, readTreasury } from './read-treasury.ts';
import type { KeptReading, ServedSnapshot } from './served-snapshot.ts';
import { untilAborted } from '../process/in-time.ts';

interface RefreshJobDeps {
  readonly context: ReadContext;
  readonly settings: ValuationSettings;
  readonly kept: KeptReading;
  readonly served: ServedSnapshot;
  readonly clock: Clock;
  /** A refresh that takes longer is given up. */
  readonly deadlineMs: number;
}

/** Without any snapshot yet, a failed refresh is tried again soon. */
const firstRetryMs = 5_000;
/** How long the reading of late metadata may take; the next refresh goes on with it. */
const lateDeadlineMs = 20_000;

/** Refreshes the treasury for all copies. A failed refresh does not fail the job: the last good reading stays. */
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

/** What came of one refresh. Only `published` changes what visitors see. */
type RefreshOutcome =
  | { readonly kind: 'published'; readonly reading: TreasuryReading }
  | { readonly kind: 'held'; readonly lastMicroUsd: bigint; readonly nextMicroUsd: bigint | null }
  | { readonly kind: 'failed'; readonly reason: string; readonly cause: string };

/**
 * One refresh with the jump check of rulings R3: a total that moved by more than 50 % is read a second time at once. When both
 * reads agree it is published and flagged; otherwise the last good one stays and the next refresh tries again.
 */
async function refreshTreasury(
  last: TreasuryReading | null,
  context: ReadContext,
  settings: ValuationSettings,
  stop: AbortSignal,
): Promise<RefreshOutcome> {
  const totalOf = (reading: TreasuryReading): bigint | null =>
    valueTreasury(reading, settings, context.clock.now()).totals.totalMicroUsd;
  try {
    const first = await readTreasury(last, context, stop);
    const lastMicroUsd = last === null ? null : totalOf(last);
    const firstMicroUsd = totalOf(first);
    const verdict = judgeJump(lastMicroUsd, firstMicroUsd);
    if (verdict === 'publish' || lastMicroUsd === null) return { kind: 'published', reading: first };
    const held: RefreshOutcome = { kind: 'held', lastMicroUsd, nextMicroUsd: firstMicroUsd };
    if (verdict === 'hold' || firstMicroUsd === null) return held;
    stop.throwIfAborted();
    const second = await readTreasury(last, context, stop);
    const secondMicroUsd = totalOf(second);
    if (secondMicroUsd === null || !confirmsJump(firstMicroUsd, secondMicroUsd)) return held;
    const jump = { previousMicroUsd: lastMicroUsd, nextMicroUsd: secondMicroUsd, confirmedAt: context.clock.now() };
    return { kind: 'published', reading: { ...second, jump } };
  } catch (error) {
    if (error instanceof Unavailable) return { kind: 'failed', reason: error.reason, cause: causesOf(error) };
    throw error;
  }
}

/** Says which upstream it was, and behind an open breaker what opened it; never the other side's own text. */
function causesOf(error: Unavailable): string {
  const { cause } = error;
  return cause instanceof Unavailable ? `${error.message}: ${causesOf(cause)}` : error.message;
}

/**
 * Runs `work` until it is done, the time is up or `stopped` aborts, whichever is first; then the wait ends with the reason.
 * What a hanging upstream still does afterwards is ignored, and bounded by its client's own timeout.
 */
async function withDeadline<T>(
  clock: Clock,
  deadlineMs: number,
  stopped: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(deadlineMs, () => late.abort(new Error('The treasury refresh took too long')));
  const stop = AbortSignal.any([stopped, late.signal]);
  try {
    return await untilAborted(work(stop), stop);
  } finally {
    cancel();
  }
}
