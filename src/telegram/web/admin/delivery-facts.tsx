import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { StatusDot } from '../../../ui/badge.tsx';
import { Fact } from '../../../ui/card.tsx';
import { decimalText } from '../../../ui/decimal-text.ts';
import { isOwnTrouble } from '../../commands/texts/topic-texts.ts';
import { trackedKinds, trackingOptions } from './configuration-view.ts';
import { removalInWords, sourceState } from './delivery-words.ts';
import type { TelegramConfiguration } from './telegram-calls.ts';

interface OfConfiguration {
  readonly configuration: TelegramConfiguration;
}

/** The state of the chat and of what feeds it, before the single messages. */
export function DeliveryFacts({ configuration }: OfConfiguration) {
  const { chatId, collectionId, hexCollectionId, lastEventAt, lastSentAt } = configuration;
  const { pendingCount, failedCount, doubtfulCount } = configuration;
  return (
    <dl className="mt-4 grid gap-x-10 lg:grid-cols-2">
      {configuration.chatState !== null && (
        <Fact name="Chat">
          <ChatState configuration={configuration} />
        </Fact>
      )}
      {configuration.source !== null && (
        <Fact name="Source">
          <SourceLine configuration={configuration} />
        </Fact>
      )}
      <Fact name="Tracking">
        {[trackedKinds(configuration).join(', ') || 'Nothing', ...trackingOptions(configuration)].join(' · ')}
      </Fact>
      {lastEventAt !== undefined && (
        <Fact name="Last event">{lastEventAt === null ? 'None yet' : <Age asOf={lastEventAt} />}</Fact>
      )}
      {lastSentAt !== undefined && (
        <Fact name="Last sent">{lastSentAt === null ? 'Nothing yet' : <Age asOf={lastSentAt} />}</Fact>
      )}
      {pendingCount !== null && <Fact name="Waiting">{decimalText(pendingCount, { max: 0 })}</Fact>}
      {failedCount !== null && (
        <Fact name="Failed">
          <span className={failedCount > 0 ? 'font-semibold text-danger' : ''}>
            {decimalText(failedCount, { max: 0 })}
          </span>
        </Fact>
      )}
      {doubtfulCount !== null && <Fact name="Doubtful">{doubtfulText(doubtfulCount)}</Fact>}
      <Fact name="Chat ID">
        <code>{chatId}</code>
      </Fact>
      <Fact name="Collection ID">
        <code>{collectionId}</code>
      </Fact>
      {hexCollectionId !== null && hexCollectionId !== '' && (
        <Fact name="Hex ID">
          <code>{hexCollectionId}</code>
        </Fact>
      )}
    </dl>
  );
}

const doubtfulText = (count: number): string =>
  count === 0 ? '0' : `${decimalText(count, { max: 0 })} may have arrived twice`;

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
