import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';

const name = 'deliveries';

/** Whose deliveries are shown, kept in the address: the browser's way back leads to the list. */
export function useOpenDeliveries() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const openId = new URLSearchParams(search).get(name);
  const [lastShownId, setLastShownId] = useState<string | null>(null);
  const go = (id: string | null): void => {
    const next = new URLSearchParams(search);
    next.delete(name);
    if (id !== null) next.set(name, id);
    setLastShownId(id ?? openId);
    navigate(`${path}?${next}`);
  };
  return { openId, lastShownId, show: (id: string) => go(id), close: () => go(null) };
}
