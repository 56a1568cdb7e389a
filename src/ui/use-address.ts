import { useCallback, useState } from 'react';
import { useLocation, useSearch } from 'wouter';

/**
 * One of a few values, kept in the address under `name` (`?tab=telegram`), so that a reload and a copied address lead to
 * the same place. The first value is the one without an address. Choosing drops what the address says of narrower things.
 */
export function useAddressChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
  keep: readonly string[] = [],
): readonly [Value, (value: string) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const given = new URLSearchParams(search).get(name);
  const chosen = values.find((value) => value === given) ?? values[0];
  const choose = useCallback(
    (value: string) => {
      const before = new URLSearchParams(search);
      const next = new URLSearchParams([...before].filter(([key]) => keep.includes(key)));
      if (value !== values[0]) next.set(name, value);
      navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true });
    },
    [search, keep, values, name, navigate, path],
  );
  return [chosen, choose];
}

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
