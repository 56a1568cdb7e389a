import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, GoneNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-trouble.tsx';
import { everyRow, SearchedRows } from '../../../ui/searched-rows.tsx';
import { useAddressDetail } from '../../../ui/address.tsx';
import { ConfigurationDialogs, useOpenDialog } from './configuration-dialogs.tsx';
import { ConfigurationRow } from './configuration-row.tsx';
import { needsAttention, searchableText, shownChat, shownCollection } from './telegram-words.ts';
import { DeletedConfigurations } from './deleted-configurations.tsx';
import { Deliveries } from './deliveries.tsx';
import { type TelegramConfiguration, useRefreshTelegram, type useTelegramConfigurations } from './telegram-calls.ts';

/** Specification 2: exactly these columns. */
const columns = ['Chat ID', 'Collection', 'Tracking', 'Progress', 'Actions'] as const;

/** Specification 2, group-chat bot tab, sub-tab 'Configurations'. */
export function Configurations({ query }: { readonly query: ReturnType<typeof useTelegramConfigurations> }) {
  const { dialog, open, vanished } = useOpenDialog(query.data);
  const deliveries = useAddressDetail(['deliveries']);
  const [filter, setFilter] = useState(everyRow);
  // A row that leaves this list belongs under 'Recently deleted', which must not look empty for half a minute.
  const refresh = useRefreshTelegram();
  const shown = query.data?.find(({ id }) => id === deliveries.open?.id);
  const missingId = query.data === undefined ? null : (deliveries.open?.id ?? null);
  if (shown !== undefined) return <Deliveries key={shown.id} configuration={shown} onBack={deliveries.close} />;
  const loading = <LoadingLines count={4} className="space-y-4" lineClassName="h-16 w-full" />;
  return (
    <div className="grid gap-6">
      <Panel
        id="telegram-configurations"
        title="Configurations"
        busy={query.isFetching}
        onRefresh={refresh}
        above={<Gone vanished={vanished} missingId={missingId} />}
      >
        <Answered query={query} failure="Failed to load configurations" loading={loading}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState>
                No configurations found. Add the bot to a Telegram chat and use /setup to create a configuration.
              </EmptyState>
            ) : (
              <SearchedRows
                {...{ all, filter, columns, needsAttention }}
                caption="Configurations of the Telegram bot"
                onFilter={setFilter}
                textOf={searchableText}
                placeholder="chat, collection or id"
                nothingFound="No configuration matches this search."
              >
                {(configuration) => (
                  <ConfigurationRow
                    key={configuration.id}
                    configuration={configuration}
                    onOpen={open}
                    onDeliveries={() => deliveries.show({ name: 'deliveries', id: configuration.id })}
                    takesFocus={deliveries.lastShown?.id === configuration.id}
                  />
                )}
              </SearchedRows>
            )
          }
        </Answered>
      </Panel>
      <DeletedConfigurations />
      <ConfigurationDialogs dialog={dialog} onClose={() => open(null)} />
    </div>
  );
}

interface GoneProps {
  /** Its dialog was open. */
  readonly vanished: TelegramConfiguration | null;
  /** The URL asks for its deliveries. */
  readonly missingId: string | null;
}

const Gone = ({ vanished, missingId }: GoneProps) => (
  <>
    {vanished !== null && (
      <GoneNote>
        <bdi>{shownCollection(vanished)}</bdi> in <bdi>{shownChat(vanished)}</bdi> was deleted by somebody else, so its
        dialog was closed.
      </GoneNote>
    )}
    {missingId !== null && (
      <GoneNote>
        There is no configuration <bdi>{foreignText(missingId, 20)}</bdi>, so there are no deliveries to show: it was
        deleted or replaced, or the address is wrong.
      </GoneNote>
    )}
  </>
);
