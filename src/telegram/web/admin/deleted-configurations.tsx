import { useRef, useState } from 'react';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Line } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-trouble.tsx';
import { restorableUntil, shownChat, shownChatId, shownCollection } from './telegram-words.ts';
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
  const restoreButton = (configuration: TelegramConfiguration) => (
    <Button
      size="small"
      about={`${shownCollection(configuration)} in ${shownChat(configuration)}`}
      busy={restore.sending?.id === configuration.id}
      disabled={restore.busy}
      onClick={() => restore.send(configuration)}
    >
      Restore
    </Button>
  );
  const line = (configuration: TelegramConfiguration) => (
    <Line key={configuration.id} end={restoreButton(configuration)}>
      <Deleted configuration={configuration} />
    </Line>
  );
  return (
    <Card as="section" padded={false} className="px-5 py-3 sm:px-6 lg:px-8">
      <details open={unfolded} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
        <summary ref={heading} className="min-h-11 cursor-pointer py-2.5 font-bold">
          Recently deleted
        </summary>
        <div className="pt-2 pb-4">
          <Answered query={query} failure="Failed to load deleted configurations" loading={<LoadingLines count={1} />}>
            {(all) =>
              all.length === 0 ? (
                <p className="text-quiet">Nothing was deleted in the last 30 days.</p>
              ) : (
                <ul aria-label="Recently deleted" className="divide-y divide-line">
                  {all.map(line)}
                </ul>
              )
            }
          </Answered>
        </div>
      </details>
    </Card>
  );
}

/** Which configuration it was, and how long it can be restored. */
function Deleted({ configuration }: { readonly configuration: TelegramConfiguration }) {
  const { chatId, deletedAt } = configuration;
  const until = restorableUntil(configuration);
  return (
    <>
      <p>
        <bdi className="font-semibold">{shownCollection(configuration)}</bdi>{' '}
        <span className="text-quiet">
          in <bdi>{shownChat(configuration)}</bdi>, <span title={chatId}>{shownChatId(chatId)}</span>
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
    </>
  );
}
