import type { ReactNode } from 'react';
import { Age } from '../../../web/ui/age.tsx';
import { Fact } from '../../../web/ui/fact.tsx';
import type { StatisticsAnswer } from '../../members-contract.ts';
import { Ahead } from './ahead.tsx';
import { codeInWords, sweepInWords } from './member-words.ts';
import { whole, wholeOrUnknown } from './server-words.ts';

type Statistics = StatisticsAnswer['data'];

/** Rulings R5, server statistics: members, verified, role holders, wallets, last sweep, pending removals, failures. */
export function StatisticsFacts({ statistics }: { readonly statistics: Statistics }) {
  const { pendingRemovalCount, unknownCount, pendingActionCount, failedActions, nextSweepAt } = statistics;
  const figures: readonly (readonly [string, ReactNode])[] = [
    ['Members', wholeOrUnknown(statistics.memberCount)],
    ['Verified', whole(statistics.verifiedCount)],
    ['Verified role holders', whole(statistics.roleHolderCount)],
    ['Wallets linked', whole(statistics.walletCount)],
    ['Authorized wallets', whole(statistics.authorizedWalletCount)],
    ['Waiting for a second check', <Count key="doubt" count={statistics.inDoubtCount} tone="text-stale" />],
    ['Pending removals', <Count key="removals" count={pendingRemovalCount} tone="text-stale" />],
    ['Could not be read', <Count key="unknown" count={unknownCount} tone="text-stale" />],
    ['In the queue', whole(pendingActionCount)],
    ['Failures', <Count key="failures" count={failedActions.length} tone="text-danger" />],
    ['Last sweep', <LastSweep key="last" sweep={statistics.lastSweep} />],
    ['Next sweep', nextSweepAt === null ? 'Once the server is configured' : <Ahead key="next" at={nextSweepAt} />],
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

const Count = ({ count, tone }: { readonly count: number; readonly tone: string }) => (
  <span className={count > 0 ? `font-semibold ${tone}` : ''}>{whole(count)}</span>
);

function LastSweep({ sweep }: { readonly sweep: Statistics['lastSweep'] }) {
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
