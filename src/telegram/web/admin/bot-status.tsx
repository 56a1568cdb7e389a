import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Badge, StatusDot } from '../../../ui/badge.tsx';
import { BotWithoutToken } from '../../../ui/bot-without-token.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Fact } from '../../../ui/card.tsx';
import { decimalText } from '../../../ui/decimal-text.ts';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { isTryingInVain, stateInWords, unreadInWords, waitingInWords } from './status-words.ts';
import { type TelegramStatus, useRefreshTelegram, type useTelegramStatus } from './telegram-calls.ts';
import { UsageInstructions } from './usage-instructions.tsx';

type StatusQuery = ReturnType<typeof useTelegramStatus>;

/** Specification 2, group-chat bot tab, sub-tab 'Bot Status'. */
export function BotStatus({ query }: { readonly query: StatusQuery }) {
  const { data: status } = query;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div className="grid gap-6">
        <Card as="section" aria-labelledby="telegram-status" aria-busy={query.isFetching}>
          <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
            <h2 id="telegram-status" className="title-3 flex-1">
              Bot Status
            </h2>
            <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
              Refresh
            </Button>
          </div>
          <QueryTrouble text="Failed to load bot status" query={query} />
          {status === undefined && query.isPending && <Loading />}
          {status !== undefined && <Status status={status} />}
        </Card>
        {status?.state === 'not-configured' && <NotConfigured />}
      </div>
      <UsageInstructions />
    </div>
  );
}

function Status({ status }: { readonly status: TelegramStatus }) {
  const { badge, text } = stateInWords(status);
  const inTrouble = status.state === 'failing';
  return (
    <>
      <p className="flex flex-wrap items-center gap-3 text-xl font-bold">
        <StatusDot state={inTrouble ? 'trouble' : status.active ? 'on' : 'off'} pulsing={status.active} />
        <span>{status.active ? 'Active' : 'Inactive'}</span>
        {badge !== null && <Badge tone={inTrouble ? 'danger' : 'stale'}>{badge}</Badge>}
      </p>
      {text !== null && <p className="mt-2 text-quiet">{text}</p>}
      {status.marketOutage !== null && <MarketOutage outage={status.marketOutage} />}
      <StatusFacts status={status} />
      <ServiceButtons status={status} />
    </>
  );
}

function MarketOutage({ outage }: { readonly outage: NonNullable<TelegramStatus['marketOutage']> }) {
  return (
    <p className="mt-2 text-stale">
      The marketplace stopped answering <Age asOf={outage.since} />: {unreadInWords(outage)}.
    </p>
  );
}

function ServiceButtons({ status }: { readonly status: TelegramStatus }) {
  const initialize = useInitializeBot();
  const shutdown = useShutdownBot();
  const busy = initialize.isPending || shutdown.isPending;
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {status.active ? (
        <Button look="danger" busy={shutdown.isPending} onClick={() => shutdown.mutate()}>
          Shutdown Bot
        </Button>
      ) : (
        <Button
          look={status.state === 'not-configured' ? 'stone' : 'torch'}
          busy={initialize.isPending}
          disabled={busy}
          onClick={() => initialize.mutate()}
        >
          Initialize Bot
        </Button>
      )}
      {isTryingInVain(status) && (
        <Button look="ghost" busy={shutdown.isPending} disabled={busy} onClick={() => shutdown.mutate()}>
          {status.state === 'not-configured' ? 'Cancel the start' : 'Stop trying'}
        </Button>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className="space-y-4">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-8 w-32" />
      {['first', 'second', 'third', 'fourth'].map((line) => (
        <Skeleton key={line} className="h-5 w-full" />
      ))}
      <Skeleton className="h-12 w-40" />
    </div>
  );
}

const wantedWords = { active: 'Active', inactive: 'Inactive' } as const;
const modeWords = { polling: 'Polling', webhook: 'Webhook' } as const;

/** Rulings R4: the wanted and the real state, the bot's name, since when, and the last error. What is not known is left out. */
function StatusFacts({ status }: { readonly status: TelegramStatus }) {
  const { configCount, wanted, username, since, mode, state, pendingCount } = status;
  return (
    <dl className="mt-4">
      <Fact name="Configurations">
        <span className="font-semibold">
          {configCount === null ? 'Not known' : decimalText(configCount, { max: 0 })}
        </span>
      </Fact>
      {state !== 'not-configured' && (
        <>
          {wanted !== null && <Fact name="Wanted state">{wantedWords[wanted]}</Fact>}
          {username !== undefined && (
            <Fact name="Username">{username === null ? 'Not known yet' : `@${username}`}</Fact>
          )}
          {since !== undefined && <Fact name="Since">{since === null ? 'Never started' : <Age asOf={since} />}</Fact>}
          {mode !== null && <Fact name="Updates by">{modeWords[mode]}</Fact>}
          {pendingCount !== null && <Fact name="Waiting messages">{waitingInWords(status)}</Fact>}
          <LastError status={status} />
        </>
      )}
    </dl>
  );
}

function LastError({ status: { lastError, state } }: { readonly status: TelegramStatus }) {
  if (lastError === undefined) return null;
  if (lastError === null) return <Fact name="Last error">None</Fact>;
  return (
    <Fact name="Last error">
      <bdi className={state === 'failing' ? 'text-danger' : 'text-quiet'}>{lastError.message}</bdi>{' '}
      {lastError.at !== null && <Age asOf={lastError.at} className="text-quiet" />}
      {state === 'active' && <span className="text-quiet"> (over: the bot is fine now)</span>}
    </Fact>
  );
}

function NotConfigured() {
  return (
    <BotWithoutToken bot="Telegram" variable="TELEGRAM_BOT_TOKEN" start="Initialize Bot">
      In Telegram, write to <code className="bg-raised px-1.5">@BotFather</code>, send{' '}
      <code className="bg-raised px-1.5">/newbot</code> and answer its two questions. It gives you a token.
    </BotWithoutToken>
  );
}

/** POST /api/telegram/init with its toasts (specification 8). */
function useInitializeBot() {
  const refresh = useRefreshTelegram();
  return useApiMutation({
    call: () => ({ method: 'POST', path: '/api/telegram/init' }),
    success: () => ({
      title: 'Telegram Bot Initialized',
      description: 'Telegram bot has been started successfully.',
    }),
    failure: (message) => {
      // The start was asked for all the same: the status tells how it goes on.
      refresh();
      return { title: 'Initialization Failed', description: `Failed to initialize Telegram bot: ${message}` };
    },
    onDone: refresh,
  });
}

/** POST /api/telegram/shutdown with its toasts (specification 8). */
function useShutdownBot() {
  const refresh = useRefreshTelegram();
  return useApiMutation({
    call: () => ({ method: 'POST', path: '/api/telegram/shutdown' }),
    success: () => ({
      title: 'Telegram Bot Shutdown',
      description: 'Telegram bot has been shut down successfully.',
    }),
    failure: (message) => {
      refresh();
      return { title: 'Shutdown Failed', description: `Failed to shut down Telegram bot: ${message}` };
    },
    onDone: refresh,
  });
}
