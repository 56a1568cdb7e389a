import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation, useReload } from '../../../ui/api/use-answer.ts';
import { Badge, StatusDot } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { wholeNumberText } from '../../../ui/decimal-text.ts';
import { DetailPanel, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import {
  kindInWords,
  reasonInWords,
  removalInWords,
  shownChat,
  shownCollection,
  sourceState,
  stateWords,
  trackedKinds,
} from './telegram-words.ts';
import {
  configurationPath,
  type TelegramConfiguration,
  type TelegramMessage,
  useDeliveries,
} from './telegram-calls.ts';

interface DeliveriesProps {
  readonly configuration: TelegramConfiguration;
  readonly onBack: () => void;
}

const noTestText = 'No test can be sent: the bot is not in this chat.';

/** Rulings R6: what was sent to one chat, what waits and what failed, with the platform's own reason. */
export function Deliveries({ configuration, onBack }: DeliveriesProps) {
  const chat = shownChat(configuration);
  const isRemoved = configuration.chatState === 'removed';
  const { send, busy } = useApiMutation({
    call: () => ({ method: 'POST', path: `${configurationPath(configuration.id)}/send-test` }),
    success: { title: 'Test message queued', description: `It will arrive in ${chat} in a moment.` },
    failure: (message) => ({ title: 'Test Failed', description: `Failed to send a test message: ${message}` }),
  });
  const testButton = (
    <>
      <Button
        size="small"
        busy={busy}
        disabled={isRemoved}
        title={isRemoved ? noTestText : undefined}
        aria-describedby={isRemoved ? 'telegram-no-test' : undefined}
        onClick={() => send()}
      >
        Send test
      </Button>
      {isRemoved && (
        <p id="telegram-no-test" className="w-full text-sm text-quiet sm:text-right">
          {noTestText}
        </p>
      )}
    </>
  );
  return (
    <DetailPanel
      id="telegram-deliveries"
      title={
        <>
          Deliveries to <bdi>{chat}</bdi>
        </>
      }
      subtitle={<bdi>{shownCollection(configuration)}</bdi>}
      backText="All configurations"
      onBack={onBack}
      end={testButton}
    >
      <DeliveryFacts configuration={configuration} />
      <Messages configurationId={configuration.id} />
    </DetailPanel>
  );
}

interface OfConfiguration {
  readonly configuration: TelegramConfiguration;
}

function DeliveryFacts({ configuration }: OfConfiguration) {
  const { chatState, source, chatId, collectionId, hexCollectionId, lastEventAt, lastSentAt } = configuration;
  const { options, pendingCount, failedCount, doubtfulCount } = configuration;
  const failedClass = failedCount === 0 ? '' : 'font-semibold text-danger';
  return (
    <Facts
      className="mt-4 grid gap-x-10 lg:grid-cols-2"
      of={{
        Chat: chatState !== null && <ChatState configuration={configuration} />,
        Source: source !== null && <SourceLine configuration={configuration} />,
        Tracking: [trackedKinds(configuration).join(', ') || 'Nothing', ...(options ?? [])].join(' · '),
        'Last event': lastEventAt === null ? 'None yet' : lastEventAt && <Age asOf={lastEventAt} />,
        'Last sent': lastSentAt === null ? 'Nothing yet' : lastSentAt && <Age asOf={lastSentAt} />,
        Waiting: pendingCount !== null && wholeNumberText(pendingCount),
        Failed: failedCount !== null && <span className={failedClass}>{wholeNumberText(failedCount)}</span>,
        Doubtful: doubtfulCount !== null && doubtfulText(doubtfulCount),
        'Chat ID': <code>{chatId}</code>,
        'Collection ID': <code>{collectionId}</code>,
        'Hex ID': hexCollectionId !== null && hexCollectionId !== '' && <code>{hexCollectionId}</code>,
      }}
    />
  );
}

const doubtfulText = (count: number): string =>
  count === 0 ? '0' : `${wholeNumberText(count)} may have arrived twice`;

function ChatState({ configuration }: OfConfiguration) {
  const { chatState, trouble, purgeAt } = configuration;
  if (chatState === 'ok') {
    return (
      <span>
        <StatusDot state="on" /> OK
      </span>
    );
  }
  return (
    <span>
      <StatusDot state="trouble" /> {chatState === 'removed' ? removalInWords(trouble).sentence : 'Trouble.'}
      {trouble !== null && (
        <>
          {' '}
          <bdi>{trouble}</bdi>
        </>
      )}
      {chatState === 'removed' && purgeAt !== null && (
        <span> Its configuration is deleted for good on {instantInWords(purgeAt)}, unless the bot is added again.</span>
      )}
    </span>
  );
}

function SourceLine({ configuration }: OfConfiguration) {
  const state = sourceState(configuration);
  if (state === null) return null;
  const { works, text, at } = state;
  return (
    <>
      <StatusDot state={works ? (at === null ? 'off' : 'on') : 'trouble'} /> <bdi>{text}</bdi> <Age asOf={at} />
    </>
  );
}

function Messages({ configurationId }: { readonly configurationId: string }) {
  const query = useDeliveries(configurationId);
  // Also refreshes the figures above, which come with the configurations.
  const refresh = useReload();
  const retry = useApiMutation<string>({
    call: (id) => ({ method: 'POST', path: `/api/telegram/messages/${encodeURIComponent(id)}/retry` }),
    success: { title: 'Message queued again', description: 'It will be sent shortly.' },
    failure: (message) => ({ title: 'Retry Failed', description: `Failed to retry the message: ${message}` }),
  });
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
      <QueryLines
        query={query}
        failure="Failed to load deliveries"
        empty={
          <EmptyState>Nothing has been sent to this chat yet. The first event or test will appear here.</EmptyState>
        }
        labelledBy="telegram-messages"
        moreText="Older"
        loadingClassName="h-14 w-full"
      >
        {(message) => (
          <li
            key={message.id}
            className="grid gap-x-6 gap-y-1 py-3 wrap-anywhere sm:grid-cols-[9rem_minmax(0,1fr)_auto]"
          >
            <Delivery message={message} />
            {message.state === 'failed' && (
              <div>
                <Button size="small" busy={retry.sending === message.id} onClick={() => retry.send(message.id)}>
                  Retry
                </Button>
              </div>
            )}
          </li>
        )}
      </QueryLines>
    </section>
  );
}

function Delivery({ message }: { readonly message: TelegramMessage }) {
  const { state, preview, attempts, isDoubtful, reason, createdAt, sentAt } = message;
  const { word, tone } = stateWords(state);
  const at = sentAt ?? createdAt;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:block">
        <Badge tone={tone}>{word}</Badge>
        <p className="text-sm text-quiet sm:mt-1">
          <Age asOf={at} />
        </p>
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
    </>
  );
}
