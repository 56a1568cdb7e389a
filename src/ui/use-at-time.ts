import { useSyncExternalStore } from 'react';

const everyMs = 10_000;

const everyStep = (changed: () => void): (() => void) => {
  const timer = setInterval(changed, everyMs);
  return () => clearInterval(timer);
};

/**
 * Something that depends on the time, in milliseconds since 1970: read again every ten seconds, drawn again only when it
 * became another. `before` stands until the browser has taken over. For plain values (`Object.is`).
 */
export const useAtTime = <T extends string | number | boolean>(read: (nowMs: number) => T, before: T): T =>
  useSyncExternalStore(
    everyStep,
    () => read(Date.now()),
    () => before,
  );
