import * as Radix from '@radix-ui/react-accordion';
import type { ReactNode } from 'react';

interface AccordionItem {
  readonly value: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

export interface AccordionProps {
  readonly items: readonly AccordionItem[];
  readonly headingLevel?: 3 | 4;
}

/** Any number of answers may be open; all of them are in the page and shown where JavaScript is off. */
export function Accordion({ items, headingLevel = 3 }: AccordionProps) {
  const Heading = headingLevel === 3 ? 'h3' : 'h4';
  return (
    <Radix.Root type="multiple" className="accordion">
      {items.map(({ value, title, content }) => (
        <Radix.Item key={value} value={value} className="accordion-item">
          <Radix.Header asChild>
            <Heading>
              <Radix.Trigger className="accordion-trigger">
                <span>{title}</span>
                <svg viewBox="0 0 12 12" aria-hidden="true">
                  <path d="M1.5 4 6 8.5 10.5 4" fill="none" stroke="currentColor" strokeWidth="1.6" />
                </svg>
              </Radix.Trigger>
            </Heading>
          </Radix.Header>
          <Radix.Content forceMount className="accordion-content">
            {content}
          </Radix.Content>
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
