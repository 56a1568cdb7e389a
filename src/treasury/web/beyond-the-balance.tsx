import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import * as z from 'zod/mini';
import { amountText } from '../../payouts/core/payout-words.ts';
import { list, readAnswer } from '../../ui/api/answer-schema.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { buttonClass, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import type { FigureState } from '../contract.ts';
import { allocationPlan } from '../core/allocation.ts';
import { allocationCategories } from './allocation-categories.ts';
import { AllocationSwatch, ShareBar } from './allocation-patterns.tsx';
import { FigureNote } from './figure-note.tsx';
import { formatPercent, formatUsd } from './number-format.ts';
import type { ShownDrift, ShownFigure, ShownTreasury } from './treasury-answer.ts';
import { ThreeTotals, ValuePerRock } from './treasury-totals.tsx';
import { UncountedHoldings } from './uncounted-holdings.tsx';

interface SectionProps {
  readonly snapshot: ShownTreasury | null;
  /** The treasury answered that it has no snapshot, or not at all: not while the first answer is awaited. */
  readonly unread: boolean;
}

export const BeyondTheBalance = memo(function BeyondTheBalance({ snapshot, unread }: SectionProps) {
  return (
    <section aria-labelledby="beyond-the-balance" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="beyond-the-balance" title="Beyond the balance">
        The proof behind the figures above.
      </SectionHeading>
      <div className="mt-8 space-y-6">
        {snapshot !== null && (
          <div className="grid gap-6 lg:grid-cols-3">
            <div className="lg:col-span-2">
              <ThreeTotals snapshot={snapshot} />
            </div>
            <ValuePerRock value={snapshot.valuePerRock} figure={snapshot.figures?.valuePerRock ?? null} />
          </div>
        )}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {snapshot?.allocation && (
            <TargetAllocation allocation={snapshot.allocation} figure={snapshot.figures?.allocation ?? null} />
          )}
          <div className="space-y-6">
            <Distributed />
            <SnapshotDownloads isKnown={snapshot !== null} unread={unread} />
            {snapshot !== null && <UncountedHoldings snapshot={snapshot} />}
          </div>
        </div>
      </div>
    </section>
  );
});

const payoutsPath = '/api/payouts';
const coin = z.object({ type: z.string(), symbol: z.string(), decimals: z.number() });
const distributed = z.object({ distributed: list(z.object({ coin, raw: z.string() })) });

/** Rulings R9: what holders of rocks have got, added up from the chain and never from what somebody says. */
function Distributed() {
  const { data, isError } = useQuery({
    // Not under the path alone: the payouts' page keeps the whole answer there.
    queryKey: [payoutsPath, 'distributed'],
    queryFn: ({ signal }) => readAnswer({ path: payoutsPath, signal }, distributed),
    refetchInterval: 300_000,
  });
  return (
    <Card as="section" aria-labelledby="distributed">
      <SectionHeading id="distributed" title="Distributed so far" level={3} />
      {data === undefined && <p className="mt-4 text-unavailable">{isError ? 'Not known right now' : 'Loading...'}</p>}
      {data?.distributed.length === 0 && <p className="mt-4 text-2xl font-semibold">Nothing yet</p>}
      {data?.distributed.map(({ coin: of, raw }) => (
        <p key={of.type} className="mt-4 text-2xl font-semibold tabular-nums wrap-anywhere">
          <bdi>{amountText(raw, of)}</bdi>
        </p>
      ))}
      <p className="mt-3 text-quiet">
        What the addresses of all published payouts have received, by the transactions on chain. Distributions are
        discretionary and not guaranteed.
      </p>
      <p className="mt-4">
        <LinkButton to="/payouts">All payouts</LinkButton>
      </p>
    </Card>
  );
}

