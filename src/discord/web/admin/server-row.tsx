import { useId, useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { shortType } from '../../../shared/sui-address.ts';
import type { AddressDetail } from '../../../ui/address.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { counted, whole, wholeOrUnknown } from '../../../ui/decimal-text.ts';
import { useFocusBack } from '../../../ui/panel.tsx';
import { CardRow } from '../../../ui/tables.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import {
  channelInWords,
  graceInWords,
  isConfigured,
  type NamedPlace,
  roleInWords,
  shownServer,
} from './discord-words.ts';

/** What is shown of one server in place of the list, by its name in the address. */
export const serverViews = ['statistics', 'wallets'] as const;
type ServerView = AddressDetail<(typeof serverViews)[number]>;

interface ServerRowProps {
  readonly guild: DiscordGuild;
  readonly onConfigure: (guild: DiscordGuild) => void;
  readonly onShow: (view: ServerView) => void;
  /** The button that led there takes the focus back. */
  readonly lastShown: ServerView | null;
}

/** One server: its row, and under it, unfolded, its problems and details. */
export function ServerRow({ guild, ...actions }: ServerRowProps) {
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
  return (
    <div className="pb-2">
      {problems !== null && <Problems problems={problems} isConfigured={isConfigured(guild)} />}
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

interface ProblemsProps {
  readonly problems: NonNullable<DiscordGuild['problems']>;
  readonly isConfigured: boolean;
}

function Problems({ problems, isConfigured: hasContract }: ProblemsProps) {
  if (problems.length === 0) {
    const text = hasContract ? 'No problems found.' : 'No collection is configured here yet, so nobody gets a role.';
    return <p className="text-quiet">{text}</p>;
  }
  return (
    <ul className="space-y-3" aria-label="Problems">
      {problems.map(({ code, message, fix }, index) => (
        <li key={code ?? index} className="border-l-4 border-danger pl-4 wrap-anywhere">
          <p className="font-semibold">{message}</p>
          {fix !== null && <p className="text-quiet">{fix}</p>}
        </li>
      ))}
    </ul>
  );
}
