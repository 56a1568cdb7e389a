import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { useAtTime } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, GoneNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-trouble.tsx';
import { everyRow, SearchedRows } from '../../../ui/searched-rows.tsx';
import { useAddressDetail } from '../../../ui/address.tsx';
import { ConfigureDialog } from './configure-dialog.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { type Bot, isBeingListed, type useGuilds } from './discord-calls.ts';
import { ServerRow, serverViews } from './server-row.tsx';
import { Statistics } from './statistics.tsx';
import { Wallets } from './wallets.tsx';

interface ServersProps {
  readonly bot: Bot;
  readonly query: ReturnType<typeof useGuilds>;
}

/** Specification 2, community-server bot tab, sub-tab 'Servers'; with the views of single servers of rulings R6. */
export function Servers({ bot, query }: ServersProps) {
  const [configured, setConfigured] = useState<DiscordGuild | null>(null);
  const closeDialog = () => setConfigured(null);
  return (
    <>
      {bot.bot === null ? <Offline bot={bot} /> : <Online bot={bot} query={query} onConfigure={setConfigured} />}
      {configured !== null && <ConfigureDialog key={configured.id} guild={configured} onClose={closeDialog} />}
    </>
  );
}

const Offline = ({ bot: { isPending, outage, isFetching, refresh } }: Pick<ServersProps, 'bot'>) => (
  <Card as="section" aria-labelledby="discord-servers">
    <h2 id="discord-servers" className="title-3">
      Servers
    </h2>
    {isPending ? (
      <div className="mt-4">
        <LoadingLines />
      </div>
    ) : (
      <EmptyState>Bot is offline. Start the bot to view connected servers.</EmptyState>
    )}
    {outage !== null && (
      <div role="alert" className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-danger wrap-anywhere">{outage}</p>
        <Button size="small" busy={isFetching} onClick={refresh}>
          Try again
        </Button>
      </div>
    )}
  </Card>
);

/** Specification 2: exactly these columns. */
const columns = ['Server Name', 'Members', 'NFT Collection', 'Status', 'Actions'] as const;

const searchable = ({ name, id, config }: DiscordGuild): string =>
  [name, id, config?.nftName ?? '', config?.nftContract ?? ''].join('\n');

/** The list, or the view of a single server that the address asks for. */
function Online({ bot, query, onConfigure }: ServersProps & { readonly onConfigure: (guild: DiscordGuild) => void }) {
  const isListing = useAtTime((nowMs) => isBeingListed(bot.status.data, nowMs), true);
  const [filter, setFilter] = useState(everyRow);
  const { open, lastShown, show, close } = useAddressDetail(serverViews, ['member']);
  const shown = query.data?.find(({ id }) => id === open?.id);
  if (shown !== undefined) {
    const View = open?.name === 'wallets' ? Wallets : Statistics;
    return <View key={shown.id} guild={shown} onBack={close} />;
  }
  return (
    <Panel id="discord-servers" title="Servers" busy={query.isFetching} onRefresh={() => void query.refetch()}>
      {query.data !== undefined && !isListing && open !== null && (
        <GoneNote>
          The bot is not in a server <bdi>{foreignText(open.id, 20)}</bdi>, so there is nothing to show: it was removed
          from there, or the address is wrong.
        </GoneNote>
      )}
      <Answered query={query} failure="Failed to load servers." loading={<LoadingLines />}>
        {(guilds) =>
          guilds.length === 0 ? (
            <NoServers isListing={isListing} />
          ) : (
            <SearchedRows
              {...{ filter, columns }}
              all={guilds}
              caption="Servers of the Discord bot"
              onFilter={setFilter}
              textOf={searchable}
              placeholder="server, collection or id"
              nothingFound="No server matches this search."
              searchedFrom={10}
            >
              {(guild) => <ServerRow key={guild.id} {...{ guild, onConfigure, lastShown }} onShow={show} />}
            </SearchedRows>
          )
        }
      </Answered>
    </Panel>
  );
}

const NoServers = ({ isListing }: { readonly isListing: boolean }) =>
  isListing ? (
    <>
      <LoadingLines />
      <p className="mt-4 text-quiet">Discord is still listing the servers the bot is in.</p>
    </>
  ) : (
    <EmptyState>No servers found. Invite the bot to a server first.</EmptyState>
  );
