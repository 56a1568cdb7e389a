import { type ReadyAnswer, makeReadyJson } from '../http/ready/ready-answer.ts';
import type { Clock } from '../shared/clock.ts';
import type { TreasurySnapshot } from './contract.ts';
import { type DeclaredAmount, withDeclared } from './core/allocation.ts';
import { staleFromMs } from './core/figure-state.ts';
import { decodeReading, encodeReading, type TreasuryReading, type ValuationSettings } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import type { TreasuryLog } from './read-treasury.ts';
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

interface StoredReadingDeps {
  readonly settings: ValuationSettings;
  readonly store: TreasuryStore;
  readonly declaredAmounts: () => Promise<readonly DeclaredAmount[]>;
  /** Notifies every copy that the database has a new reading. */
  readonly notify: () => Promise<void>;
  readonly served: ServedSnapshot;
  readonly clock: Clock;
  readonly log: TreasuryLog;
}

export type StoredReading = ReturnType<typeof createStoredReading>;

/** Keeps the last good reading in the database and the one shown in step. */
export function createStoredReading(deps: StoredReadingDeps) {
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