const stateMeanings = {
  live: 'Read within twice its refresh interval. A price is of the time its source gives, some minutes before it was read.',
  stale: 'The last good value. Newer readings failed or have not arrived, or the source itself gives an old price.',
  estimated: 'Derived from a source without a confidence of its own, or not yet confirmed by a second read.',
  unavailable: 'Never read. No value is shown in its place.',
} as const satisfies Readonly<Record<FigureState, string>>;

/** Rulings R3: the snapshot as a file, so that the totals can be added up again at home. While it is awaited nothing is promised. */
function SnapshotDownloads({ isKnown, unread }: { readonly isKnown: boolean; readonly unread: boolean }) {
  return (
    <Card as="section" aria-labelledby="check-it">
      <SectionHeading id="check-it" title="Check it yourself" level={3} />
      <p className="mt-3 max-w-2xl text-pretty text-quiet">
        The current snapshot with every row, raw balance, price and source. The rows add up to the totals.
      </p>
      {isKnown && <SnapshotFiles className="mt-4" />}
      {!isKnown && unread && (
        <p className="mt-4 font-semibold text-unavailable">
          There is no snapshot to download right now: the treasury could not be read.
        </p>
      )}
      <h4 className="mt-8 font-semibold">What the marks mean</h4>
      <dl className="mt-3 grid gap-2 text-sm">
        {(Object.keys(stateMeanings) as FigureState[]).map((state) => (
          <div key={state} className="grid grid-cols-[8rem_1fr] items-start gap-x-3">
            <dt>
              <StateBadge state={state} />
            </dt>
            <dd className="text-quiet">{stateMeanings[state]}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

export const SnapshotFiles = ({ className }: { readonly className: string }) => (
  <div className={`${className} flex flex-wrap gap-3`}>
    <a className={buttonClass('stone')} href="/api/treasury/export.csv" download>
      Download CSV
    </a>
    <a className={buttonClass('stone')} href="/api/treasury/export.json" download>
      Download JSON
    </a>
  </div>
);

interface TargetAllocationProps {
  readonly allocation: readonly ShownDrift[];
  readonly figure: ShownFigure;
}

/** Rulings R3: actual against target allocation; what cannot be seen on chain is said, not guessed. */
function TargetAllocation({ allocation, figure }: TargetAllocationProps) {
  if (allocation.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="target-allocation">
      <SectionHeading id="target-allocation" title="Actual against target allocation" level={3} />
      {figure !== null && (
        <p className="mt-3">
          <FigureNote {...figure} />
        </p>
      )}
      <ul className="mt-4 space-y-5">
        {allocation.map((part, index) => (
          <DriftItem key={part.name ?? index} part={part} />
        ))}
      </ul>
    </Card>
  );
}

/** Rulings R3: what cannot be seen says so, and is not taken for what is only not known right now. */
function actualText({ name, actualPercent }: ShownDrift): string {
  if (actualPercent !== null) return `Actual ${formatPercent(actualPercent)}`;
  const isVisible = allocationPlan.find((slice) => slice.name === name)?.onChain !== 'not-visible';
  return isVisible ? 'Actual not known' : 'Not visible on chain';
}

function DriftItem({ part }: { readonly part: ShownDrift }) {
  const { name, targetPercent, actualPercent, actualUsd, note } = part;
  // What the plan does not name, 'Not yet deployed' above all, is bare stone.
  const color = allocationCategories.find((category) => category.name === name)?.color ?? null;
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3">
      <AllocationSwatch color={color} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-semibold">{name ?? 'Unnamed share'}</span>
          <span className="tabular-nums">
            {actualText(part)}
            {targetPercent !== null && <span className="text-quiet">, target {formatPercent(targetPercent)}</span>}
          </span>
        </p>
        <ShareBar percent={actualPercent ?? 0} color={color} targetPercent={targetPercent} />
        <p className="mt-1 text-sm text-quiet">
          {actualUsd !== null && `${formatUsd(actualUsd)}. `}
          {note}
        </p>
      </div>
    </li>
  );
}
