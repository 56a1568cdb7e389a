import { useEffect, useId, useRef, useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { shortType } from '../../../shared/sui-address.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { ServerDetails } from './server-details.tsx';
import { counted, isConfigured, shownServer, wholeOrUnknown } from './server-words.ts';
import type { RowDoings } from './servers-list.tsx';

interface ServerRowProps extends RowDoings {
  readonly guild: DiscordGuild;
}

/** One server: its row, and under it what stands in its way when it is unfolded. */
export function ServerRow({ guild, ...doings }: ServerRowProps) {
  const [unfolded, setUnfolded] = useState(false);
  const detailsId = useId();
  const { config, problems, hasWaitingRemoval, memberCount } = guild;
  const configured = isConfigured(guild);
  return (
    <>
      <tr>
        <th scope="row" data-label="Server Name">
          <bdi className="clipped-name" title={guild.name}>
            {shownServer(guild)}
          </bdi>
          <span className="mt-1 flex flex-wrap items-center gap-1.5">
            <button
              type="button"
              className="row-fold"
              aria-expanded={unfolded}
              {...(unfolded ? { 'aria-controls': detailsId } : {})}
              onClick={() => setUnfolded(!unfolded)}
            >
              {unfolded ? 'Hide details' : 'Details'}
              <span className="sr-only"> of {shownServer(guild)}</span>
            </button>
            {problems !== null && problems.length > 0 && (
              <Badge tone="danger">{counted(problems.length, 'problem')}</Badge>
            )}
            {hasWaitingRemoval === true && <Badge tone="torch">Approval needed</Badge>}
          </span>
        </th>
        <td data-label="Members">{wholeOrUnknown(memberCount)}</td>
        <td data-label="NFT Collection">
          {config === null || !configured ? (
            <span className="text-quiet">Not configured</span>
          ) : (
            <bdi className="clipped-name" title={config.nftContract}>
              {config.nftName === '' ? shortType(config.nftContract) : foreignText(config.nftName, 60)}
            </bdi>
          )}
        </td>
        <td data-label="Status">
          <Badge tone={configured ? 'live' : 'quiet'}>{configured ? 'Configured' : 'Not Configured'}</Badge>
        </td>
        <td data-label="Actions">
          <Actions guild={guild} {...doings} />
        </td>
      </tr>
      {unfolded && (
        <tr id={detailsId} className="row-details">
          <td colSpan={5}>
            <ServerDetails guild={guild} />
          </td>
        </tr>
      )}
    </>
  );
}

function Actions({ guild, onConfigure, onShow, lastShown }: ServerRowProps) {
  const box = useRef<HTMLDivElement>(null);
  const focused = lastShown?.guildId === guild.id ? lastShown.view : null;
  useEffect(() => {
    // Back from one of its views: the keyboard goes on where it left.
    if (focused !== null) box.current?.querySelector<HTMLElement>(`[data-view=${focused}]`)?.focus();
  }, [focused]);
  const name = shownServer(guild);
  return (
    <div ref={box} className="flex flex-wrap gap-2 xl:flex-nowrap">
      <Button size="small" onClick={() => onConfigure(guild)}>
        Configure<span className="sr-only"> {name}</span>
      </Button>
      <Button size="small" data-view="statistics" onClick={() => onShow({ view: 'statistics', guildId: guild.id })}>
        Statistics<span className="sr-only"> of {name}</span>
      </Button>
      <Button size="small" data-view="wallets" onClick={() => onShow({ view: 'wallets', guildId: guild.id })}>
        Wallets<span className="sr-only"> of {name}</span>
      </Button>
    </div>
  );
}
