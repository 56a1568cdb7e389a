import { useCallback, useSyncExternalStore } from 'react';

/** The time in milliseconds since 1970, in steps of `everyMs`; null until the browser has taken over. */
export function useNow(everyMs = 10_000): number | null {
  const subscribe = useCallback(
    (changed: () => void) => {
      const timer = setInterval(changed, everyMs);
      return () => clearInterval(timer);
    },
    [everyMs],
  );
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / everyMs) * everyMs,
    () => null,
  );
}
