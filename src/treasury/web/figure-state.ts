import type { FigureState } from '../contract.ts';
import { treasuryRefetchEveryMs } from '../core/refresh-rules.ts';

/**
 * The state a visitor sees. The server judged the figure when it answered; a page that could not refetch for two
 * rounds (asleep, offline, server gone) shows what was live as stale (rulings R3: older than twice its refresh).
 */
export function shownState(answered: FigureState, receivedAtMs: number, nowMs: number): FigureState {
  const tooOld = nowMs - receivedAtMs > 2 * treasuryRefetchEveryMs;
  return tooOld && (answered === 'live' || answered === 'estimated') ? 'stale' : answered;
}

/** One sentence per state, for the badge's explanation. */
export const stateMeaning: Readonly<Record<FigureState, string>> = {
  live: 'Read within twice its refresh interval.',
  stale: 'The last good value. Newer readings failed or have not arrived.',
  estimated: 'Derived from a source without a confidence of its own, or not yet confirmed by a second read.',
  unavailable: 'Never read. No value is shown in its place.',
};

export const figureStates: readonly FigureState[] = ['live', 'stale', 'estimated', 'unavailable'];
