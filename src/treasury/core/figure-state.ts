import type { FigureState, Provenance } from '../contract.ts';

/** When a part was read, and whether its source gives a confidence. */
export interface Freshness {
  readonly asOf: Date;
  /** How often this part is read; it stays `live` for twice as long (rulings R3). */
  readonly refreshMs: number;
  /** The source gives no confidence of its own. */
  readonly estimated?: boolean;
}

/** The moment a figure read at `asOf` stops being live, as milliseconds since 1970. */
export const staleFromMs = (asOf: Date, refreshMs: number): number => asOf.getTime() + 2 * refreshMs;

/** Rulings R3: older than twice its refresh is stale, whatever else applies. */
export const stateAt = (freshness: Freshness, now: Date): FigureState => {
  if (now.getTime() > staleFromMs(freshness.asOf, freshness.refreshMs)) return 'stale';
  return freshness.estimated === true ? 'estimated' : 'live';
};

const byTrust: readonly FigureState[] = ['live', 'estimated', 'stale', 'unavailable'];

/** A sum is only as trustworthy as its worst part. */
export const worstState = (states: readonly FigureState[]): FigureState =>
  byTrust[Math.max(0, ...states.map((state) => byTrust.indexOf(state)))] ?? 'unavailable';

/** The oldest time behind a figure: the age a reader should see. */
const oldest = (dates: readonly Date[]): Date | null =>
  dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));

export const unavailableFigure = (source: string): Provenance => ({ state: 'unavailable', asOf: null, source });

/** One input of a figure. `asOf` null: never read. */
export interface Part {
  readonly state: FigureState;
  readonly asOf: Date | null;
  readonly source: string | null;
}

const unique = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(', ');

/**
 * Rulings R3: the state of the worst part, the time of the oldest, the sources of all. A known figure with a part that was never read is
 * an estimate, and `without` names the missing part (decision 0008).
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
