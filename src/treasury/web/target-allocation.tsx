import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { allocationPlan } from '../core/allocation.ts';
import { allocationCategories } from './allocation-categories.ts';
import { AllocationSwatch, ShareBar } from './allocation-patterns.tsx';
import { FigureNote } from './figure-note.tsx';
import { formatPercent, formatUsd } from './number-format.ts';
import type { ShownDrift, ShownFigure } from './treasury-answer.ts';

interface TargetAllocationProps {
  readonly allocation: readonly ShownDrift[];
  readonly figure: ShownFigure;
}

/** Rulings R3: actual against target allocation; what cannot be seen on chain is said, not guessed. */
export function TargetAllocation({ allocation, figure }: TargetAllocationProps) {
  if (allocation.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="target-allocation">
      <SectionHeading id="target-allocation" title="Actual against target allocation" level={3} />
      {figure === null ? null : (
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
  // What the plan does not name, 'Not yet deployed' above all, is bare stone.
  const color = allocationCategories.find(({ name }) => name === part.name)?.color ?? null;
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3">
      <AllocationSwatch color={color} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-semibold">{part.name ?? 'Unnamed share'}</span>
          <span className="tabular-nums">
            {actualText(part)}
            {part.targetPercent === null ? null : (
              <span className="text-quiet">, target {formatPercent(part.targetPercent)}</span>
            )}
          </span>
        </p>
        <ShareBar
          percent={part.actualPercent ?? 0}
          color={color}
          {...(part.targetPercent === null ? {} : { targetPercent: part.targetPercent })}
        />
        <p className="mt-1 text-sm text-quiet">
          {part.actualUsd === null ? '' : `${formatUsd(part.actualUsd)}. `}
          {part.note}
        </p>
      </div>
    </li>
  );
}
