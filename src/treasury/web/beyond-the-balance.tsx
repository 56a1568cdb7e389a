import { memo } from 'react';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { SnapshotDownloads } from './snapshot-downloads.tsx';
import { TargetAllocation } from './target-allocation.tsx';
import type { ShownTreasury } from './treasury-answer.ts';
import { ThreeTotals, ValuePerRock } from './treasury-totals.tsx';
import { UncountedHoldings } from './uncounted-holdings.tsx';

interface SectionProps {
  readonly snapshot: ShownTreasury | null;
  /** The treasury answered that it has no snapshot, or not at all: not while the first answer is awaited. */
  readonly unread: boolean;
}

/** Rulings R3: the proof behind the balance. */
export const BeyondTheBalance = memo(function BeyondTheBalance({ snapshot, unread }: SectionProps) {
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
