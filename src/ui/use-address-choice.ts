import { useCallback } from 'react';
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
