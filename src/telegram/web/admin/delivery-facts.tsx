import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { StatusDot } from '../../../ui/badge.tsx';
import { Facts } from '../../../ui/card.tsx';
import { whole } from '../../../ui/decimal-text.ts';
import { isOwnTrouble } from '../../commands/texts/topic-texts.ts';
import { removalInWords, sourceState, trackedKinds, trackingOptions } from './telegram-words.ts';
import type { TelegramConfiguration } from './telegram-calls.ts';

interface OfConfiguration {
  readonly configuration: TelegramConfiguration;
}

export function DeliveryFacts({ configuration }: OfConfiguration) {
  const { chatState, source, chatId, collectionId, hexCollectionId, lastEventAt, lastSentAt } = configuration;
  const { pendingCount, failedCount, doubtfulCount } = configuration;
  const failedClass = failedCount === 0 ? '' : 'font-semibold text-danger';
  return (
    <Facts
      className="mt-4 grid gap-x-10 lg:grid-cols-2"
      of={{
        Chat: chatState !== null && <ChatState configuration={configuration} />,
        Source: source !== null && <SourceLine configuration={configuration} />,
        Tracking: [trackedKinds(configuration).join(', ') || 'Nothing', ...trackingOptions(configuration)].join(' · '),
        'Last event': lastEventAt === null ? 'None yet' : lastEventAt && <Age asOf={lastEventAt} />,
        'Last sent': lastSentAt === null ? 'Nothing yet' : lastSentAt && <Age asOf={lastSentAt} />,
        Waiting: pendingCount !== null && whole(pendingCount),
        Failed: failedCount !== null && <span className={failedClass}>{whole(failedCount)}</span>,
        Doubtful: doubtfulCount !== null && doubtfulText(doubtfulCount),
        'Chat ID': <code>{chatId}</code>,
        'Collection ID': <code>{collectionId}</code>,
        'Hex ID': hexCollectionId !== null && hexCollectionId !== '' && <code>{hexCollectionId}</code>,
      }}
    />
  );
}

const doubtfulText = (count: number): string => (count === 0 ? '0' : `${whole(count)} may have arrived twice`);

function ChatState({ configuration }: OfConfiguration) {
  const { chatState, trouble, purgeAt } = configuration;
  if (chatState === 'ok') {
    return (
      <>
        <StatusDot state="on" /> OK
      </>
    );
  }
  return (
    <>
      <StatusDot state="trouble" /> {chatState === 'removed' ? removalInWords(trouble).sentence : 'Trouble.'}
      {trouble !== null && <Trouble text={trouble} />}
      {chatState === 'removed' && purgeAt !== null && (
        <> Its configuration is deleted for good on {instantInWords(purgeAt)}, unless the bot is added again.</>
      )}
    </>
  );
}

function Trouble({ text }: { readonly text: string }) {
  if (isOwnTrouble(text)) return <> {text}</>;
  return (
    <>
      {' '}
      Telegram says:{' '}
      <q>
        <bdi>{text.replace(/\.$/, '')}</bdi>
      </q>
      .
    </>
  );
}

function SourceLine({ configuration }: OfConfiguration) {
  const state = sourceState(configuration);
  if (state === null) return null;
  const { works, text, at } = state;
  return (
    <>
      <StatusDot state={works ? (at === null ? 'off' : 'on') : 'trouble'} /> <bdi>{text}</bdi>{' '}
      {at !== null && <Age asOf={at} />}
    </>
  );
}
