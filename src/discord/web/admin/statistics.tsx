import { type ReactNode, useState } from 'react';
import { Age, TimeUntil } from '../../../ui/age.tsx';
import { hasStatus } from '../../../ui/api/api-client.ts';
import { useAnswer, useRefresh } from '../../../ui/api/use-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { wholeNumberText, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { DetailPanel, Line, Lines, Part } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered, QueryError } from '../../../ui/query-error.tsx';
import { useAddressDetail } from '../../../ui/address-bar.tsx';
import { type DiscordGuild, type GuildStatistics, guildStatistics, unverifiedHolders } from './discord-answers.ts';
import { guildPath, guildsPath } from './discord-calls.ts';
import { NameList, Members } from './members.tsx';
import { actionInWords, codeInWords, shownMember, shownServer, sweepInWords } from './discord-words.ts';
import { Member } from './member.tsx';
import { WaitingRemoval } from './waiting-removal.tsx';

interface StatisticsProps {
  readonly guild: DiscordGuild;
  readonly onBack: () => void;
}

/** Rulings R5 and R6: one server in figures, what waits for an admin, and its verified members. */
export function Statistics({ guild, onBack }: StatisticsProps) {
  const { open, opener, close } = useAddressDetail(['member']);
  const [search, setSearch] = useState('');
  if (open !== null) return <Member key={open.id} guild={guild} userId={open.id} onBack={close} />;
  return (
    <div className="grid gap-6">
      <Figures guild={guild} onBack={onBack} />
      <Members guildId={guild.id} search={search} onSearch={setSearch} opener={opener} />
    </div>
  );
}

function Figures({ guild, onBack }: StatisticsProps) {
  const query = useAnswer(`${guildPath(guild.id)}/statistics`, guildStatistics);
  // Refreshes the members below too: figures and names of different times would contradict each other.
  const refresh = useRefresh(guildsPath);
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
      end={
        <Button size="small" busy={query.isFetching} onClick={refresh}>
          Refresh
        </Button>
      }
    >
      <Answered
        query={query}
        failure="Failed to load the statistics"
        loading={<LoadingLines count={6} lineClassName="h-9 w-full" />}
      >
        {(statistics) => (
          <>
            {statistics.waitingRemoval !== null && <WaitingRemoval removal={statistics.waitingRemoval} />}
            <StatisticsFacts statistics={statistics} />
            {statistics.pauseReason !== null && (
              <p className="text-stale">Role changes wait: {statistics.pauseReason}</p>
            )}
            <UnverifiedHolders guildId={guild.id} />
            <FailedActions actions={statistics.failedActions ?? []} />
          </>
        )}
      </Answered>
    </DetailPanel>
  );
}

/** Rulings R5, server statistics: members, verified, role holders, wallets, last sweep, pending removals, failures. */
const StatisticsFacts = ({ statistics }: { readonly statistics: GuildStatistics }) => (
  <Facts
    of={{
      Members: wholeNumberOrUnknown(statistics.memberCount),
      Verified: wholeNumberOrUnknown(statistics.verifiedCount),
      'Verified role holders': wholeNumberOrUnknown(statistics.roleHolderCount),
      'Wallets linked': wholeNumberOrUnknown(statistics.walletCount),
      'Authorized wallets': wholeNumberOrUnknown(statistics.authorizedWalletCount),
      'Waiting for a second check': alarming(statistics.inDoubtCount, 'text-stale'),
      'Pending removals': alarming(statistics.pendingRemovalCount, 'text-stale'),
      'Could not be read': alarming(statistics.unknownCount, 'text-stale'),
      'In the queue': wholeNumberOrUnknown(statistics.pendingActionCount),
      Failures: alarming(statistics.failedActionCount, 'text-danger'),
      'Last sweep': lastSweepInWords(statistics.lastSweep),
      'Next sweep': nextSweepInWords(statistics.nextSweepAt),
    }}
  />
);

const alarming = (count: number | null, tone: string): ReactNode => (
  <span className={count !== null && count > 0 ? `font-semibold ${tone}` : ''}>{wholeNumberOrUnknown(count)}</span>
);

function nextSweepInWords(at: GuildStatistics['nextSweepAt']): ReactNode {
  if (at === undefined) return 'Not known';
  return at === null ? 'Once the server is configured' : <TimeUntil at={at} />;
}

function lastSweepInWords(sweep: GuildStatistics['lastSweep']): ReactNode {
  if (sweep === undefined) return 'Not known';
  if (sweep === null) return 'None yet';
  return (
    <>
      <Age asOf={sweep.at} />, {sweepInWords(sweep)}
      {sweep.failure !== null && (
        <span className="block text-stale">
          Not every wallet could be read: {codeInWords(sweep.failure)}. No role was removed because of it.
        </span>
      )}
    </>
  );
}

/** Rulings R6: role holders missing from the figures of verified members. Renders nothing if there are none, or none are known. */
function UnverifiedHolders({ guildId }: { readonly guildId: string }) {
  // Each call asks Discord for every member of the server.
  const seldom = { staleTime: 60_000, refetchInterval: false } as const;
  const query = useAnswer(`${guildPath(guildId)}/unverified-holders`, unverifiedHolders, seldom);
  const { data, error } = query;
  // Rulings R2: the call may not exist.
  if (hasStatus(error, 404)) return null;
  const count = data?.count ?? 0;
  if (data == null || count === 0)
    return <QueryError text="Failed to load the role holders without a wallet" query={query} />;
  const { isComplete, members } = data;
  const has = count === 1 ? 'member has' : 'members have';
  return (
    <Part
      id="discord-unverified"
      title={`${isComplete === false ? 'At least ' : ''}${wholeNumberText(count)} ${has} the role and no linked wallet`}
    >
      <p className="mt-1 text-quiet">
        They got it from another bot or by hand, so this bot neither checks them nor takes the role away.
      </p>
      <NameList title="Who they are" members={members ?? []} total={count} />
    </Part>
  );
}

type Failed = NonNullable<GuildStatistics['failedActions']>[number];

function FailedActions({ actions }: { readonly actions: readonly Failed[] }) {
  if (actions.length === 0) return null;
  return (
    <Part id="discord-failures" title="What Discord refused">
      <p className="mt-1 text-quiet">The bot tries again by itself, within an hour.</p>
      <Lines labelledBy="discord-failures" className="mt-2">
        {actions.map(({ id, kind, member, at, failure }, index) => (
          <Line key={id ?? index} end={null}>
            <p>
              <span className="font-semibold">{actionInWords(kind)}</span>:{' '}
              <bdi title={member?.userId}>{member === null ? 'a member' : shownMember(member)}</bdi>{' '}
              <Age asOf={at} className="text-sm text-quiet" />
            </p>
            {failure !== null && <p className="text-sm text-danger">{failure}</p>}
          </Line>
        ))}
      </Lines>
    </Part>
  );
}
