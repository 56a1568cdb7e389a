import { useHistoryState } from 'wouter/use-browser-location';

/** What /admin tells /auth when it sends somebody there. It stays with the entry of the browser's history. */
export interface WayBack {
  /** The session ended while the dashboard was open. */
  readonly sessionEnded: boolean;
  readonly backTo: string;
}

/** History entries outlive releases and can be written by extensions: taken only in the shape that /admin gives. */
export function readWayBack(state: unknown): WayBack {
  const { sessionEnded, backTo } = (typeof state === 'object' && state !== null ? state : {}) as Partial<WayBack>;
  const isOurs = typeof backTo === 'string' && /^\/admin(?:\?|$)/.test(backTo);
  return { sessionEnded: sessionEnded === true, backTo: isOurs ? backTo : '/admin' };
}

export const useWayBack = (): WayBack => readWayBack(useHistoryState<unknown>());
