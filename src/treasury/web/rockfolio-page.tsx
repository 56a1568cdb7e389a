import { memo, useDeferredValue, useMemo } from 'react';
import { SectionBoundary } from '../../web/ui/section-boundary.tsx';
import { SectionHeading } from '../../web/ui/section-heading.tsx';
import { StrataDivider } from '../../web/ui/strata-divider.tsx';
import { useAtTime } from '../../web/ui/use-at-time.ts';
import { AllocationPatterns } from './allocation-patterns.tsx';
import { CategoryBreakdown } from './category-breakdown.tsx';
import { isOverdue } from './figure-state.ts';
import { FullTransparency } from './full-transparency.tsx';
import { FundAllocation } from './fund-allocation.tsx';
import { RockfolioHero } from './rockfolio-hero.tsx';
import { shownSnapshot } from './shown-snapshot.ts';
import { SnapshotDownloads } from './snapshot-downloads.tsx';
import { summaryCards } from './summary-figures.ts';
import { TargetAllocation } from './target-allocation.tsx';
import type { ShownTreasury } from './treasury-answer.ts';
import { useTreasury } from './treasury-query.ts';
import { ThreeTotals, ValuePerRock } from './treasury-totals.tsx';
import { UncountedHoldings } from './uncounted-holdings.tsx';
import { ValueOverTime } from './value-over-time.tsx';

/** Specification 2, Treasury page: its four sections in order; around them what rulings R3 add: total, trend, then proof. */
export function RockfolioPage() {
  const treasury = useTreasury();
  const overdue = useAtTime((nowMs) => isOverdue(treasury.dataUpdatedAt, nowMs), false);
  const snapshot = useMemo(
    () => (treasury.data ? shownSnapshot(treasury.data, overdue) : treasury.data),
    [treasury.data, overdue],
  );
  const known = snapshot ?? null;
  // The figures on top first; the long lists follow in small steps, so that a phone never stands still.
  const knownBelow = useDeferredValue(known);
  const unread = treasury.data === null || (treasury.data === undefined && treasury.isError);
  const failure = treasury.isError
    ? { text: treasury.error.message, isTrying: treasury.isFetching, tryAgain: () => void treasury.refetch() }
    : null;
  return (
    <>
      <AllocationPatterns />
      <SectionBoundary name="The summary">
        <RockfolioHero
          cards={summaryCards({ failed: treasury.isError, snapshot })}
          snapshot={known}
          failure={failure}
        />
      </SectionBoundary>
      <SectionBoundary name="The value over time">
        <div className="wrap pb-12 sm:pb-16">
          <ValueOverTime />
        </div>
      </SectionBoundary>
      <StrataDivider />
      <FundAllocation />
      <StrataDivider />
      <CategoryBreakdown />
      <StrataDivider />
      <SectionBoundary name="The holdings">
        <FullTransparency snapshot={knownBelow} />
      </SectionBoundary>
      <StrataDivider />
      <SectionBoundary name="The proof">
        <BeyondTheBalance snapshot={knownBelow} unread={unread} />
      </SectionBoundary>
    </>
  );
}

interface SectionProps {
  readonly snapshot: ShownTreasury | null;
  /** The treasury answered that it has no snapshot, or not at all: not while the first answer is awaited. */
  readonly unread: boolean;
}

/** Rulings R3: the proof behind the balance. */
const BeyondTheBalance = memo(function BeyondTheBalance({ snapshot, unread }: SectionProps) {
  return (
    <section aria-labelledby="beyond-the-balance" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="beyond-the-balance" title="Beyond the balance">
        The proof behind the figures above.
      </SectionHeading>
      <div className="mt-8 space-y-6">
        {snapshot === null ? null : (
          <div className="grid gap-6 lg:grid-cols-3">
            <div className="lg:col-span-2">
              <ThreeTotals snapshot={snapshot} />
            </div>
            <ValuePerRock value={snapshot.valuePerRock} figure={snapshot.figures?.valuePerRock ?? null} />
          </div>
        )}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {snapshot === null ? null : (
            <TargetAllocation allocation={snapshot.allocation ?? []} figure={snapshot.figures?.allocation ?? null} />
          )}
          <div className="space-y-6">
            <SnapshotDownloads snapshot={snapshot === null ? (unread ? 'none' : 'awaited') : 'known'} />
            {snapshot === null ? null : <UncountedHoldings snapshot={snapshot} />}
          </div>
        </div>
      </div>
    </section>
  );
});
