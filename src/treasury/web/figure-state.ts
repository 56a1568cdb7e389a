import type { FigureState } from '../contract.ts';
import { treasuryRefetchEveryMs } from '../core/refresh-rules.ts';

/** Whether the page could not refetch for two rounds: asleep, offline, server gone. */
export const isOverdue = (receivedAtMs: number, nowMs: number): boolean =>
  nowMs - receivedAtMs > 2 * treasuryRefetchEveryMs;

/** The state of a figure on an overdue page: nothing stays live (rulings R3: older than twice its refresh). */
export const overdueState = (answered: FigureState): FigureState =>
  answered === 'live' || answered === 'estimated' ? 'stale' : answered;

/** One sentence per state, for the badge's explanation. */
export const stateMeaning: Readonly<Record<FigureState, string>> = {
  live: 'Read within twice its refresh interval. A price is of the time its source gives, some minutes before it was read.',
  stale: 'The last good value. Newer readings failed or have not arrived, or the source itself gives an old price.',
  estimated: 'Derived from a source without a confidence of its own, or not yet confirmed by a second read.',
  unavailable: 'Never read. No value is shown in its place.',
};

export const figureStates: readonly FigureState[] = ['live', 'stale', 'estimated', 'unavailable'];
