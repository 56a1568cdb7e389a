import guideCommands from 'virtual:bot-commands';
import type { ReactNode } from 'react';
import { ViewTabs } from '../../../ui/address-bar.tsx';
import { durationInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { StatusDot } from '../../../ui/badge.tsx';
import {
  BotWithoutToken,
  Code,
  isFailing,
  lastErrorInWords,
  ServiceButtons,
  ServiceState,
  sinceInWords,
} from '../../../ui/bot-service.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { Panel } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { Configurations } from './configurations.tsx';
import { type TelegramStatus, useTelegramConfigurations, useTelegramStatus } from './telegram-calls.ts';

const stateTexts = {
  failingWhileRunning: 'The bot posts notifications, but what people write does not reach it. The last error says why.',
  failingToStart: 'The bot should be running but cannot start. It keeps retrying; the last error says why.',
  stopped: null,
};

/** Specification 8. */
const start = {
  path: '/api/telegram/init',
  button: 'Initialize Bot',
  success: { title: 'Telegram Bot Initialized', description: 'Telegram bot has been started successfully.' },
  failure: (message: string) => ({
    title: 'Initialization Failed',
    description: `Failed to initialize Telegram bot: ${message}`,
  }),
};
const shutdown = {
  path: '/api/telegram/shutdown',
  button: 'Shutdown Bot',
  success: { title: 'Telegram Bot Shutdown', description: 'Telegram bot has been shut down successfully.' },
  failure: (message: string) => ({
    title: 'Shutdown Failed',
    description: `Failed to shut down Telegram bot: ${message}`,
  }),
};

/** Specification 2, group-chat bot tab. Both reads are polled while it is open, whichever sub-tab is shown. */
export function TelegramTab() {
  const status = useTelegramStatus();
  const configurations = useTelegramConfigurations();
  const list = <Configurations query={configurations} />;
  return (
    <ViewTabs
      label="Telegram Bot"
      tabs={[
        { value: 'status', label: 'Bot Status', subject: 'The bot status', content: <BotStatus query={status} /> },
        { value: 'configurations', label: 'Configurations', subject: 'The list of configurations', content: list },
      ]}
    />
  );
}

/** Specification 2, sub-tab 'Bot Status'. */
const BotStatus = ({ query }: { readonly query: ReturnType<typeof useTelegramStatus> }) => (
  <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
    <div className="grid gap-6">
      <Panel id="telegram-status" title="Bot Status" query={query}>
        <Answered
          query={query}
          failure="Failed to load bot status"
          loading={<LoadingLines count={5} lineClassName="h-7 w-full" />}
        >
          {(status) => <Known status={status} />}
        </Answered>
      </Panel>
      {query.data?.state === 'not-configured' && (
        <BotWithoutToken bot="Telegram" variable="TELEGRAM_BOT_TOKEN" start="Initialize Bot">
          In Telegram, write to <Code>@BotFather</Code>, send <Code>/newbot</Code> and answer its two questions. It
          gives you a token.
        </BotWithoutToken>
      )}
    </div>
    <UsageInstructions />
  </div>
);

function Known({ status }: { readonly status: TelegramStatus }) {
  const { active, marketOutage } = status;
  return (
    <>
      <ServiceState status={status} running={active} texts={stateTexts} className="text-xl font-bold">
        <StatusDot state={isFailing(status) ? 'trouble' : active ? 'on' : 'off'} pulsing={active} />
        <span>{active ? 'Active' : 'Inactive'}</span>
      </ServiceState>
      {marketOutage !== null && (
        <p className="mt-2 text-stale">
          Reading from the marketplace began to fail <Age asOf={marketOutage.since} />: {unreadInWords(marketOutage)}.
        </p>
      )}
      <Facts className="mt-4" of={factsOf(status)} />
      <ServiceButtons {...{ status, isOn: active, running: active, start, shutdown }} />
    </>
  );
}

const modeWords = { polling: 'Polling', webhook: 'Webhook' } as const;
const wantedWords = { active: 'Active', inactive: 'Inactive' } as const;

/** Rulings R4: the wanted and the real state, the bot's name, since when, and the last error; unknown ones omitted. */
function factsOf(status: TelegramStatus): Readonly<Record<string, ReactNode>> {
  const { configCount, wanted, username, since, mode, state, pendingCount, lastError } = status;
  const configurations = <span className="font-semibold">{wholeNumberOrUnknown(configCount)}</span>;
  if (state === 'not-configured') return { Configurations: configurations };
  const isOver = state === 'active' && lastError !== null && !isFailing(status);
  return {
    Configurations: configurations,
    'Wanted state': wanted && wantedWords[wanted],
    Username: username === null ? 'Not known yet' : username && `@${username}`,
    Since: sinceInWords(since),
    'Updates by': mode && modeWords[mode],
    'Waiting messages': pendingCount !== null && waitingInWords(status),
    'Last error': lastError !== undefined && (
      <>
        {lastErrorInWords(status)}
        {isOver && <span className="text-quiet"> (resolved: the bot works again)</span>}
      </>
    ),
  };
}

const unreadInWords = ({ collectionCount }: NonNullable<TelegramStatus['marketOutage']>): string =>
  collectionCount === 1 ? '1 collection is not being read' : `${collectionCount} collections are not being read`;

/** '3, the oldest for 12 min'. */
export function waitingInWords({ pendingCount, oldestPendingSeconds }: TelegramStatus): string {
  if (pendingCount === null) return 'Not known';
  if (pendingCount === 0) return 'None';
  const oldest = oldestPendingSeconds === null ? '' : `, the oldest for ${durationInWords(oldestPendingSeconds)}`;
  return `${pendingCount}${oldest}`;
}

/** Specification 2: the usage-instructions card, commands and setup process. */
const UsageInstructions = () => (
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

const usages = guideCommands.flatMap(({ name, who, menuLine, page }) =>
  page === undefined ? [] : [{ name: `/${name}`, text: `${menuLine}${who === 'anyone' ? '' : ' (group admins)'}` }],
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
