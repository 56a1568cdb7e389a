import { type ReactNode, useState } from 'react';
import { Age, TimeUntil } from '../../../ui/age.tsx';
import { useAnswer, useReload } from '../../../ui/api/use-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { counted, wholeNumberText, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { ConfirmButton } from '../../../ui/dialogs.tsx';
import { DetailPanel, Line, Lines, Part } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { useAddressDetail } from '../../../ui/address-bar.tsx';
import { type DiscordGuild, type GuildStatistics, guildStatistics } from './discord-answers.ts';
import { guildPath } from './discord-calls.ts';
import { NameList, Members, UnverifiedHolders } from './members.tsx';
import { actionInWords, codeInWords, shownMember, shownServer, sweepInWords } from './discord-words.ts';
import { Member } from './member.tsx';

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
  const refresh = useReload();
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

type Removal = NonNullable<GuildStatistics['waitingRemoval']>;

const decisions = {
  approve: {
    title: 'Approve the removal',
    look: 'danger',
    confirm: 'Remove the role from',
    text: 'members will lose the role, each after a direct message and the grace period. Anyone who holds a piece again by then keeps it.',
    done: 'Removal approved',
    // No number: some may have bought a piece since the dialog opened.
    effect: 'Each member who still holds nothing loses the role after a direct message and the grace period.',
    failed: 'Failed to approve removal',
  },
  refuse: {
    title: 'Refuse the removal',
    look: 'torch',
    confirm: 'Keep it for',
    text: 'members keep the role although nothing was found in their wallets. The usual rules apply to each of them again once a piece is found.',
    done: 'Removal refused',
    effect: 'The members keep the role.',
    failed: 'Failed to refuse removal',
  },
} as const;
type Decision = keyof typeof decisions;

/** '12 of 60'. */
const howMany = ({ removalCount, holderCount }: Removal): string =>
  holderCount === null
    ? wholeNumberText(removalCount)
    : `${wholeNumberText(removalCount)} of ${wholeNumberText(holderCount)}`;

/** Rulings R5: a removal of many roles at once waits for an admin's decision. */
function WaitingRemoval({ removal }: { readonly removal: Removal }) {
  const { removalCount, members, createdAt } = removal;
  return (
    <Card as="section" tone="glow" className="mb-6" aria-labelledby="discord-waiting-removal">
      <h3 id="discord-waiting-removal" className="text-lg font-bold">
        Removing {counted(removalCount, 'role')} needs your approval
      </h3>
      <p className="mt-2">
        {howMany(removal)} members with the role were found to hold nothing, in two checks. So many at once may be a
        mistake, so no role has been removed yet.
        <Age asOf={createdAt} before=" It began " after="." />
      </p>
      <NameList title={`Who would lose it (${wholeNumberText(removalCount)})`} members={members} total={removalCount} />
      <div className="mt-3 flex flex-wrap gap-3">
        <DecisionButton text="Approve" look="danger" decision="approve" removal={removal} />
        <DecisionButton text="Refuse" decision="refuse" removal={removal} />
      </div>
    </Card>
  );
}

interface DecisionButtonProps {
  readonly text: string;
  readonly look?: 'danger';
  readonly decision: Decision;
  readonly removal: Removal;
}

/** POST /api/discord/removals/{removalId}/approve and /refuse. */
function DecisionButton({ decision, removal, ...button }: DecisionButtonProps) {
  const { title, look, confirm, text, done, effect, failed } = decisions[decision];
  const { id, removalCount } = removal;
  return (
    <ConfirmButton
      {...button}
      dialogTitle={title}
      confirmText={`${confirm} ${wholeNumberText(removalCount)}`}
      confirmLook={look}
      change={{
        call: () => ({ method: 'POST', path: `/api/discord/removals/${encodeURIComponent(id)}/${decision}` }),
        success: { title: done, description: effect },
        failure: failed,
      }}
    >
      <p>
        {howMany(removal)} {text}
      </p>
    </ConfirmButton>
  );
}
