import { useRef, useState } from 'react';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Line } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { shownChat, shownChatId, shownCollection } from './configuration-view.ts';
import { restorableUntil } from './delivery-words.ts';
import {
  configurationPath,
  type TelegramConfiguration,
  useDeletedConfigurations,
  useRefreshTelegram,
} from './telegram-calls.ts';

/** Rulings R6: deleted configurations can be restored for 30 days. Loaded when unfolded. */
export function DeletedConfigurations() {
  const [unfolded, setUnfolded] = useState(false);
  const query = useDeletedConfigurations(unfolded);
  const heading = useRef<HTMLElement>(null);
  const restore = useApiMutation<TelegramConfiguration>({
    call: ({ id }) => ({ method: 'POST', path: `${configurationPath(id)}/restore` }),
    success: (_, configuration) => ({
      title: 'Configuration restored',
      description: `${shownCollection(configuration)} is tracked in ${shownChat(configuration)} again.`,
    }),
    failure: (message) => ({ title: 'Restore Failed', description: `Failed to restore configuration: ${message}` }),
    // The pressed button's row is about to disappear: the focus needs another place.
    onDone: () => heading.current?.focus(),
    refresh: useRefreshTelegram(),
  });
  return (
    <Card as="section" padded={false} className="px-5 py-3 sm:px-6 lg:px-8">
      <details open={unfolded} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
        <summary ref={heading} className="min-h-11 cursor-pointer py-2.5 font-bold">
          Recently deleted
        </summary>
        <div className="pt-2 pb-4">
          <QueryTrouble text="Failed to load deleted configurations" query={query} />
          {query.isLoading && <LoadingLines count={1} />}
          {query.data?.length === 0 && <p className="text-quiet">Nothing was deleted in the last 30 days.</p>}
          {query.data !== undefined && query.data.length > 0 && (
            <ul aria-label="Recently deleted" className="divide-y divide-line">
              {query.data.map((configuration) => (
                <DeletedLine
                  key={configuration.id}
                  configuration={configuration}
                  busy={restore.sending?.id === configuration.id}
                  disabled={restore.busy}
                  onRestore={restore.send}
                />
              ))}
            </ul>
          )}
        </div>
      </details>
    </Card>
  );
}

interface DeletedLineProps {
  readonly configuration: TelegramConfiguration;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onRestore: (configuration: TelegramConfiguration) => void;
}

function DeletedLine({ configuration, busy, disabled, onRestore }: DeletedLineProps) {
  const { chatId, deletedAt } = configuration;
  const [collection, chat, until] = [
    shownCollection(configuration),
    shownChat(configuration),
    restorableUntil(configuration),
  ];
  const restoreButton = (
    <Button
      size="small"
      about={`${collection} in ${chat}`}
      busy={busy}
      disabled={disabled}
      onClick={() => onRestore(configuration)}
    >
      Restore
    </Button>
  );
  return (
    <Line end={restoreButton}>
      <p>
        <bdi className="font-semibold">{collection}</bdi>{' '}
        <span className="text-quiet">
          in <bdi>{chat}</bdi>, <span title={chatId}>{shownChatId(chatId)}</span>
        </span>
      </p>
      <p className="text-sm text-quiet">
        {deletedAt !== null && (
          <>
            Deleted <Age asOf={deletedAt} />.{' '}
          </>
        )}
        {until !== null && <>Can be restored until {instantInWords(until)}.</>}
      </p>
    </Line>
  );
}
