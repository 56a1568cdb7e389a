import { type ReadyAnswer, makeReadyJson } from '../http/ready/ready-answer.ts';
import type { TreasurySnapshot } from './contract.ts';
import type { TreasuryReading, ValuationSettings } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import type { Clock } from '../shared/clock.ts';

/** What every visitor gets, ready in memory. */
export interface ServedSnapshot {
  /** Shows this reading from now on; also rebuilds it when a figure turns stale by age. */
  show(reading: TreasuryReading): void;
  reading(): TreasuryReading | null;
  snapshot(): TreasurySnapshot | null;
  body(): ReadyAnswer | null;
  onChange(run: () => void): () => void;
  /** A refresh failed: requests no longer wait for a first snapshot. */
  giveUp(): void;
  /** True once there is a snapshot; false when a refresh failed before it, or after `timeoutMs`. */
  whenReady(timeoutMs: number): Promise<boolean>;
  stop(): void;
}

/** Rebuilding is due at some later time; timers cannot wait longer than this (32-bit milliseconds). */
const timerMaxMs = 2 ** 31 - 1;

export function createServedSnapshot(settings: ValuationSettings, clock: Clock): ServedSnapshot {
  let shown: {
    readonly reading: TreasuryReading;
    readonly snapshot: TreasurySnapshot;
    readonly body: ReadyAnswer;
  } | null = null;
  let cancelTimer = (): void => {};
  let gaveUp = false;
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();

  const show = (reading: TreasuryReading): void => {
    cancelTimer();
    const now = clock.now();
    const { snapshot, changesAtMs } = valueTreasury(reading, settings, now);
    shown = { reading, snapshot, body: makeReadyJson({ data: snapshot }) };
    if (changesAtMs !== null) {
      cancelTimer = clock.after(Math.min(changesAtMs - now.getTime(), timerMaxMs), () => show(reading));
    }
    for (const run of listeners) run();
  };

  const onChange = (run: () => void): (() => void) => {
    listeners.add(run);
    return () => listeners.delete(run);
  };

  return {
    show,
    onChange,
    reading: () => shown?.reading ?? null,
    snapshot: () => shown?.snapshot ?? null,
    body: () => shown?.body ?? null,
    giveUp: () => {
      gaveUp = true;
      for (const run of waiting) run();
    },
    whenReady: (timeoutMs) => {
      if (shown !== null || gaveUp) return Promise.resolve(shown !== null);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const answer = (): void => resolve(shown !== null);
      const cancel = clock.after(timeoutMs, answer);
      const forget = onChange(answer);
      waiting.add(answer);
      return promise.finally(() => {
        cancel();
        forget();
        waiting.delete(answer);
      });
    },
    stop: () => cancelTimer(),
  };
}
