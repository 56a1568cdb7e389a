import { foreignText } from '../../shared/foreign-text.ts';
import { monthName, monthOf } from '../../shared/utc-month.ts';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { allocationPlan } from '../core/allocation.ts';
import { allocationCategories, AllocationSwatch, ShareBar } from './allocation-categories.tsx';
import { FigureNote, StateMark } from './figure-note.tsx';
import { shownTokenTotal } from './holdings-rows.ts';
import { formatCount, formatPercent, formatSui, formatUsd } from './number-format.ts';
import type { ShownDrift, ShownFigure, ShownTreasury } from './treasury-answer.ts';

/** Rulings R3: three totals of three things, each with its own state and age. */
export function ThreeTotals({ snapshot }: { readonly snapshot: ShownTreasury }) {
  const totals = threeTotals(snapshot);
  if (totals.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="three-totals" className="h-full">
      <SectionHeading id="three-totals" title="Three totals" level={3} />
      <dl className="mt-4 grid gap-6 md:grid-cols-3">
        {totals.map(({ name, usd, sui, figure, meaning }) => (
          <div key={name} className="min-w-0">
            <dt className="figure-label">{name}</dt>
            <dd className="mt-1 text-2xl font-semibold tabular-nums wrap-anywhere">{formatUsd(usd)}</dd>
            {sui !== null && <dd className="text-quiet tabular-nums wrap-anywhere">{formatSui(sui)}</dd>}
            <dd className="mt-2">
              <StateMark state={figure?.state ?? null} asOf={figure?.asOf ?? null} />
            </dd>
            <dd className="mt-2 text-sm text-quiet">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface ValuePerRockProps {
  readonly value: ShownTreasury['valuePerRock'];
  /** Of the total and the minted count behind it. */
  readonly figure: ShownFigure;
}

/** Rulings R3: total / minted. */
export function ValuePerRock({ value, figure }: ValuePerRockProps) {
  if (value === null && figure === null) return null;
  const usd = formatUsd(value?.usd ?? null);
  return (
    <Card as="section" aria-labelledby="value-per-rock">
      <SectionHeading id="value-per-rock" title="Value per rock" level={3} />
      <p className={`mt-4 font-semibold wrap-anywhere ${usd.length > 12 ? 'text-2xl' : 'text-4xl'}`}>{usd}</p>
      <p className="mt-2">
        <StateMark state={figure?.state ?? null} asOf={figure?.asOf ?? null} />
      </p>
      <p className="mt-2 text-sm text-quiet">
        {value === null || value.usd === null || value.mintedCount === null
          ? 'Not known right now: it needs the total and the number of minted rocks.'
          : `Total Value shared by ${formatCount(value.mintedCount)} minted rocks.`}{' '}
        Arithmetic for comparison. A rock is not a claim on the treasury; distributions are discretionary.
      </p>
    </Card>
  );
}

/** One of the three totals; null: unknown now. */
interface TreasuryTotal {
  readonly name: string;
  readonly usd: number | null;
  readonly sui: number | null;
  readonly meaning: string;
  /** Provenance of the amounts shown: of the SUI amount alone while the USD value is unknown. */
  readonly figure: ShownFigure;
}

/**
 * Rulings R3: tokens, NFTs at best bid and NFTs at floor, separately: a floor is what sellers ask, a bid is what buyers pay. A total that
 * the answer lacks altogether is left out.
 */
export const threeTotals = (snapshot: ShownTreasury): readonly TreasuryTotal[] => {
  const { figures, nftTotalValueUsd, nftTotalAtBestBidSui: bidSui, suiPriceUsd } = snapshot;
  const bidUsd = bidSui === null || suiPriceUsd === null ? null : bidSui * suiPriceUsd;
  const totals: TreasuryTotal[] = [
    {
      name: 'Tokens',
      usd: shownTokenTotal(snapshot),
      sui: null,
      meaning: 'Every priced token, small balances included.',
      figure: figures?.tokenTotalUsd ?? null,
    },
    {
      name: 'NFTs at best bid',
      usd: bidUsd,
      sui: bidSui,
      meaning: "Valued at each collection's highest open bid.",
      // In USD a bid depends on the same things as a floor: the chain, the marketplace's answer and the price of SUI.
      figure: (bidUsd === null ? figures?.nftTotalAtBestBidSui : figures?.nftTotalValueUsd) ?? null,
    },
    {
      name: 'NFTs at floor',
      usd: nftTotalValueUsd,
      sui: snapshot.nftTotalValueSui,
      meaning: "Valued at each collection's floor price. Counted in Total Value.",
      figure: (nftTotalValueUsd === null ? figures?.nftTotalValueSui : figures?.nftTotalValueUsd) ?? null,
    },
  ];
  return totals.filter(({ usd, sui, figure }) => usd !== null || sui !== null || figure !== null);
};

interface TargetAllocationProps {
  readonly allocation: readonly ShownDrift[];
  readonly figure: ShownFigure;
}

/** Rulings R3: actual against target allocation; what cannot be seen on chain is named, not guessed. */
export function TargetAllocation({ allocation, figure }: TargetAllocationProps) {
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

/** Rulings R3: a share that cannot be seen on chain says so, and differs from one that is only unknown right now. */
function actualText({ name, actualPercent }: ShownDrift): string {
  if (actualPercent !== null) return `Actual ${formatPercent(actualPercent)}`;
  const isVisible = allocationPlan.find((slice) => slice.name === name)?.onChain !== 'not-visible';
  return isVisible ? 'Actual not known' : 'Not visible on chain';
}

/** '1 November 2026' (UTC). */
const dayOf = (at: Date): string => `${at.getUTCDate()} ${monthName(monthOf(at))}`;

function DriftItem({ part }: { readonly part: ShownDrift }) {
  const { name, targetPercent, actualPercent, actualUsd, declared, note } = part;
  // A share that the plan does not name, above all 'Not yet deployed', is bare stone.
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
          {actualUsd === null ? note : `${formatUsd(actualUsd)}. ${note ?? ''}`}
        </p>
        {declared !== null && declared.usd !== null && (
          <p className="mt-1 text-sm">
            Declared by the team: <strong className="tabular-nums">{formatUsd(declared.usd)}</strong>
            {declared.at !== null && ` on ${dayOf(new Date(declared.at))}`}
            {declared.by !== null && (
              <>
                , by <bdi>{foreignText(declared.by, 40)}</bdi>
              </>
            )}
          </p>
        )}
      </div>
    </li>
  );
}
