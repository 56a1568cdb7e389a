import { decodeReading, encodeReading } from './core/reading.ts';
import type { TreasuryReading, ValuationSettings } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import type { Clock } from '../shared/clock.ts';
import type { TreasuryLog } from './read-treasury.ts';
import type { ServedSnapshot } from './served-snapshot.ts';
import type { TreasuryStore } from './treasury-store.ts';

export interface KeptReadingDeps {
  readonly settings: ValuationSettings;
  readonly store: TreasuryStore;
  /** Notifies every copy that the database has a new reading. */
  readonly notify: () => Promise<void>;
  readonly served: ServedSnapshot;
  readonly clock: Clock;
  readonly log: TreasuryLog;
  /** After the database changed: by this copy or by another one. */
  readonly onKept: () => void;
}

/** The last good reading in the database and the one that is shown, kept the same. */
export interface KeptReading {
  /** Shows what the database has if its version was not seen yet: after a restart, or when another copy refreshed. */
  adopt(): Promise<void>;
  /** Shows a new reading and saves it for restarts and the other copies. Never throws: it is shown even when it cannot be saved. */
  publish(reading: TreasuryReading): Promise<void>;
}

export function createKeptReading(deps: KeptReadingDeps): KeptReading {
  const { settings, store, notify, served, clock, log, onKept } = deps;
  let seenVersion: string | null = null;
  return {
    adopt: async () => {
      const version = await store.readVersion();
      if (version === null || version === seenVersion) return;
      const stored = await store.loadReading();
      if (stored === undefined) return;
      const reading = decodeReading(stored.reading);
      const shown = served.reading();
      seenVersion = stored.version;
      if (reading === null) log.warn({}, 'The kept treasury reading is of another version; waiting for a new one');
      else if (shown === null || reading.chainReadAt >= shown.chainReadAt) served.show(reading);
      onKept();
    },
    publish: async (reading) => {
      const { totals } = valueTreasury(reading, settings, clock.now());
      const { totalMicroUsd } = totals;
      const point = totalMicroUsd === null ? null : { ...totals, totalMicroUsd };
      try {
        seenVersion = (await store.saveReading(encodeReading(reading), reading.chainReadAt, point)) ?? seenVersion;
      } catch (error) {
        // A full disk must not keep the figures from being renewed.
        log.warn({ err: error }, 'The treasury reading is shown but could not be saved');
      }
      // Saved first: a figure that was seen is seen again after a crash.
      served.show(reading);
      onKept();
      await notify().catch((error: unknown) => log.warn({ err: error }, 'The other copies could not be notified'));
    },
  };
}
