import { useState, useRef } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Line, Panel, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState, MissingItemNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { allRows, SearchedRows } from '../../../ui/searched-rows.tsx';
import { useAddressDetail } from '../../../ui/address-bar.tsx';
import { configurationColumns } from './configuration-row.tsx';
import { needsAttention, searchableText, shownChat, shownCollection, shownChatId } from './telegram-words.ts';
import { Deliveries } from './deliveries.tsx';
import {
  type TelegramConfiguration,
  type useTelegramConfigurations,
  configurationPath,
  useDeletedConfigurations,
} from './telegram-calls.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation, useReload } from '../../../ui/api/use-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';

/** Specification 2, group-chat bot tab, sub-tab 'Configurations'. */
export function Configurations({ query }: { readonly query: ReturnType<typeof useTelegramConfigurations> }) {
  const deliveries = useAddressDetail(['deliveries']);
  const [filter, setFilter] = useState(allRows);
  // Also refreshes 'Recently deleted', where a deleted row must not be missing for half a minute.
  const refresh = useReload();
  const shown = query.data?.find(({ id }) => id === deliveries.open?.id);
  const missingId = query.data === undefined ? null : (deliveries.open?.id ?? null);
  if (shown !== undefined) return <Deliveries key={shown.id} configuration={shown} onBack={deliveries.close} />;
  const loading = <LoadingLines count={4} className="space-y-4" lineClassName="h-16 w-full" />;
  return (
    <div className="grid gap-6">
      <Panel
        id="telegram-configurations"
        title="Configurations"
        query={{ ...query, refetch: refresh }}
        note={missingId !== null && <Missing id={missingId} />}
      >
        <Answered query={query} failure="Failed to load configurations" loading={loading}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState>
                No configurations found. Add the bot to a Telegram chat and use /setup to create a configuration.
              </EmptyState>
            ) : (
              <SearchedRows
                {...{ all, filter, needsAttention }}
                columns={configurationColumns(deliveries.opener)}
                keyOf={({ id }) => id}
                caption="Configurations of the Telegram bot"
                onFilter={setFilter}
                textOf={searchableText}
                placeholder="chat, collection or id"
                nothingFound="No configuration matches this search."
              />
            )
          }
        </Answered>
      </Panel>
      <DeletedConfigurations />
    </div>
  );
}

/** For a URL that asks for the deliveries of a configuration that is not in the list. */
const Missing = ({ id }: { readonly id: string }) => (
  <MissingItemNote>
    There is no configuration <bdi>{foreignText(id, 20)}</bdi>, so there are no deliveries to show: it was deleted or
    replaced, or the address is wrong.
  </MissingItemNote>
);

/** Rulings R6: deleted configurations can be restored for 30 days. Loaded when unfolded. */
function DeletedConfigurations() {
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
        <summary ref={heading} id="telegram-deleted" className="min-h-11 cursor-pointer py-2.5 font-bold">
          Recently deleted
        </summary>
        <div className="pt-2 pb-4">
          <QueryLines
            query={query}
            failure="Failed to load deleted configurations"
            empty={<p className="text-quiet">Nothing was deleted in the last 30 days.</p>}
            labelledBy="telegram-deleted"
          >
            {line}
          </QueryLines>
        </div>
      </details>
    </Card>
  );
}

function Deleted({ configuration }: { readonly configuration: TelegramConfiguration }) {
  const { chatId, deletedAt, purgeAt } = configuration;
  return (
    <>
      <p>
        <bdi className="font-semibold">{shownCollection(configuration)}</bdi>{' '}
        <span className="text-quiet">
          in <bdi>{shownChat(configuration)}</bdi>, <span title={chatId}>{shownChatId(chatId)}</span>
        </span>
      </p>
      <p className="text-sm text-quiet">
        <Age asOf={deletedAt} before="Deleted " after=". " />
        {purgeAt !== null && <>Can be restored until {instantInWords(purgeAt)}.</>}
      </p>
    </>
  );
}
