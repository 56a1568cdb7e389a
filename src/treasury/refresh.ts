import { createOutageLog, type OutageLog } from '../db/outage.ts';
import { type ReadyAnswer, makeReadyJson } from '../http/ready/ready-answer.ts';
import type { JobDefinition } from '../jobs/jobs.ts';
import { withDeadline } from '../process/in-time.ts';
import type { Clock } from '../shared/clock.ts';
import { Unavailable } from '../shared/failure.ts';
import type { TreasurySnapshot } from './contract.ts';
import { type DeclaredAmount, withDeclared } from './core/allocation.ts';
import { staleFromMs } from './core/figure-state.ts';
import { confirmedJump, judgeJump } from './core/next-reading.ts';
import { decodeReading, encodeReading, type TreasuryReading, type ValuationSettings } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import { type ReadContext, readTreasury } from './read-treasury.ts';
import type { TreasuryStore } from './treasury-store.ts';

export type ServedSnapshot = ReturnType<typeof createServedSnapshot>;

/** The answer that every visitor gets, ready in memory. */
export function createServedSnapshot(settings: ValuationSettings, clock: Clock) {
  let shown: {
    readonly reading: TreasuryReading;
    readonly snapshot: TreasurySnapshot;
    readonly body: ReadyAnswer;
  } | null = null;
  let declared: readonly DeclaredAmount[] = [];
  let cancelTimer = (): void => {};
  const listeners = new Set<() => void>();

  const show = (reading: TreasuryReading): void => {
    cancelTimer();
    const now = clock.now();
    const { snapshot: valued } = valueTreasury(reading, settings, now);
    const snapshot = { ...valued, allocation: withDeclared(valued.allocation, declared) };
    shown = { reading, snapshot, body: makeReadyJson({ data: snapshot }) };
    // Every new reading is valued. The timer turns figures stale while no new one comes.
    const staleInMs = staleFromMs(reading.chainReadAt, settings.refreshMs) + 1 - now.getTime();
    cancelTimer = clock.after(staleInMs > 0 ? staleInMs : settings.refreshMs, () => show(reading));
    for (const run of listeners) run();
  };

  return {
    /** Shows this reading from now on, and values it again as it ages. */
    show,
    /** Shows these declared amounts in the snapshot from now on. */
    declare: (amounts: readonly DeclaredAmount[]): void => {
      if (JSON.stringify(amounts) === JSON.stringify(declared)) return;
      declared = amounts;
      if (shown !== null) show(shown.reading);
    },
    /** Runs after every change of the snapshot, even if a figure only turned stale. */
    onChange: (run: () => void): void => void listeners.add(run),
    reading: (): TreasuryReading | null => shown?.reading ?? null,
    snapshot: (): TreasurySnapshot | null => shown?.snapshot ?? null,
    body: (): ReadyAnswer | null => shown?.body ?? null,
    stop: () => cancelTimer(),
  };
}

interface RefreshDeps extends ReadContext {
  readonly settings: ValuationSettings;
  readonly store: TreasuryStore;
  readonly declaredAmounts: () => Promise<readonly DeclaredAmount[]>;
  /** Notifies every copy that the database has a new reading. */
  readonly notify: () => Promise<void>;
  readonly served: ServedSnapshot;
  /** A refresh that takes longer is aborted. */
  readonly deadlineMs: number;
}

type StoredReading = ReturnType<typeof createStoredReading>;

