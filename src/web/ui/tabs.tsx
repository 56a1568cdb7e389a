import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

interface Tab {
  readonly value: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The first tab unless told. */
  readonly defaultValue?: string;
}

/** Every panel is in the page, so that all of it can be read where JavaScript is off; the style sheet hides the others. */
export function Tabs({ label, tabs, defaultValue = tabs[0]?.value ?? '' }: TabsProps) {
  return (
    <Radix.Root defaultValue={defaultValue}>
      <Radix.List aria-label={label} className="tab-list">
        {tabs.map(({ value, label: text }) => (
          <Radix.Trigger key={value} value={value} className="tab">
            {text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ value, content }) => (
        <Radix.Content key={value} value={value} forceMount className="tab-panel">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
