import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

interface Tab {
  readonly value: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The chosen tab, kept by the owner. Then only its panel is mounted, so that hidden ones ask the server nothing. */
  readonly value?: string;
  readonly onValueChange?: (value: string) => void;
  readonly size?: 'medium' | 'small';
}

/**
 * Unless the owner keeps the choice, every panel is in the page, so that all of it can be read where JavaScript is off;
 * the style sheet hides the others.
 */
export function Tabs({ label, tabs, size = 'medium', ...kept }: TabsProps) {
  const everyPanel = kept.value === undefined;
  return (
    <Radix.Root {...(everyPanel ? { defaultValue: tabs[0]?.value ?? '' } : kept)}>
      <Radix.List aria-label={label} className={`tab-list${size === 'small' ? ' tab-list-small' : ''}`}>
        {tabs.map(({ value, label: text }) => (
          <Radix.Trigger key={value} value={value} className="tab">
            {text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ value, content }) => (
        <Radix.Content key={value} value={value} {...(everyPanel ? { forceMount: true } : {})} className="tab-panel">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
