import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { useAtTime } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmptyState, MissingItemNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { allRows, SearchedRows } from '../../../ui/searched-rows.tsx';
import { type Opener, useAddressDetail } from '../../../ui/address-bar.tsx';
import { ConfigureDialog } from './configure-dialog.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { type Bot, isBeingListed, type useGuilds } from './discord-calls.ts';
import { Statistics } from './statistics.tsx';
import { Wallets } from './wallets.tsx';
import { shortType } from '../../../shared/sui-address.ts';
import { Badge } from '../../../ui/badge.tsx';
import { counted, wholeNumberText, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import type { Column } from '../../../ui/tables.tsx';
import {
  channelInWords,
  graceInWords,
  isConfigured,
  type NamedPlace,
  roleInWords,
  shownServer,
} from './discord-words.ts';

interface ServersProps {
  readonly bot: Bot;
  readonly query: ReturnType<typeof useGuilds>;
}

/** Specification 2, community-server bot tab, sub-tab 'Servers'; with the views of single servers from rulings R6. */
export const Servers = ({ bot, query }: ServersProps) =>
  bot.info === null ? <Offline {...bot} /> : <Online bot={bot} query={query} />;

const Offline = ({ isPending, outage, isFetching, refresh }: Bot) => (
  <Panel id="discord-servers" title="Servers" query={{ isFetching, refetch: refresh }} refreshText={null}>
    {isPending ? <LoadingLines /> : <EmptyState>Bot is offline. Start the bot to view connected servers.</EmptyState>}
    {outage !== null && (
      <div role="alert" className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-danger wrap-anywhere">{outage}</p>
        <Button size="small" busy={isFetching} onClick={refresh}>
          Try again
        </Button>
      </div>
    )}
  </Panel>
);

const searchable = ({ name, id, config }: DiscordGuild): string =>
  [name, id, config?.nftName ?? '', config?.nftContract ?? ''].join('\n');

function Online({ bot, query }: ServersProps) {
  const isListing = useAtTime((nowMs) => isBeingListed(bot.status.data, nowMs), true);
  const [filter, setFilter] = useState(allRows);
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const isUnfolded = (id: string): boolean => unfolded.includes(id);
  const onFold = (id: string): void =>
    setUnfolded(isUnfolded(id) ? unfolded.filter((each) => each !== id) : [...unfolded, id]);
  const { open, opener, close } = useAddressDetail(serverViews, ['member']);
  const shown = query.data?.find(({ id }) => id === open?.id);
  if (shown !== undefined) {
    const View = open?.name === 'wallets' ? Wallets : Statistics;
    return <View key={shown.id} guild={shown} onBack={close} />;
  }
  return (
    <Panel
      id="discord-servers"
      title="Servers"
      query={query}
      note={query.data !== undefined && !isListing && open !== null && <Missing id={open.id} />}
    >
      <Answered query={query} failure="Failed to load servers." loading={<LoadingLines />}>
        {(guilds) => {
          if (guilds.length === 0) return isListing ? stillListing : noServers;
          return (
            <SearchedRows
              all={guilds}
              filter={filter}
              columns={columnsFor({ opener, isUnfolded, onFold })}
              keyOf={({ id }) => id}
              under={detailsWhere(isUnfolded)}
              caption="Servers of the Discord bot"
              onFilter={setFilter}
              textOf={searchable}
              placeholder="server, collection or id"
              nothingFound="No server matches this search."
              searchedFrom={10}
            />
          );
        }}
      </Answered>
    </Panel>
  );
}

/** For an address that asks for a server that is not in the list. */
const Missing = ({ id }: { readonly id: string }) => (
  <MissingItemNote>
    The bot is not in a server <bdi>{foreignText(id, 20)}</bdi>, so there is nothing to show: it was removed from there,
    or the address is wrong.
  </MissingItemNote>
);

const stillListing = (
  <>
    <LoadingLines />
    <p className="mt-4 text-quiet">Discord is still listing the servers the bot is in.</p>
  </>
);
const noServers = <EmptyState>No servers found. Invite the bot to a server first.</EmptyState>;

/** The views of one server that replace the list, by their names in the address. */
const serverViews = ['statistics', 'wallets'] as const;
interface OfGuild {
  readonly guild: DiscordGuild;
}

interface RowActions {
  readonly opener: Opener<(typeof serverViews)[number]>;
  readonly isUnfolded: (id: string) => boolean;
  readonly onFold: (id: string) => void;
}

/** Specification 2: exactly these columns. */
const columnsFor = ({ opener, isUnfolded, onFold }: RowActions): readonly Column<DiscordGuild>[] => [
  {
    name: 'Server Name',
    cell: (guild) => <ServerName guild={guild} unfolded={isUnfolded(guild.id)} onFold={() => onFold(guild.id)} />,
  },
  { name: 'Members', cell: ({ memberCount }) => wholeNumberOrUnknown(memberCount) },
  { name: 'NFT Collection', cell: (guild) => <Collection guild={guild} /> },
  {
    name: 'Status',
    cell: (guild) => (
      <Badge tone={isConfigured(guild) ? 'live' : 'quiet'}>
        {isConfigured(guild) ? 'Configured' : 'Not Configured'}
      </Badge>
    ),
  },
  { name: 'Actions', cell: (guild) => <Buttons guild={guild} opener={opener} /> },
];

const detailsWhere = (isUnfolded: RowActions['isUnfolded']) => (guild: DiscordGuild) =>
  isUnfolded(guild.id) ? <Details guild={guild} /> : null;

const detailsId = (id: string): string => `discord-details-${id}`;

interface ServerNameProps extends OfGuild {
  readonly unfolded: boolean;
  readonly onFold: () => void;
}

function ServerName({ guild, unfolded, onFold }: ServerNameProps) {
  const { id, name, problems, hasWaitingRemoval } = guild;
  return (
    <>
      <bdi className="clipped-name" title={name}>
        {shownServer(guild)}
      </bdi>
      <span className="mt-1 flex flex-wrap items-center gap-1.5">
        <button
          type="button"
          className="row-fold"
          aria-expanded={unfolded}
          {...(unfolded && { 'aria-controls': detailsId(id) })}
          onClick={onFold}
        >
          {unfolded ? 'Hide details' : 'Details'}
          <span className="sr-only"> of {shownServer(guild)}</span>
        </button>
        {problems !== null && problems.length > 0 && <Badge tone="danger">{counted(problems.length, 'problem')}</Badge>}
        {hasWaitingRemoval === true && <Badge tone="torch">Approval needed</Badge>}
      </span>
    </>
  );
}

function Collection({ guild }: OfGuild) {
  const { config } = guild;
  if (config === null || !isConfigured(guild)) return <span className="text-quiet">Not configured</span>;
  return (
    <bdi className="clipped-name" title={config.nftContract}>
      {config.nftName === '' ? shortType(config.nftContract) : foreignText(config.nftName, 60)}
    </bdi>
  );
}

function Buttons({ guild, opener }: OfGuild & Pick<RowActions, 'opener'>) {
  const { id } = guild;
  const name = shownServer(guild);
  return (
    <div className="flex flex-wrap gap-2 xl:flex-nowrap">
      <DialogButton text="Configure" about={name}>
        {(close) => <ConfigureDialog guild={guild} onClose={close} />}
      </DialogButton>
      <Button size="small" about={`of ${name}`} {...opener({ name: 'statistics', id })}>
        Statistics
      </Button>
      <Button size="small" about={`of ${name}`} {...opener({ name: 'wallets', id })}>
        Wallets
      </Button>
    </div>
  );
}

/** Rulings R5: what blocks the bot in a server, each with the exact fix; role and channel by name. */
function Details({ guild }: OfGuild) {
  const { config, problems, verifiedCount, id } = guild;
  const noProblems = isConfigured(guild)
    ? 'No problems found.'
    : 'No collection is configured here yet, so nobody gets a role.';
  return (
    <div id={detailsId(id)} className="pb-2">
      {problems?.length === 0 && <p className="text-quiet">{noProblems}</p>}
      {problems !== null && problems.length > 0 && (
        <ul className="space-y-3" aria-label="Problems">
          {problems.map(({ code, message, fix }, index) => (
            <li key={code ?? index} className="border-l-4 border-danger pl-4 wrap-anywhere">
              <p className="font-semibold">{message}</p>
              {fix !== null && <p className="text-quiet">{fix}</p>}
            </li>
          ))}
        </ul>
      )}
      <Facts
        className="mt-3 grid gap-x-10 lg:grid-cols-2"
        of={{
          Role: place(roleInWords(guild)),
          Channel: place(channelInWords(guild)),
          'NFT contract': isConfigured(guild) && <code>{config?.nftContract}</code>,
          'Grace period': config !== null && config.graceMinutes !== null && graceInWords(config.graceMinutes),
          Verified: verifiedCount !== null && wholeNumberText(verifiedCount),
          'Server ID': <code>{id}</code>,
        }}
      />
    </div>
  );
}

const place = ({ text, inTrouble }: NamedPlace) => <bdi className={inTrouble ? 'text-danger' : ''}>{text}</bdi>;
