import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import * as Radix from '@radix-ui/react-tabs';
import type { ButtonProps } from './button.tsx';
import { SectionBoundary } from './section-boundary.tsx';
import { hasUnsaved } from './links.tsx';

interface Tab {
  readonly value: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The chosen tab, if the caller controls it. Only its panel is then mounted, so hidden panels send no requests. */
  readonly control?: { readonly value: string; readonly onValueChange: (value: string) => void };
  readonly size?: 'medium' | 'small';
}

/** Uncontrolled, every panel is in the page, so that all of it can be read without JavaScript; the style sheet hides the inactive ones. */
export function Tabs({ label, tabs, size = 'medium', control }: TabsProps) {
  const mountsAll = control === undefined ? ({ forceMount: true } as const) : {};
  return (
    <Radix.Root {...(control ?? { defaultValue: tabs[0]?.value ?? '' })}>
      <Radix.List aria-label={label} className={`tab-list${size === 'small' ? ' tab-list-small' : ''}`}>
        {tabs.map(({ value, label: text }) => (
          <Radix.Trigger
            key={value}
            value={value}
            className="tab"
            // A press moves the focus too: the browser would ask twice.
            onFocus={(event) => hasUnsaved() && event.preventDefault()}
          >
            {text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ value, content }) => (
        <Radix.Content key={value} value={value} {...mountsAll} className="tab-panel">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

export interface AddressTab {
  readonly value: string;
  readonly label: string;
  /** Subject of the error message when the content throws: 'The bot status'. */
  readonly subject: string;
  readonly content: ReactNode;
}

interface AddressTabsProps {
  readonly name: string;
  /** Other query parameters that survive a choice; the rest belong to narrower views and are dropped. */
  readonly keep?: readonly string[];
  readonly label: string;
  readonly size?: 'medium' | 'small';
  /** At least one. */
  readonly tabs: readonly AddressTab[];
  /** Shown in place of any tab's content when the address names a tab that this person may not open. */
  readonly instead?: ReactNode;
}

/** Tabs whose choice is kept in the address (`?tab=telegram`), so that a reload and a copied address lead to the same place. */
export function AddressTabs({ name, keep = [], label, size = 'medium', tabs, instead = false }: AddressTabsProps) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const inAddress = new URLSearchParams(search).get(name);
  const first = tabs[0]?.value ?? '';
  const choose = (value: string): void => {
    const next = new URLSearchParams([...new URLSearchParams(search)].filter(([key]) => keep.includes(key)));
    if (value !== first) next.set(name, value);
    const to = next.size === 0 ? path : `${path}?${next}`;
    if (hasUnsaved()) window.location.assign(to);
    else navigate(to, { replace: true });
  };
  const chosen = instead === false ? (tabs.find(({ value }) => value === inAddress)?.value ?? first) : '';
  return (
    <>
      <Tabs
        label={label}
        size={size}
        control={{ value: chosen, onValueChange: choose }}
        tabs={tabs.map(({ value, label: text, subject, content }) => ({
          value,
          label: text,
          content: <SectionBoundary name={subject}>{content}</SectionBoundary>,
        }))}
      />
      {instead}
    </>
  );
}

/** The views of a tab. */
export const ViewTabs = (props: Pick<AddressTabsProps, 'label' | 'tabs'>) => (
  <AddressTabs {...props} name="view" keep={['tab']} size="small" />
);

/** One item in the address: `?deliveries=7`. */
export interface AddressDetail<Name extends string> {
  readonly name: Name;
  readonly id: string;
}

/** Props of a button that shows details: on the way back from them it gets the focus again. */
export type Opener<Name extends string> = (
  detail: AddressDetail<Name>,
) => Required<Pick<ButtonProps, 'onClick' | 'ref'>>;

/**
 * The item whose details are shown, kept in the address under one of these names, so that the browser's back button
 * returns to where they were opened. Showing another item, or none, also drops the `narrower` parameters.
 */
export function useAddressDetail<Name extends string>(names: readonly Name[], narrower: readonly string[] = []) {
  const [path, navigate] = useLocation();
  const params = new URLSearchParams(useSearch());
  const name = names.find((each) => params.has(each));
  const open: AddressDetail<Name> | null = name === undefined ? null : { name, id: params.get(name) ?? '' };
  const shown = open === null ? null : keyOf(open);
  const lastShown = useRef<string | null>(null);
  // Runs after the buttons' refs, so that a button that appears only later does not steal the focus.
  useEffect(() => {
    lastShown.current = shown;
  }, [shown]);
  const go = (detail: AddressDetail<Name> | null): void => {
    for (const key of [...names, ...narrower]) params.delete(key);
    if (detail !== null) params.set(detail.name, detail.id);
    navigate(`${path}?${params}`);
  };
  const opener: Opener<Name> = (detail) => ({
    onClick: () => go(detail),
    ref: (button) => {
      if (button !== null && open === null && lastShown.current === keyOf(detail)) button.focus();
    },
  });
  return { open, opener, show: (detail: AddressDetail<Name>) => go(detail), close: () => go(null) };
}

const keyOf = ({ name, id }: AddressDetail<string>): string => `${name} ${id}`;
