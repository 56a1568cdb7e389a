import * as Radix from '@radix-ui/react-accordion';
import { Badge } from '../../ui/badge.tsx';
import { botCommands, botQuestions } from './bot-guide.ts';

/** The tab 'Frequently Asked Questions': any number of answers may be open; without JavaScript all are shown. */
export const BotQuestions = () => (
  <Radix.Root type="multiple" className="accordion">
    {botQuestions.map(({ question, answer }) => (
      <Radix.Item key={question} value={question} className="accordion-item">
        <Radix.Header asChild>
          <h3>
            <Radix.Trigger className="accordion-trigger">
              <span>{question}</span>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <path d="M1.5 4 6 8.5 10.5 4" fill="none" stroke="currentColor" strokeWidth="1.6" />
              </svg>
            </Radix.Trigger>
          </h3>
        </Radix.Header>
        <Radix.Content forceMount className="accordion-content">
          <p>{answer}</p>
        </Radix.Content>
      </Radix.Item>
    ))}
  </Radix.Root>
);

export const BotCommands = () => (
  <dl className="divide-y divide-line">
    {botCommands.map(({ name, usage, text, who }) => (
      <div key={name} className="grid gap-x-8 gap-y-1 py-4 md:grid-cols-[18rem_1fr]">
        <dt className="flex flex-wrap items-center gap-3">
          <code className="font-bold wrap-anywhere">{usage}</code>
        </dt>
        <dd className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
          <span className="max-w-xl flex-1 basis-80 text-quiet">{text}</span>
          <Badge tone={who === 'Anyone' ? 'quiet' : 'torch'}>{who}</Badge>
        </dd>
      </div>
    ))}
  </dl>
);
