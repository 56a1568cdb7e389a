import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { useAddressDetail } from '../../../ui/use-address.ts';
import type { DiscordGuild } from './discord-answers.ts';
import { useRefreshGuilds, useStatistics } from './discord-calls.ts';
import { FailedActions } from './failed-actions.tsx';
import { Member } from './member.tsx';
import { Members } from './members.tsx';
import { ServerHead } from './server-head.tsx';
import { shownServer } from './server-words.ts';
import { StatisticsFacts } from './statistics-facts.tsx';
import { UnverifiedHolders } from './unverified-holders.tsx';
import { WaitingRemoval } from './waiting-removal.tsx';

interface StatisticsProps {
  readonly guild: DiscordGuild;
  readonly onBack: () => void;
}

/** Rulings R5 and R6: one server in figures, what waits for an admin, and its verified members. */
export function Statistics({ guild, onBack }: StatisticsProps) {
  const member = useAddressDetail('member');
  const [search, setSearch] = useState('');
  if (member.openId !== null) {
    return <Member key={member.openId} guild={guild} userId={member.openId} onBack={member.close} />;
  }
  return (
    <div className="grid gap-6">
      <Figures guild={guild} onBack={onBack} takesFocus={member.lastShownId === null} />
      <Members
        guildId={guild.id}
        search={search}
        onSearch={setSearch}
        onExplain={member.show}
        lastShownId={member.lastShownId}
      />
    </div>
  );
}

function Figures({ guild, onBack, takesFocus }: StatisticsProps & { readonly takesFocus: boolean }) {
  const query = useStatistics(guild.id);
  const { data } = query;
  // Also the members below: figures and names of two different times contradict each other.
  const refresh = useRefreshGuilds();
  return (
    <Card as="section" aria-labelledby="discord-statistics" aria-busy={query.isFetching}>
      <ServerHead
        id="discord-statistics"
        backText="All servers"
        onBack={onBack}
        takesFocus={takesFocus}
        end={
          <Button size="small" busy={query.isFetching} onClick={refresh}>
            Refresh
          </Button>
        }
      >
        Statistics of <bdi>{shownServer(guild)}</bdi>
      </ServerHead>
      <QueryTrouble text="Failed to load the statistics" query={query} />
      {query.isPending && <LoadingLines count={6} lineClassName="h-9 w-full" />}
      {data?.waitingRemoval != null && <WaitingRemoval removal={data.waitingRemoval} />}
      {data !== undefined && <StatisticsFacts statistics={data} />}
      {data !== undefined && <UnverifiedHolders guildId={guild.id} />}
      {data?.failedActions != null && data.failedActions.length > 0 && <FailedActions actions={data.failedActions} />}
    </Card>
  );
}
