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
const oldest = (dates: readonly Date[]): Date | null =>
  dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));

export const unavailableFigure = (source: string): Provenance => ({ state: 'unavailable', asOf: null, source });

/** One thing that a figure rests on. `asOf` null: it was never read. */
export interface Part {
  readonly state: FigureState;
  readonly asOf: Date | null;
  readonly source: string | null;
}

const unique = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(', ');

/**
 * Rulings R3: the state of the worst part, the time of the oldest, the sources of all. A known figure of which a part was
 * never read is an estimate, and `without` says what is missing in it (decision 0008).
 */
export const figureOf = (parts: readonly Part[], without = ''): Provenance => {
  const partly = parts.some((part) => part.state === 'unavailable');
  const readable = parts.map(({ state }): FigureState => (state === 'unavailable' ? 'estimated' : state));
  return {
    state: worstState(readable),
    asOf: oldest(parts.flatMap((part) => part.asOf ?? []))?.toISOString() ?? null,
    source: unique(parts.map((part) => part.source)) + (partly && without !== '' ? ` (without ${without})` : ''),
  };
};