/** Keeps the last good reading in the database and the one shown in step. */
export function createStoredReading(deps: RefreshDeps) {
  const { settings, store, declaredAmounts, notify, served, clock, log } = deps;
  let seenVersion: string | null = null;
  return {
    /** Shows the reading in the database if it is new here: after a restart, or when another copy refreshed. */
    adopt: async (): Promise<void> => {
      served.declare(await declaredAmounts());
      const stored = await store.loadReading(seenVersion);
      if (stored === undefined) return;
      const reading = decodeReading(stored.reading);
      const shown = served.reading();
      seenVersion = stored.version;
      if (reading === null) log.warn({}, 'The stored treasury reading has another version; waiting for a new one');
      else if (shown === null || reading.chainReadAt >= shown.chainReadAt) served.show(reading);
    },
    /**
     * Saves a new reading for restarts and the other copies, and shows it, unless a newer one is stored. Never throws: it is shown even
     * when it cannot be saved.
     */
    publish: async (reading: TreasuryReading): Promise<void> => {
      const now = clock.now();
      const { totals } = valueTreasury(reading, settings, now);
      const { totalMicroUsd } = totals;
      // Old balances at prices of today are the value of no time.
      const isOld = now.getTime() > staleFromMs(reading.chainReadAt, settings.refreshMs);
      const point = totalMicroUsd === null || isOld ? null : { ...totals, totalMicroUsd };
      try {
        const version = await store.saveReading(encodeReading(reading), reading.chainReadAt, point);
        // A newer one is stored: this one is of a copy that was paused, or of a node that is behind.
        if (version === null) return;
        seenVersion = version;
      } catch (error) {
        // A full disk must not stop the figures from being refreshed.
        log.warn({ err: error }, 'The treasury reading is shown but could not be saved');
      }
      // Saved before it is shown, so that a crash takes back no figure that was seen.
      served.show(reading);
      await notify().catch((error: unknown) => log.warn({ err: error }, 'The other copies could not be notified'));
    },
  };
}

/** How soon a failed refresh is retried while there is no snapshot yet. */
const firstRetryMs = 5_000;

/** Refreshes the treasury for all copies. A failed refresh does not fail the job: the last good reading stays. */
export function refreshJob(deps: RefreshDeps, stored: StoredReading): JobDefinition<object> {
  const { refreshMs } = deps.settings;
  const outages = createOutageLog(deps.log, 'Treasury refresh failed');
  return {
    name: 'treasury-refresh',
    everyMs: refreshMs,
    longestRetryMs: refreshMs,
    failing: 'The treasury could not be refreshed',
    run: async (_payload, stop) => {
      const begunMs = performance.now();
      await stored.adopt();
      await refreshOnce(deps, stored, outages, stop);
      const everyMs = deps.served.reading() === null ? Math.min(firstRetryMs, refreshMs) : refreshMs;
      return { againInMs: Math.max(0, begunMs + everyMs - performance.now()) };
    },
  };
}

/** A late answer from an upstream is ignored; its client's own timeout bounds the wait. A stop does not interrupt saving. */
async function refreshOnce(
  deps: RefreshDeps,
  stored: StoredReading,
  outages: OutageLog,
  stopped: AbortSignal,
): Promise<void> {
  try {
    const reading = await withDeadline((stop) => refreshTreasury(deps, stop), {
      withinMs: deps.deadlineMs,
      stop: stopped,
      late: () => new Unavailable('timeout', 'The treasury refresh took too long'),
      stopped: (cause) => new Error('The product is stopping', { cause }),
    });
    if (reading === null) return;
    await stored.publish(reading);
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
async function refreshTreasury(deps: RefreshDeps, stop: AbortSignal): Promise<TreasuryReading | null> {
  const { settings, served, clock, log } = deps;
  const last = served.reading();
  const totalOf = (reading: TreasuryReading): bigint | null =>
    valueTreasury(reading, settings, clock.now()).totals.totalMicroUsd;
  const first = await readTreasury(last, deps, stop);
  const lastMicroUsd = last === null ? null : totalOf(last);
  const firstMicroUsd = totalOf(first);
  const verdict = judgeJump(lastMicroUsd, firstMicroUsd);
  if (verdict === 'publish') return first;
  if (verdict === 'confirm') {
    stop.throwIfAborted();
    const second = await readTreasury(last, deps, stop);
    const totals = { last: lastMicroUsd, first: firstMicroUsd, second: totalOf(second) };
    const jump = confirmedJump(totals, clock.now());
    if (jump !== null) return { ...second, jump };
  }
  const totals = { lastMicroUsd: String(lastMicroUsd), nextMicroUsd: String(firstMicroUsd) };
  const why = verdict === 'hold' ? 'would become unknown' : 'moved too far without being confirmed';
  log.warn(totals, `The treasury total ${why}; the last good one stays`);
  return null;
}
