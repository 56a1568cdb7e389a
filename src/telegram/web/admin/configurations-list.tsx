import { useDeferredValue, useMemo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { pageOf, Pager } from '../../../ui/pager.tsx';
import { EmptyState, Skeleton } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { CardTable } from '../../../ui/tables.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ConfigurationRow, type ListActions } from './configuration-row.tsx';
import { matching, needsAttention } from './configuration-view.ts';
import { type TelegramConfiguration, useRefreshTelegram, type useTelegramConfigurations } from './telegram-calls.ts';

interface ConfigurationsListProps extends ListActions {
  readonly query: ReturnType<typeof useTelegramConfigurations>;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

export function ConfigurationsList({ query, filter, onFilter, ...actions }: ConfigurationsListProps) {
  // What leaves this list stands under 'Recently deleted', which must not say for half a minute that there is nothing.
  const refresh = useRefreshTelegram();
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="telegram-configurations" className="title-3 flex-1">
          Configurations
        </h2>
        <Button size="small" busy={query.isFetching} onClick={refresh}>
          Refresh
        </Button>
      </div>
      <QueryTrouble text="Failed to load configurations" query={query} />
      {query.isPending && <Loading />}
      {query.data !== undefined && query.data.length === 0 && (
        <EmptyState>
          No configurations found. Add the bot to a Telegram chat and use /setup to create a configuration.
        </EmptyState>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <Loaded configurations={query.data} filter={filter} onFilter={onFilter} {...actions} />
      )}
    </>
  );
}

interface LoadedProps extends ListActions {
  readonly configurations: readonly TelegramConfiguration[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function Loaded({ configurations, filter, onFilter, ...actions }: LoadedProps) {
  // Typing stays quick while ten thousand rows are searched.
  const { search, troubledOnly, page: wishedPage } = useDeferredValue(filter);
  const troubled = useMemo(() => configurations.filter(needsAttention), [configurations]);
  const found = useMemo(
    () => matching(troubledOnly ? troubled : configurations, search),
    [configurations, troubled, troubledOnly, search],
  );
  const { rows, page, pageCount, range } = pageOf(found, wishedPage);
  return (
    <>
      <FilterBar filter={filter} onFilter={onFilter} troubledCount={troubled.length} />
      {found.length === 0 ? (
        <EmptyState
          action={
            <Button size="small" onClick={() => onFilter({ search: '', troubledOnly: false, page: 0 })}>
              Show all
            </Button>
          }
        >
          No configuration matches this search.
        </EmptyState>
      ) : (
        <ConfigurationsTable rows={rows} {...actions} />
      )}
      <Pager
        range={range}
        page={page}
        pageCount={pageCount}
        onPage={(next) => onFilter({ ...filter, page: next })}
        nothing={found.length === 0}
      />
    </>
  );
}

function Loading() {
  return (
    <div className="space-y-4">
      <output className="sr-only">Loading...</output>
      {['first', 'second', 'third', 'fourth'].map((line) => (
        <Skeleton key={line} className="h-16 w-full" />
      ))}
    </div>
  );
}

/** Specification 2: exactly these columns. */
const columns = ['Chat ID', 'Collection', 'Tracking', 'Progress', 'Actions'] as const;

const ConfigurationsTable = ({
  rows,
  ...actions
}: ListActions & { readonly rows: readonly TelegramConfiguration[] }) => (
  <CardTable caption="Configurations of the Telegram bot" columns={columns}>
    {rows.map((configuration) => (
      <ConfigurationRow key={configuration.id} configuration={configuration} {...actions} />
    ))}
  </CardTable>
);

interface Filter {
  readonly search: string;
  /** Only what an admin should look at. */
  readonly troubledOnly: boolean;
  /** From 0. */
  readonly page: number;
}

interface FilterBarProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly troubledCount: number;
}

function FilterBar({ filter, onFilter, troubledCount }: FilterBarProps) {
  return (
    <search className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-3">
      <TextField
        label="Search"
        type="search"
        className="w-full sm:w-80"
        placeholder="chat, collection or id"
        value={filter.search}
        onChange={({ target }) => onFilter({ ...filter, search: target.value, page: 0 })}
      />
      {(troubledCount > 0 || filter.troubledOnly) && (
        <Button
          aria-pressed={filter.troubledOnly}
          className="min-h-11"
          size="small"
          look={filter.troubledOnly ? 'stone' : 'ghost'}
          onClick={() => onFilter({ ...filter, troubledOnly: !filter.troubledOnly, page: 0 })}
        >
          Needs attention ({troubledCount})
        </Button>
      )}
    </search>
  );
}
