import { createOutageLog, type OutageLog } from '../db/outage.ts';
import type { JobDefinition } from '../jobs/jobs.ts';
import { withDeadline } from '../process/in-time.ts';
import { Unavailable } from '../shared/failure.ts';
import { confirmedJump, judgeJump } from './core/next-reading.ts';
import type { TreasuryReading, ValuationSettings } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import { type ReadContext, readTreasury } from './read-treasury.ts';
import type { StoredReading, ServedSnapshot } from './served-snapshot.ts';

interface RefreshJobDeps {
  readonly context: ReadContext;
  readonly settings: ValuationSettings;
  readonly storedReading: StoredReading;
  readonly served: ServedSnapshot;
  /** A refresh that takes longer is aborted. */
  readonly deadlineMs: number;
}

/** How soon a failed refresh is retried while there is no snapshot yet. */
const firstRetryMs = 5_000;

/** Refreshes the treasury for all copies. A failed refresh does not fail the job: the last good reading stays. */
export function refreshJob(deps: RefreshJobDeps): JobDefinition<object> {
  const { storedReading, served, settings } = deps;
  const { refreshMs } = settings;
  const outages = createOutageLog(deps.context.log, 'Treasury refresh failed');
  return {
    name: 'treasury-refresh',
    everyMs: refreshMs,
    longestRetryMs: refreshMs,
    failing: 'The treasury could not be refreshed',
    run: async (_payload, stop) => {
      const begunMs = performance.now();
      await storedReading.adopt();
      await refreshOnce(deps, outages, stop);
      const everyMs = served.reading() === null ? Math.min(firstRetryMs, refreshMs) : refreshMs;
      return { againInMs: Math.max(0, begunMs + everyMs - performance.now()) };
    },
  };
}

/** A late answer from an upstream is ignored; its client's own timeout bounds the wait. A stop does not interrupt saving. */
async function refreshOnce(deps: RefreshJobDeps, outages: OutageLog, stopped: AbortSignal): Promise<void> {
  try {
    const reading = await withDeadline((stop) => refreshTreasury(deps, stop), {
      withinMs: deps.deadlineMs,
      stop: stopped,
      late: () => new Unavailable('timeout', 'The treasury refresh took too long'),
      stopped: (cause) => new Error('The product is stopping', { cause }),
    });
    if (reading === null) return;
    await deps.storedReading.publish(reading);
    outages.done();
  } catch (error) {
    if (stopped.aborted) throw error;
    outages.failed(error);
  }
}

/**
 * One refresh with the jump check of rulings R3: a total that moved by more than 50 % is read a second time at once. When both
 * reads agree it is published and flagged; otherwise null: the last good one stays and the next refresh tries again.
 */
async function refreshTreasury(
  { context, settings, served }: RefreshJobDeps,
  stop: AbortSignal,
): Promise<TreasuryReading | null> {
  const last = served.reading();
  const totalOf = (reading: TreasuryReading): bigint | null =>
    valueTreasury(reading, settings, context.clock.now()).totals.totalMicroUsd;
  const first = await readTreasury(last, context, stop);
  const lastMicroUsd = last === null ? null : totalOf(last);
  const firstMicroUsd = totalOf(first);
  const verdict = judgeJump(lastMicroUsd, firstMicroUsd);
  if (verdict === 'publish') return first;
  if (verdict === 'confirm') {
    stop.throwIfAborted();
    const second = await readTreasury(last, context, stop);
    const totals = { last: lastMicroUsd, first: firstMicroUsd, second: totalOf(second) };
    const jump = confirmedJump(totals, context.clock.now());
    if (jump !== null) return { ...second, jump };
  }
  const totals = { lastMicroUsd: String(lastMicroUsd), nextMicroUsd: String(firstMicroUsd) };
  const why = verdict === 'hold' ? 'would become unknown' : 'moved too far without being confirmed';
  context.log.warn(totals, `The treasury total ${why}; the last good one stays`);
  return null;
}
