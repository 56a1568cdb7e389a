import type { Opener } from '../../../ui/address-bar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import type { Column } from '../../../ui/tables.tsx';
import {
  isCut,
  mintedText,
  removalInWords,
  shownChat,
  shownChatId,
  shownCollection,
  shownCollectionId,
  shownProgress,
  trackedKinds,
} from './telegram-words.ts';
import { DeleteDialog, HexIdDialog, ResetCountDialog } from './configuration-dialogs.tsx';
import type { TelegramConfiguration } from './telegram-calls.ts';

interface OfConfiguration {
  readonly configuration: TelegramConfiguration;
}

/** An ellipsis after the 10 characters of specification 9. */
const cutClass = (collectionId: string): string => (isCut(collectionId) ? "after:content-['…']" : '');

/** Specification 2: exactly these columns. */
export const configurationColumns = (opener: Opener<'deliveries'>): readonly Column<TelegramConfiguration>[] => [
  { name: 'Chat ID', cell: (of) => <Chat configuration={of} /> },
  { name: 'Collection', cell: (of) => <Collection configuration={of} /> },
  { name: 'Tracking', cell: (of) => <Tracking configuration={of} /> },
  { name: 'Progress', cell: (of) => <Progress configuration={of} /> },
  { name: 'Actions', cell: (of) => <Buttons configuration={of} opener={opener} /> },
];

function Tracking({ configuration }: OfConfiguration) {
  const kinds = trackedKinds(configuration);
  const { options } = configuration;
  return (
    <>
      <ul className="flex flex-wrap gap-1.5 lg:max-w-36">
        {kinds.map((kind) => (
          <li key={kind}>
            <Badge tone="live">{kind}</Badge>
          </li>
        ))}
        {kinds.length === 0 && <li className="text-sm text-quiet">Nothing</li>}
      </ul>
      {options !== null && options.length > 0 && (
        <p className="mt-1 text-sm text-quiet lg:max-w-36">{options.join(' · ')}</p>
      )}
    </>
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
        <div
          role="progressbar"
          aria-label={`Minted of ${shownCollection(configuration)}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={`${percent}%, ${counts} minted`}
        >
          {/* A vein of torch light in the stone. Drawn as SVG: a width in percent would need a style attribute. */}
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2.5 w-full fill-raised" aria-hidden="true">
            <path d="M0 1 30 0 72 1 100 0V7L60 8 20 7 0 8Z" />
            {percent > 0 && (
              <path
                d={`M0 1 ${percent * 0.4} 0 ${percent} 1V7L${percent * 0.6} 8 0 7Z`}
                className={isFull ? 'fill-live' : 'fill-chart-2'}
              />
            )}
          </svg>
        </div>
      )}
      {isFull && (
        <Badge tone="live" className="mt-1">
          FULLY MINTED
        </Badge>
      )}
    </div>
  );
}

function Buttons({ configuration, opener }: OfConfiguration & { readonly opener: Opener<'deliveries'> }) {
  const about = `of ${shownCollection(configuration)} in ${shownChat(configuration)}`;
  return (
    <div className="grid grid-cols-[1fr_1fr] gap-2 max-lg:max-w-96">
      <Button size="small" about={about} {...opener({ name: 'deliveries', id: configuration.id })}>
        Deliveries
      </Button>
      <DialogButton text="Edit hex ID" about={about}>
        {(onClose) => <HexIdDialog {...{ configuration, onClose }} />}
      </DialogButton>
      <DialogButton text="Reset count" about={about}>
        {(onClose) => <ResetCountDialog {...{ configuration, onClose }} />}
      </DialogButton>
      <DialogButton text="Delete" look="danger" about={about}>
        {(onClose) => <DeleteDialog {...{ configuration, onClose }} />}
      </DialogButton>
    </div>
  );
}
