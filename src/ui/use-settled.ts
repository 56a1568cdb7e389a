import { useEffect, useState } from 'react';

const settledAfterMs = 300;

/** The text after a pause in typing: one request per thought, not per key. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
