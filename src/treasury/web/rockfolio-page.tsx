import { useDeferredValue, useMemo } from 'react';
import { useAtTime } from '../../ui/age.tsx';
import { SectionBoundary } from '../../ui/section-boundary.tsx';
import { StrataDivider } from '../../ui/section-heading.tsx';
import { AllocationPatterns } from './allocation-patterns.tsx';
import { BeyondTheBalance } from './beyond-the-balance.tsx';
import { FullTransparency } from './full-transparency.tsx';
import { CategoryBreakdown, FundAllocation } from './fund-allocation.tsx';
import { RockfolioHero } from './rockfolio-hero.tsx';
import { isOverdue, shownSnapshot, useTreasury } from './treasury-query.ts';
import { summaryCards } from './summary-cards.tsx';
import { ValueOverTime } from './history/value-over-time.tsx';

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
