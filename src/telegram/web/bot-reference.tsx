import { Accordion } from '../../ui/accordion.tsx';
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
