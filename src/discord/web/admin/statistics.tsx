import { type ReactNode, useState } from 'react';
import { Age, Ahead } from '../../../ui/age.tsx';
import { hasStatus } from '../../../ui/api/api-client.ts';
import { useAnswer } from '../../../ui/api/use-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { whole, wholeOrUnknown } from '../../../ui/decimal-text.ts';
import { DetailPanel } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { useAddressDetail } from '../../../ui/address.tsx';
import { type DiscordGuild, type GuildStatistics, guildStatistics, unverifiedHolders } from './discord-answers.ts';
import { guildPath, useRefreshGuilds } from './discord-calls.ts';
import { FailedActions } from './failed-actions.tsx';
import { NameList } from './name-list.tsx';
import { codeInWords, sweepInWords } from './member-words.ts';
import { Member } from './member.tsx';
import { Members } from './members.tsx';
import { shownServer } from './server-words.ts';
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
  const query = useAnswer(`${guildPath(guild.id)}/statistics`, guildStatistics);
  const { data } = query;
  // The members below too: figures and names of different times would contradict each other.
  const refresh = useRefreshGuilds();
  return (
    <DetailPanel
      id="discord-statistics"
      title={
        <>
          Statistics of <bdi>{shownServer(guild)}</bdi>
        </>
      }
      busy={query.isFetching}
      backText="All servers"
      onBack={onBack}
      takesFocus={takesFocus}
      end={
        <Button size="small" busy={query.isFetching} onClick={refresh}>
          Refresh
        </Button>
      }
    >
      <QueryTrouble text="Failed to load the statistics" query={query} />
      {query.isPending && <LoadingLines count={6} lineClassName="h-9 w-full" />}
      {data?.waitingRemoval != null && <WaitingRemoval removal={data.waitingRemoval} />}
      {data !== undefined && <StatisticsFacts statistics={data} />}
      {data !== undefined && <UnverifiedHolders guildId={guild.id} />}
      {data?.failedActions != null && data.failedActions.length > 0 && <FailedActions actions={data.failedActions} />}
    </DetailPanel>
  );
}

/** Rulings R5, server statistics: members, verified, role holders, wallets, last sweep, pending removals, failures. */
const StatisticsFacts = ({ statistics }: { readonly statistics: GuildStatistics }) => (
  <Facts
    of={{
      Members: wholeOrUnknown(statistics.memberCount),
      Verified: wholeOrUnknown(statistics.verifiedCount),
      'Verified role holders': wholeOrUnknown(statistics.roleHolderCount),
      'Wallets linked': wholeOrUnknown(statistics.walletCount),
      'Authorized wallets': wholeOrUnknown(statistics.authorizedWalletCount),
      'Waiting for a second check': alarming(statistics.inDoubtCount, 'text-stale'),
      'Pending removals': alarming(statistics.pendingRemovalCount, 'text-stale'),
      'Could not be read': alarming(statistics.unknownCount, 'text-stale'),
      'In the queue': wholeOrUnknown(statistics.pendingActionCount),
      Failures: alarming(statistics.failedActions?.length ?? null, 'text-danger'),
      'Last sweep': lastSweepInWords(statistics.lastSweep),
      'Next sweep': nextSweepInWords(statistics.nextSweepAt),
    }}
  />
);

const alarming = (count: number | null, tone: string): ReactNode => (
  <span className={count !== null && count > 0 ? `font-semibold ${tone}` : ''}>{wholeOrUnknown(count)}</span>
);

function nextSweepInWords(at: GuildStatistics['nextSweepAt']): ReactNode {
  if (at === undefined) return 'Not known';
  return at === null ? 'Once the server is configured' : <Ahead at={at} />;
}

function lastSweepInWords(sweep: GuildStatistics['lastSweep']): ReactNode {
  if (sweep === undefined) return 'Not known';
  if (sweep === null) return 'None yet';
  return (
    <>
      <Age asOf={sweep.at} />, {sweepInWords(sweep)}
      {sweep.failure !== null && (
        <span className="block text-stale">
          It ended early: {codeInWords(sweep.failure)}. No role was removed because of it.
        </span>
      )}
    </>
  );
}

/** Rulings R6: role holders missing from the figures of verified members. Renders nothing if there are none, or none are known. */
function UnverifiedHolders({ guildId }: { readonly guildId: string }) {
  // Discord is asked for every member of the server.
  const seldom = { staleTime: 60_000, refetchInterval: false } as const;
  const query = useAnswer(`${guildPath(guildId)}/unverified-holders`, unverifiedHolders, seldom);
  const { data, error } = query;
  // Rulings R2: the call may not exist.
  if (hasStatus(error, 404)) return null;
  if (data == null || data.count === null || data.count === 0)
    return <QueryTrouble text="Failed to load the role holders without a wallet" query={query} />;
  const { count, isComplete, members } = data;
  return (
    <section className="mt-6" aria-labelledby="discord-unverified">
      <h3 id="discord-unverified" className="font-bold">
        {isComplete === false ? 'At least ' : ''}
        {whole(count)} {count === 1 ? 'member has' : 'members have'} the role and no linked wallet
      </h3>
      <p className="mt-1 text-quiet">
        They got it from another bot or by hand, so this bot neither checks them nor takes the role away.
      </p>
      <NameList title="Who they are" members={members ?? []} total={count} />
    </section>
  );
}
