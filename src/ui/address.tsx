import { type ReactNode, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { SectionBoundary } from './section-boundary.tsx';
import { Tabs } from './tabs.tsx';

interface AddressTab {
  readonly value: string;
  readonly label: string;
  /** What is said to have failed when its content throws: 'The bot status'. */
  readonly subject: string;
  readonly content: ReactNode;
}

interface AddressTabsProps {
  /** Under which the address keeps the choice. */
  readonly name: string;
  /** What else of the address a choice leaves alone: it drops what the address says of narrower things. */
  readonly keep?: readonly string[];
  readonly label: string;
  readonly size?: 'medium' | 'small';
  readonly tabs: readonly [AddressTab, ...AddressTab[]];
}

/** Tabs whose choice is kept in the address (`?tab=telegram`), so that a reload and a copied address lead to the same place. */
export function AddressTabs({ name, keep = [], label, size = 'medium', tabs }: AddressTabsProps) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const given = new URLSearchParams(search).get(name);
  const [{ value: first }] = tabs;
  const choose = (value: string): void => {
    const next = new URLSearchParams([...new URLSearchParams(search)].filter(([key]) => keep.includes(key)));
    if (value !== first) next.set(name, value);
    navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true });
  };
  return (
    <Tabs
      label={label}
      size={size}
      value={tabs.find(({ value }) => value === given)?.value ?? first}
      onValueChange={choose}
      tabs={tabs.map(({ value, label: text, subject, content }) => ({
        value,
        label: text,
        content: <SectionBoundary name={subject}>{content}</SectionBoundary>,
      }))}
    />
  );
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
