import type { FigureState, Provenance } from '../contract.ts';

/** When a part was read and what its source says of itself. */
export interface Freshness {
  readonly asOf: Date;
  /** How often this part is read; twice that is the end of `live` (rulings R3). */
  readonly refreshMs: number;
  /** The source gives no confidence of its own. */
  readonly estimated?: boolean;
}

/** The moment a figure read at `asOf` stops being live, as milliseconds since 1970. */
export const staleFromMs = (asOf: Date, refreshMs: number): number => asOf.getTime() + 2 * refreshMs;

/** Rulings R3: stale when older than twice its refresh, before any other state. */
export const stateAt = (freshness: Freshness, now: Date): FigureState => {
  if (now.getTime() > staleFromMs(freshness.asOf, freshness.refreshMs)) return 'stale';
  return freshness.estimated === true ? 'estimated' : 'live';
};

const byTrust: readonly FigureState[] = ['live', 'estimated', 'stale', 'unavailable'];

/** A sum is worth no more than its worst part. */
export const worstState = (states: readonly FigureState[]): FigureState =>
  byTrust[Math.max(0, ...states.map((state) => byTrust.indexOf(state)))] ?? 'unavailable';

/** The oldest of the times a figure rests on: the age a reader should see. */
export const oldest = (dates: readonly Date[]): Date | null =>
  dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));

export const unavailableFigure = (source: string): Provenance => ({ state: 'unavailable', asOf: null, source });
