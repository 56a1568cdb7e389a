import { Age } from '../../../ui/age.tsx';
import { Badge, StatusDot } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { NotConfigured } from './not-configured.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { useInitializeBot, useShutdownBot } from './service-mutations.ts';
import { StatusFacts } from './status-facts.tsx';
import { isTryingInVain, stateInWords, unreadInWords } from './status-words.ts';
import type { TelegramStatus } from './telegram-answers.ts';
import type { useTelegramStatus } from './telegram-calls.ts';
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
