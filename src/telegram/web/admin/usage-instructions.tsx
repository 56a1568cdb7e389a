import guideCommands from 'virtual:bot-commands';
import { Card } from '../../../ui/card.tsx';

/** Specification 2: the usage-instructions card, commands and setup process. */
export const UsageInstructions = () => (
  <Card as="section" aria-labelledby="telegram-usage">
    <h2 id="telegram-usage" className="title-3">
      Usage Instructions
    </h2>
    <h3 className="mt-5 font-bold">Commands</h3>
    <dl className="mt-2" aria-label="Commands">
      {usageCommands.map(({ name, text }) => (
        <div key={name} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 border-t border-line py-2">
          <dt>
            <code className="font-bold">{name}</code>
          </dt>
          <dd className="text-quiet">{text}</dd>
        </div>
      ))}
    </dl>
    <h3 id="telegram-setup" className="mt-6 font-bold">
      Setup process
    </h3>
    <ol
      className="mt-2 list-decimal space-y-2 pl-6 marker:font-bold marker:text-ember"
      aria-labelledby="telegram-setup"
    >
      {setupProcess.map(({ title, text }) => (
        <li key={title} className="pl-1">
          <span className="font-semibold">{title}.</span> <span className="text-quiet">{text}</span>
        </li>
      ))}
    </ol>
  </Card>
);

const usages = guideCommands.flatMap(({ name, dashboard }) =>
  dashboard === undefined ? [] : [{ name: `/${name}`, text: dashboard }],
);

/** Specification 2: the commands as an admin needs to know them, /help last. */
export const usageCommands = [
  ...usages.filter(({ name }) => name !== '/help'),
  ...usages.filter(({ name }) => name === '/help'),
];

/** Specification 2: a setup process of 7 steps. */
export const setupProcess: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Start the bot', text: 'Press ‘Initialize Bot’ here and wait until the status says Active.' },
  { title: 'Add the bot to a group', text: 'The person who adds it must be an admin of that group.' },
  { title: 'Let it post', text: 'It needs permission to send messages and photos, and no other.' },
  { title: 'Run /setup', text: 'A group admin sends /setup followed by the collection contract address.' },
  {
    title: 'Confirm the collection',
    text: 'The bot shows its name, picture and supply. Take the found maximum supply or enter another.',
  },
  {
    title: 'Choose what gets posted',
    text: '/tracking turns mints, sales, listings and bids on and off. All four are on at first.',
  },
  {
    title: 'Check that it works',
    text: 'The group appears under Configurations. Open its Deliveries and press ‘Send test’.',
  },
];
