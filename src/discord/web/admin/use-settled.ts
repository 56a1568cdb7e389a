import { useEffect, useState } from 'react';

/** The text once it has stayed the same for a while: a search asks the server once, not at each key. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
