import { useState, useId } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { useAtTime } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { Panel, useFocusBack } from '../../../ui/panel.tsx';
import { EmptyState, GoneNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-trouble.tsx';
import { everyRow, SearchedRows } from '../../../ui/searched-rows.tsx';
import { useAddressDetail, type AddressDetail } from '../../../ui/address.tsx';
import { ConfigureDialog } from './configure-dialog.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { type Bot, isBeingListed, type useGuilds } from './discord-calls.ts';
import { Statistics } from './statistics.tsx';
import { Wallets } from './wallets.tsx';
import { shortType } from '../../../shared/sui-address.ts';
import { Badge } from '../../../ui/badge.tsx';
import { counted, whole, wholeOrUnknown } from '../../../ui/decimal-text.ts';
import { CardRow } from '../../../ui/tables.tsx';
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

/** Specification 2, community-server bot tab, sub-tab 'Servers'; with the views of single servers of rulings R6. */
export function Servers({ bot, query }: ServersProps) {
  const [configured, setConfigured] = useState<DiscordGuild | null>(null);
  return (
    <>
      {bot.bot === null ? <Offline {...bot} /> : <Online bot={bot} query={query} onConfigure={setConfigured} />}
      {configured !== null && (
        <ConfigureDialog key={configured.id} guild={configured} onClose={() => setConfigured(null)} />
      )}
    </>
  );
}

const Offline = ({ isPending, outage, isFetching, refresh }: Bot) => (
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
        {(guilds) => {
          if (guilds.length === 0) return isListing ? stillListing : noServers;
          return (
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
          );
        }}
      </Answered>
    </Panel>
  );
}

const stillListing = (
  <>
    <LoadingLines />
    <p className="mt-4 text-quiet">Discord is still listing the servers the bot is in.</p>
  </>
);
const noServers = <EmptyState>No servers found. Invite the bot to a server first.</EmptyState>;

/** What is shown of one server in place of the list, by its name in the address. */
const serverViews = ['statistics', 'wallets'] as const;
type ServerView = AddressDetail<(typeof serverViews)[number]>;

interface ServerRowProps {
  readonly guild: DiscordGuild;
  readonly onConfigure: (guild: DiscordGuild) => void;
  readonly onShow: (view: ServerView) => void;
  /** The button that led there takes the focus back. */
  readonly lastShown: ServerView | null;
}

/** One server: its row, and under it, unfolded, its problems and details. */
function ServerRow({ guild, ...actions }: ServerRowProps) {
  const [unfolded, setUnfolded] = useState(false);
  const detailsId = useId();
  const { config, problems, hasWaitingRemoval, memberCount } = guild;
  const configured = isConfigured(guild);
  const serverName = (
    <>
      <bdi className="clipped-name" title={guild.name}>
        {shownServer(guild)}
      </bdi>
      <span className="mt-1 flex flex-wrap items-center gap-1.5">
        <button
          type="button"
          className="row-fold"
          aria-expanded={unfolded}
          {...(unfolded && { 'aria-controls': detailsId })}
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? 'Hide details' : 'Details'}
          <span className="sr-only"> of {shownServer(guild)}</span>
        </button>
        {problems !== null && problems.length > 0 && <Badge tone="danger">{counted(problems.length, 'problem')}</Badge>}
        {hasWaitingRemoval === true && <Badge tone="torch">Approval needed</Badge>}
      </span>
    </>
  );
  const collection =
    config === null || !configured ? (
      <span className="text-quiet">Not configured</span>
    ) : (
      <bdi className="clipped-name" title={config.nftContract}>
        {config.nftName === '' ? shortType(config.nftContract) : foreignText(config.nftName, 60)}
      </bdi>
    );
  return (
    <>
      <CardRow
        cells={{
          'Server Name': serverName,
          Members: wholeOrUnknown(memberCount),
          'NFT Collection': collection,
          Status: <Badge tone={configured ? 'live' : 'quiet'}>{configured ? 'Configured' : 'Not Configured'}</Badge>,
          Actions: <Buttons guild={guild} {...actions} />,
        }}
      />
      {unfolded && (
        <tr id={detailsId} className="row-details">
          <td colSpan={5}>
            <Details guild={guild} />
          </td>
        </tr>
      )}
    </>
  );
}

function Buttons({ guild, onConfigure, onShow, lastShown }: ServerRowProps) {
  const box = useFocusBack<HTMLDivElement>(lastShown?.id === guild.id ? `[data-view=${lastShown.name}]` : null);
  const name = shownServer(guild);
  const viewButton = (view: ServerView['name'], text: string) => (
    <Button size="small" data-view={view} about={`of ${name}`} onClick={() => onShow({ name: view, id: guild.id })}>
      {text}
    </Button>
  );
  return (
    <div ref={box} className="flex flex-wrap gap-2 xl:flex-nowrap">
      <Button size="small" about={name} onClick={() => onConfigure(guild)}>
        Configure
      </Button>
      {viewButton('statistics', 'Statistics')}
      {viewButton('wallets', 'Wallets')}
    </div>
  );
}

/** Rulings R5: what blocks the bot in a server, each with the exact fix; role and channel by name. */
function Details({ guild }: { readonly guild: DiscordGuild }) {
  const { config, problems, verifiedCount, id } = guild;
  const noProblems = isConfigured(guild)
    ? 'No problems found.'
    : 'No collection is configured here yet, so nobody gets a role.';
  return (
    <div className="pb-2">
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
          Verified: verifiedCount !== null && whole(verifiedCount),
          'Server ID': <code>{id}</code>,
        }}
      />
    </div>
  );
}

const place = ({ text, inTrouble }: NamedPlace) => <bdi className={inTrouble ? 'text-danger' : ''}>{text}</bdi>;
