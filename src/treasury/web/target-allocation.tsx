import { Card } from '../../web/ui/card.tsx';
import { SectionHeading } from '../../web/ui/section-heading.tsx';
import type { AllocationDrift, Provenance } from '../contract.ts';
import { allocationCategories } from './allocation-categories.ts';
import { AllocationSwatch, ShareBar } from './allocation-patterns.tsx';
import { FigureNote } from './figure-note.tsx';
import { formatPercent, formatUsd } from './number-format.ts';

interface TargetAllocationProps {
  readonly allocation: readonly AllocationDrift[];
  readonly figure: Provenance;
}

/** Rulings R3: actual against target allocation; what cannot be seen on chain is said, not guessed. */
export function TargetAllocation({ allocation, figure }: TargetAllocationProps) {
  return (
    <Card as="section" aria-labelledby="target-allocation">
      <SectionHeading id="target-allocation" title="Actual against target allocation" level={3} />
      <p className="mt-3">
        <FigureNote {...figure} />
      </p>
      <ul className="mt-4 space-y-5">
        {allocation.map((part) => (
          <DriftItem key={part.name} part={part} />
        ))}
      </ul>
    </Card>
  );
}

function DriftItem({ part }: { readonly part: AllocationDrift }) {
  // The server's names are the plan's own; a name of a newer server is drawn in the first stone.
  const color = allocationCategories.find(({ name }) => name === part.name)?.color ?? 'chart-1';
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3">
      <AllocationSwatch color={color} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-semibold">{part.name}</span>
          <span className="tabular-nums">
            Actual {part.actualPercent === null ? 'unknown' : formatPercent(part.actualPercent)}
            <span className="text-quiet">, target {formatPercent(part.targetPercent)}</span>
          </span>
        </p>
        <ShareBar percent={part.actualPercent ?? 0} color={color} targetPercent={part.targetPercent} />
        <p className="mt-1 text-sm text-quiet">
          {part.actualUsd === null ? '' : `${formatUsd(part.actualUsd)}. `}
          {part.note}
        </p>
      </div>
    </li>
  );
}
