import { useRef, useState } from 'react';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { shownChat, shownChatId, shownCollection } from './configuration-view.ts';
import { restorableUntil } from './delivery-words.ts';
import { type TelegramConfiguration, useDeletedConfigurations, useRefreshTelegram } from './telegram-calls.ts';

/** Rulings R6: deleted configurations can be restored for 30 days. Asked for when it is unfolded. */
export function DeletedConfigurations() {
  const [unfolded, setUnfolded] = useState(false);
  const query = useDeletedConfigurations(unfolded);
  const heading = useRef<HTMLElement>(null);
  return (
    <Card as="section" padded={false} className="px-5 py-3 sm:px-6 lg:px-8">
      <details open={unfolded} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
        <summary ref={heading} className="min-h-11 cursor-pointer py-2.5 font-bold">
          Recently deleted
        </summary>
        <div className="pt-2 pb-4">
          <QueryTrouble text="Failed to load deleted configurations" query={query} />
          {query.isLoading && (
            <>
              <output className="sr-only">Loading...</output>
              <Skeleton className="h-12 w-full" />
            </>
          )}
          {query.data?.length === 0 && <p className="text-quiet">Nothing was deleted in the last 30 days.</p>}
          {query.data !== undefined && query.data.length > 0 && (
            <DeletedList configurations={query.data} onRestored={() => heading.current?.focus()} />
          )}
        </div>
      </details>
    </Card>
  );
}

interface DeletedListProps {
  readonly configurations: readonly TelegramConfiguration[];
  /** The pressed button is about to go with its line: the focus needs another place. */
  readonly onRestored: () => void;
}

function DeletedList({ configurations, onRestored }: DeletedListProps) {
  const restore = useRestore();
  return (
    <ul aria-label="Recently deleted" className="divide-y divide-line">
      {configurations.map((configuration) => {
        const until = restorableUntil(configuration);
        return (
          <li key={configuration.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <p>
                <bdi className="font-semibold">{shownCollection(configuration)}</bdi>{' '}
                <span className="text-quiet">
                  in <bdi>{shownChat(configuration)}</bdi>,{' '}
                  <span title={configuration.chatId}>{shownChatId(configuration.chatId)}</span>
                </span>
              </p>
              <p className="text-sm text-quiet">
                {configuration.deletedAt !== null && (
                  <>
                    Deleted <Age asOf={configuration.deletedAt} />.{' '}
                  </>
                )}
                {until !== null && <>Can be restored until {instantInWords(until)}.</>}
              </p>
            </div>
            <Button
              size="small"
              busy={restore.isPending && restore.variables.id === configuration.id}
              disabled={restore.isPending}
              onClick={() => restore.mutate(configuration, { onSuccess: onRestored })}
            >
              Restore
              <span className="sr-only">
                {' '}
                {shownCollection(configuration)} in {shownChat(configuration)}
              </span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

/** POST /api/telegram/configs/{configId}/restore. */
function useRestore() {
  const refresh = useRefreshTelegram();
  return useApiMutation<TelegramConfiguration>({
    call: ({ id }) => ({ method: 'POST', path: `/api/telegram/configs/${encodeURIComponent(id)}/restore` }),
    success: (_, configuration) => ({
      title: 'Configuration restored',
      description: `${shownCollection(configuration)} is tracked in ${shownChat(configuration)} again.`,
    }),
    failure: (message) => ({ title: 'Restore Failed', description: `Failed to restore configuration: ${message}` }),
    onDone: refresh,
  });
}
