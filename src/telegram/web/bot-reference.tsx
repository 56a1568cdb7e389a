import { Accordion } from '../../ui/accordion.tsx';
import { Badge } from '../../ui/badge.tsx';
import { botCommands } from './bot-guide.ts';

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

/** Specification 2 and 9: the questions under 'Frequently Asked Questions', with every statement of the page. */
export const botQuestions: readonly { readonly question: string; readonly answer: string }[] = [
  {
    question: 'How fast are notifications?',
    answer:
      'The bot checks activity roughly every 30-45 seconds. Add the time the marketplace needs to index a transaction, and most events arrive within a minute or two.',
  },
  {
    question: 'Who can set it up?',
    answer: 'Admins of the group, anonymous admins included. Everyone in the group can ask for /floor and /summary.',
  },
  {
    question: 'Can one group follow several collections?',
    answer:
      'No: one collection per group. To follow another one, open a second group, or run /setup again to replace the first.',
  },
  {
    question: 'What do the prices mean?',
    answer:
      'Prices are in SUI with marketplace fees included: what the buyer pays. Prices above 1 SUI are rounded to 2 decimals; smaller ones keep more, so that they do not turn into zero.',
  },
  {
    question: 'What are accept-bid and solo-bid?',
    answer:
      'Two kinds of bid event. solo-bid is a bid on one particular NFT. accept-bid means that an owner accepted a bid: the NFT changed hands, so it is shown as a sale.',
  },
  {
    question: 'Which number is the maximum supply?',
    answer:
      'The most NFTs the collection will ever have, 555 for the rocks. What exists today is the minted count; the progress bar shows one as a share of the other.',
  },
  {
    question: 'What happens when the bot is removed from a group?',
    answer:
      'It stops at once and keeps its configuration for 30 days. Add it back within that time and it carries on with the same collection and settings. After 30 days the configuration is deleted.',
  },
  {
    question: 'What does the bot store?',
    answer:
      'The ID and the title of the group, its collection and its notification preferences. Of people it may store the messenger user ID, never the name: of group admins who change something, and of members who try an admin command, so that they are told only once that it is for admins. What people write to each other is never stored. After the bot is removed, the configuration is kept for 30 days. See the Privacy Policy.',
  },
  {
    question: 'Nothing is posted. What now?',
    answer:
      'Check with /tracking that the kind of event is on, and in the group’s permissions that the bot may send messages and photos. Then send /floor. If the bot does not answer that either, tell us in the community.',
  },
];
