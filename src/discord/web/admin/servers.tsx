import { useState } from 'react';
import { useAtTime } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { useAddressDetail } from '../../../ui/use-address.ts';
import { ConfigureDialog } from './configure-dialog.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { type Bot, isBeingTold, type useGuilds } from './discord-calls.ts';
import type { LastShown } from './server-row.tsx';
import { ServersList } from './servers-list.tsx';
import { Statistics } from './statistics.tsx';
import { outageText } from './status-words.ts';
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
      {bot.bot === null ? (
        <Offline bot={bot} />
      ) : (
        <Online status={bot.status.data} query={query} onConfigure={setConfigured} />
      )}
      {configured !== null && <ConfigureDialog key={configured.id} guild={configured} onClose={closeDialog} />}
    </>
  );
}

function Offline({ bot: { isPending, outage, isFetching, refresh } }: Pick<ServersProps, 'bot'>) {
  return (
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
          <p className="min-w-0 flex-1 basis-60 text-danger wrap-anywhere">{outageText(outage)}</p>
          <Button size="small" busy={isFetching} onClick={refresh}>
            Try again
          </Button>
        </div>
      )}
    </Card>
  );
}

interface OnlineProps {
  readonly status: Bot['status']['data'];
  readonly query: ServersProps['query'];
  readonly onConfigure: (guild: DiscordGuild) => void;
}

function Online({ status, query, onConfigure }: OnlineProps) {
  const beingTold = useAtTime((nowMs) => isBeingTold(status, nowMs), true);
  const [lastShown, setLastShown] = useState<LastShown | null>(null);
  // The search outlives a look at one of its finds.
  const [filter, setFilter] = useState({ search: '', page: 0 });
  const statistics = useAddressDetail('statistics', ['wallets', 'member']);
  const wallets = useAddressDetail('wallets', ['statistics', 'member']);
  const shown = (id: string | null) => query.data?.find((guild) => guild.id === id);
  const [ofStatistics, ofWallets] = [shown(statistics.openId), shown(wallets.openId)];
  const show = (next: LastShown): void => {
    setLastShown(next);
    (next.view === 'statistics' ? statistics : wallets).show(next.guildId);
  };
  if (ofStatistics !== undefined) {
    return <Statistics key={ofStatistics.id} guild={ofStatistics} onBack={statistics.close} />;
  }
  if (ofWallets !== undefined) return <Wallets key={ofWallets.id} guild={ofWallets} onBack={wallets.close} />;
  return (
    <ServersList
      query={query}
      missingId={statistics.openId ?? wallets.openId}
      beingTold={beingTold}
      filter={filter}
      onFilter={setFilter}
      onConfigure={onConfigure}
      onShow={show}
      lastShown={lastShown}
    />
  );
}
