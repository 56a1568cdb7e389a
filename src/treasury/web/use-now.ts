import { useEffect, useState } from 'react';

const tickEveryMs = 15_000;

/** The browser's clock, moving on often enough for ages in minutes. Milliseconds since 1970. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickEveryMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
