import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';

/**
 * The one thing whose details are shown, kept in the address under `name` (`?deliveries=7`): the browser's way back leads
 * to where they were opened. Closing drops what the address says of `narrower` things, too.
 */
export function useAddressDetail(name: string, narrower: readonly string[] = []) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const openId = new URLSearchParams(search).get(name);
  const [lastShownId, setLastShownId] = useState<string | null>(null);
  const go = (id: string | null): void => {
    const next = new URLSearchParams(search);
    for (const key of [name, ...narrower]) next.delete(key);
    if (id !== null) next.set(name, id);
    setLastShownId(id ?? openId);
    navigate(`${path}?${next}`);
  };
  return { openId, lastShownId, show: (id: string) => go(id), close: () => go(null) };
}
