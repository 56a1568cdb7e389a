import { useEffect, useRef } from 'react';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { shownChat, shownCollection } from './configuration-view.ts';
import { DeliveryFacts } from './delivery-facts.tsx';
import { kindInWords, reasonInWords, stateWords } from './delivery-words.ts';
import {
  type TelegramConfiguration,
  type TelegramMessage,
  useDeliveries,
  useRefreshTelegram,
} from './telegram-calls.ts';

interface DeliveriesProps {
  readonly configuration: TelegramConfiguration;
  readonly onBack: () => void;
}

const noTestText = 'No test can be sent: the bot is not in this chat.';

/** Rulings R6: what was told to one chat, what waits and what failed, with the platform's own reason. */
export function Deliveries({ configuration, onBack }: DeliveriesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const sendTest = useSendTest(configuration);
  const isRemoved = configuration.chatState === 'removed';
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card as="section" aria-labelledby="telegram-deliveries">
      <Button size="small" look="ghost" className="-ml-4" onClick={onBack}>
        <span aria-hidden="true">&larr;</span> All configurations
      </Button>
      <div className="mt-2 flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 id="telegram-deliveries" ref={heading} tabIndex={-1} className="title-3 wrap-anywhere outline-none">
            Deliveries to <bdi>{shownChat(configuration)}</bdi>
          </h2>
          <p className="mt-1 text-quiet wrap-anywhere">
            <bdi>{shownCollection(configuration)}</bdi>
          </p>
        </div>
        <Button
          size="small"
          busy={sendTest.isPending}
          disabled={isRemoved}
          title={isRemoved ? noTestText : undefined}
          aria-describedby={isRemoved ? 'telegram-no-test' : undefined}
          onClick={() => sendTest.mutate()}
        >
          Send test
        </Button>
        {isRemoved && (
          <p id="telegram-no-test" className="w-full text-sm text-quiet sm:text-right">
            {noTestText}
          </p>
        )}
      </div>
      <DeliveryFacts configuration={configuration} />
      <Messages configurationId={configuration.id} />
    </Card>
  );
}

function Messages({ configurationId }: { readonly configurationId: string }) {
  const query = useDeliveries(configurationId);
  const retry = useRetry();
  // The figures above come with the configurations.
  const refresh = useRefreshTelegram();
  const messages = query.data?.pages.flatMap((page) => page.messages) ?? [];
  return (
    <section className="mt-6" aria-labelledby="telegram-messages" aria-busy={query.isFetching}>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 id="telegram-messages" className="flex-1 font-bold">
          Messages, newest first
        </h3>
        <Button size="small" busy={query.isFetching && !query.isFetchingNextPage} onClick={refresh}>
          Refresh
        </Button>
      </div>
      <QueryTrouble text="Failed to load deliveries" query={query} />
      {query.isPending && <LoadingLines lineClassName="h-14 w-full" />}
      {query.data !== undefined && messages.length === 0 && (
        <EmptyState>Nothing has been sent to this chat yet. The first event or test will appear here.</EmptyState>
      )}
      {messages.length > 0 && (
        <ol aria-labelledby="telegram-messages" className="divide-y divide-line border-t border-line">
          {messages.map((message) => (
            <DeliveryLine
              key={message.id}
              message={message}
              onRetry={retry.mutate}
              retrying={retry.isPending && retry.variables.id === message.id}
            />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <div className="pt-4 text-center">
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older
          </Button>
        </div>
      )}
    </section>
  );
}

interface DeliveryLineProps {
  readonly message: TelegramMessage;
  readonly onRetry: (message: TelegramMessage) => void;
  readonly retrying: boolean;
}

/** One message: what it told, when, and what became of it. */
function DeliveryLine({ message, onRetry, retrying }: DeliveryLineProps) {
  const { state, preview, attempts, isDoubtful, reason, createdAt, sentAt } = message;
  const { word, tone } = stateWords(state);
  const at = sentAt ?? createdAt;
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 wrap-anywhere sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:block">
        <Badge tone={tone}>{word}</Badge>
        <p className="text-sm text-quiet sm:mt-1">{at !== null && <Age asOf={at} />}</p>
      </div>
      <div>
        <p className="text-sm text-quiet">
          {kindInWords(message)}
          {attempts !== null && attempts > 1 && `, ${attempts} attempts`}
        </p>
        <p dir="auto">{preview}</p>
        {isDoubtful === true && (
          <p className="text-sm text-stale">Doubtful: it may have arrived twice, because Telegram’s answer was lost.</p>
        )}
        {reason !== null && (
          <p className={`text-sm ${state === 'failed' ? 'text-danger' : 'text-quiet'}`}>
            <bdi>{reasonInWords(reason)}</bdi>
          </p>
        )}
      </div>
      {state === 'failed' && (
        <div>
          <Button size="small" busy={retrying} onClick={() => onRetry(message)}>
            Retry
          </Button>
        </div>
      )}
    </li>
  );
}

/** POST /api/telegram/messages/{messageId}/retry. */
function useRetry() {
  const refresh = useRefreshTelegram();
  return useApiMutation<TelegramMessage>({
    call: ({ id }) => ({ method: 'POST', path: `/api/telegram/messages/${encodeURIComponent(id)}/retry` }),
    success: () => ({ title: 'Message queued again', description: 'It will be sent shortly.' }),
    failure: (message) => ({ title: 'Retry Failed', description: `Failed to retry the message: ${message}` }),
    onDone: refresh,
  });
}

/** POST /api/telegram/configs/{configId}/send-test. */
function useSendTest(configuration: TelegramConfiguration) {
  const refresh = useRefreshTelegram();
  return useApiMutation({
    call: () => ({ method: 'POST', path: `/api/telegram/configs/${encodeURIComponent(configuration.id)}/send-test` }),
    success: () => ({
      title: 'Test message queued',
      description: `It will arrive in ${shownChat(configuration)} in a moment.`,
    }),
    failure: (message) => ({ title: 'Test Failed', description: `Failed to send a test message: ${message}` }),
    onDone: refresh,
  });
}
