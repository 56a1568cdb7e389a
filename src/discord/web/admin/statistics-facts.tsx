import type { ReactNode } from 'react';
import { Age } from '../../../ui/age.tsx';
import { Fact } from '../../../ui/fact.tsx';
import type { GuildStatistics } from './discord-answers.ts';
import { Ahead } from './ahead.tsx';
import { codeInWords, sweepInWords } from './member-words.ts';
import { wholeOrUnknown } from './server-words.ts';

/** Rulings R5, server statistics: members, verified, role holders, wallets, last sweep, pending removals, failures. */
export function StatisticsFacts({ statistics }: { readonly statistics: GuildStatistics }) {
  const { pendingRemovalCount, unknownCount, pendingActionCount, failedActions, nextSweepAt } = statistics;
  const figures: readonly (readonly [string, ReactNode])[] = [
    ['Members', wholeOrUnknown(statistics.memberCount)],
    ['Verified', wholeOrUnknown(statistics.verifiedCount)],
    ['Verified role holders', wholeOrUnknown(statistics.roleHolderCount)],
    ['Wallets linked', wholeOrUnknown(statistics.walletCount)],
    ['Authorized wallets', wholeOrUnknown(statistics.authorizedWalletCount)],
    ['Waiting for a second check', <Count key="doubt" count={statistics.inDoubtCount} tone="text-stale" />],
    ['Pending removals', <Count key="removals" count={pendingRemovalCount} tone="text-stale" />],
    ['Could not be read', <Count key="unknown" count={unknownCount} tone="text-stale" />],
    ['In the queue', wholeOrUnknown(pendingActionCount)],
    ['Failures', <Count key="failures" count={failedActions?.length ?? null} tone="text-danger" />],
    ['Last sweep', <LastSweep key="last" sweep={statistics.lastSweep} />],
    ['Next sweep', <NextSweep key="next" at={nextSweepAt} />],
  ];
  return (
    <dl className="grid gap-x-10 lg:grid-cols-2">
      {figures.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const Count = ({ count, tone }: { readonly count: number | null; readonly tone: string }) => (
  <span className={count !== null && count > 0 ? `font-semibold ${tone}` : ''}>{wholeOrUnknown(count)}</span>
);

function NextSweep({ at }: { readonly at: GuildStatistics['nextSweepAt'] }) {
  if (at === undefined) return 'Not known';
  return at === null ? 'Once the server is configured' : <Ahead at={at} />;
}

function LastSweep({ sweep }: { readonly sweep: GuildStatistics['lastSweep'] }) {
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
