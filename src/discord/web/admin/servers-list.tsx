import { foreignText } from '../../../shared/foreign-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { matchingWords, pageOf, Pager } from '../../../ui/pager.tsx';
import { EmptyState, GoneNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { CardTable } from '../../../ui/tables.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import type { useGuilds } from './discord-calls.ts';
import { type RowDoings, ServerRow } from './server-row.tsx';

interface Filter {
  readonly search: string;
  /** From 0. */
  readonly page: number;
}

interface ServersListProps extends RowDoings {
  /** The gateway is still naming the servers. */
  readonly beingTold: boolean;
  readonly query: ReturnType<typeof useGuilds>;
  /** The address asks for a view of this server, which is not in the list. */
  readonly missingId: string | null;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** Below so many a search is in the way. */
const searchedFrom = 10;

export function ServersList({ query, missingId, beingTold, filter, onFilter, ...doings }: ServersListProps) {
  const isEmpty = query.data?.length === 0;
  return (
    <Card as="section" aria-labelledby="discord-servers" aria-busy={query.isFetching}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="discord-servers" className="title-3 flex-1">
          Servers
        </h2>
        <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      </div>
      {query.data !== undefined && !beingTold && missingId !== null && <NoSuch id={missingId} />}
      <QueryTrouble text="Failed to load servers." query={query} />
      {(query.isPending || (isEmpty && beingTold)) && <LoadingLines />}
      {isEmpty && beingTold && <p className="mt-4 text-quiet">Discord is still listing the servers the bot is in.</p>}
      {isEmpty && !beingTold && <EmptyState>No servers found. Invite the bot to a server first.</EmptyState>}
      {query.data !== undefined && query.data.length > 0 && (
        <Loaded guilds={query.data} filter={filter} onFilter={onFilter} {...doings} />
      )}
    </Card>
  );
}

function NoSuch({ id }: { readonly id: string }) {
  return (
    <GoneNote>
      The bot is not in a server <bdi>{foreignText(id, 20)}</bdi>, so there is nothing to show: it was removed from
      there, or the address is wrong.
    </GoneNote>
  );
}

interface LoadedProps extends RowDoings {
  readonly guilds: readonly DiscordGuild[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

const searchable = ({ name, id, config }: DiscordGuild): string =>
  [name, id, config?.nftName ?? '', config?.nftContract ?? ''].join('\n');

function Loaded({ guilds, filter, onFilter, ...doings }: LoadedProps) {
  const found = matchingWords(guilds, filter.search, searchable);
  const { rows, page, pageCount, range } = pageOf(found, filter.page);
  const isSearched = guilds.length >= searchedFrom;
  return (
    <>
      {isSearched && (
        <search className="mb-4 block">
          <TextField
            label="Search"
            type="search"
            className="w-full sm:w-80"
            placeholder="server, collection or id"
            value={filter.search}
            onChange={({ target }) => onFilter({ search: target.value, page: 0 })}
          />
        </search>
      )}
      {found.length === 0 ? (
        <EmptyState
          action={
            <Button size="small" onClick={() => onFilter({ search: '', page: 0 })}>
              Show all
            </Button>
          }
        >
          No server matches this search.
        </EmptyState>
      ) : (
        <ServersTable rows={rows} {...doings} />
      )}
      {isSearched && (
        <Pager
          range={range}
          page={page}
          pageCount={pageCount}
          nothing={found.length === 0}
          onPage={(next) => onFilter({ ...filter, page: next })}
        />
      )}
    </>
  );
}

/** Specification 2: exactly these columns. */
const columns = ['Server Name', 'Members', 'NFT Collection', 'Status', 'Actions'] as const;

const ServersTable = ({ rows, ...doings }: RowDoings & { readonly rows: readonly DiscordGuild[] }) => (
  <CardTable caption="Servers of the Discord bot" columns={columns}>
    {rows.map((guild) => (
      <ServerRow key={guild.id} guild={guild} {...doings} />
    ))}
  </CardTable>
);
