import { Badge } from '../../../ui/badge.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import type { TelegramConfiguration } from './telegram-answers.ts';
import { shownChat, shownCollection } from './configuration-names.ts';
import {
  isCut,
  mintedText,
  shownChatId,
  shownCollectionId,
  shownProgress,
  trackedKinds,
  trackingOptions,
} from './configuration-view.ts';
import type { ListActions } from './configurations-list.tsx';
import { removalInWords } from './delivery-words.ts';
import { RowActions } from './row-actions.tsx';

/** Beside the 10 characters of specification 9, not among them. */
const cutClass = (collectionId: string): string => (isCut(collectionId) ? "after:content-['…']" : '');

interface OfConfiguration {
  readonly configuration: TelegramConfiguration;
}

export function ConfigurationRow({ configuration, ...actions }: ListActions & OfConfiguration) {
  const kinds = trackedKinds(configuration);
  const options = trackingOptions(configuration);
  return (
    <tr>
      <th scope="row" data-label="Chat ID">
        <Chat configuration={configuration} />
      </th>
      <td data-label="Collection">
        <Collection configuration={configuration} />
      </td>
      <td data-label="Tracking">
        <ul className="flex flex-wrap gap-1.5 lg:max-w-36">
          {kinds.map((kind) => (
            <li key={kind}>
              <Badge tone="live">{kind}</Badge>
            </li>
          ))}
          {kinds.length === 0 && <li className="text-sm text-quiet">Nothing</li>}
        </ul>
        {options.length > 0 && <p className="mt-1 text-sm text-quiet lg:max-w-36">{options.join(' · ')}</p>}
      </td>
      <td data-label="Progress">
        <Progress configuration={configuration} />
      </td>
      <td data-label="Actions">
        <RowActions configuration={configuration} {...actions} />
      </td>
    </tr>
  );
}

function Chat({ configuration }: OfConfiguration) {
  const { chatId, chatTitle, chatState, failedCount, trouble } = configuration;
  const hasTitle = chatTitle.trim() !== '';
  return (
    <>
      {hasTitle && (
        <bdi className="clipped-name" title={chatTitle}>
          {shownChat(configuration)}
        </bdi>
      )}
      <span className={hasTitle ? 'block font-normal text-quiet' : 'block'} title={chatId}>
        {shownChatId(chatId)}
      </span>
      <span className="mt-1 flex flex-wrap gap-1.5 empty:hidden">
        {chatState === 'trouble' && (
          <Badge tone="stale" title={trouble ?? undefined}>
            Trouble
          </Badge>
        )}
        {chatState === 'removed' && <Badge tone="danger">{removalInWords(trouble).badge}</Badge>}
        {failedCount !== null && failedCount > 0 && <Badge tone="danger">{failedCount} failed</Badge>}
      </span>
    </>
  );
}

function Collection({ configuration }: OfConfiguration) {
  const { collectionName, collectionId, hexCollectionId, source } = configuration;
  return (
    <>
      <bdi className="clipped-name font-semibold" title={collectionName}>
        {shownCollection(configuration)}
      </bdi>
      <code className={`block text-sm text-quiet ${cutClass(collectionId)}`} title={collectionId}>
        {shownCollectionId(collectionId)}
      </code>
      {hexCollectionId !== null && hexCollectionId !== '' && (
        <span className="block text-sm text-quiet" title={hexCollectionId}>
          Hex ID: <code className={cutClass(hexCollectionId)}>{shownCollectionId(hexCollectionId)}</code>
        </span>
      )}
      {(source?.failure ?? null) !== null && (
        <Badge tone="stale" className="mt-1">
          Not being read
        </Badge>
      )}
    </>
  );
}

function Progress({ configuration }: OfConfiguration) {
  const progress = shownProgress(configuration);
  if (progress === null) {
    return (
      <>
        <span className="block">No supply set</span>
        <span className="block text-sm text-quiet">{mintedText(configuration)}</span>
      </>
    );
  }
  const { counts, percent, isFull } = progress;
  return (
    <div className="min-w-32">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span>{counts}</span>
        {percent !== null && <span className="font-semibold">{percent}%</span>}
      </div>
      {percent !== null && (
        <ProgressBar
          label={`Minted of ${shownCollection(configuration)}`}
          percent={percent}
          valueText={`${percent}%, ${counts} minted`}
          full={isFull}
        />
      )}
      {isFull && (
        <Badge tone="live" className="mt-1">
          FULLY MINTED
        </Badge>
      )}
    </div>
  );
}
