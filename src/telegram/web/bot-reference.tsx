import * as Radix from '@radix-ui/react-accordion';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { botCommands, botQuestions } from './bot-guide.ts';

/** The tab 'Frequently Asked Questions'. */
export function BotQuestions() {
  return (
    <Accordion
      items={botQuestions.map(({ question, answer }) => ({
        value: question,
        title: question,
        content: <p>{answer}</p>,
      }))}
    />
  );
}

/** The tab 'Bot Commands'. */
export function BotCommands() {
  return (
    <dl className="divide-y divide-line">
      {botCommands.map((command) => (
        <div key={command.name} className="grid gap-x-8 gap-y-1 py-4 md:grid-cols-[18rem_1fr]">
          <dt className="flex flex-wrap items-center gap-3">
            <code className="font-bold wrap-anywhere">{command.usage}</code>
          </dt>
          <dd className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
            <span className="max-w-xl flex-1 basis-80 text-quiet">{command.text}</span>
            <Badge tone={command.who === 'Anyone' ? 'quiet' : 'torch'}>{command.who}</Badge>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface AccordionItem {
  readonly value: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

interface AccordionProps {
  readonly items: readonly AccordionItem[];
  readonly headingLevel?: 3 | 4;
}

/** Any number of answers may be open; all of them are in the page and shown where JavaScript is off. */
function Accordion({ items, headingLevel = 3 }: AccordionProps) {
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
