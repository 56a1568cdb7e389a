import { Card } from '../../web/ui/card.tsx';
import { SectionHeading } from '../../web/ui/section-heading.tsx';
import { StateBadge } from '../../web/ui/state-badge.tsx';
import type { Provenance, TreasurySnapshot } from '../contract.ts';
import { formatCount, formatSui, formatUsd } from './number-format.ts';
import { threeTotals } from './three-totals.ts';

/** Rulings R3: three totals of three things, each with its own state and age. */
export function ThreeTotals({ snapshot }: { readonly snapshot: TreasurySnapshot }) {
  return (
    <Card as="section" aria-labelledby="three-totals" className="h-full">
      <SectionHeading id="three-totals" title="Three totals" level={3} />
      <dl className="mt-4 grid gap-6 md:grid-cols-3">
        {threeTotals(snapshot).map((total) => (
          <div key={total.name} className="min-w-0">
            <dt className="figure-label">{total.name}</dt>
            <dd className="mt-1 text-2xl font-semibold tabular-nums wrap-anywhere">{formatUsd(total.usd)}</dd>
            {total.sui === null ? null : (
              <dd className="text-quiet tabular-nums wrap-anywhere">{formatSui(total.sui)}</dd>
            )}
            <dd className="mt-2">
              <StateBadge state={total.figure.state} asOf={total.figure.asOf} />
            </dd>
            <dd className="mt-2 text-sm text-quiet">{total.meaning}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface ValuePerRockProps {
  readonly value: TreasurySnapshot['valuePerRock'];
  /** Of the total and of the minted count it is made of. */
  readonly figure: Provenance;
}

/** Rulings R3: total / minted. */
export function ValuePerRock({ value, figure }: ValuePerRockProps) {
  const usd = formatUsd(value?.usd ?? null);
  return (
    <Card as="section" aria-labelledby="value-per-rock">
      <SectionHeading id="value-per-rock" title="Value per rock" level={3} />
      <p className={`mt-4 font-semibold wrap-anywhere ${usd.length > 12 ? 'text-2xl' : 'text-4xl'}`}>{usd}</p>
      <p className="mt-2">
        <StateBadge state={figure.state} asOf={figure.asOf} />
      </p>
      <p className="mt-2 text-sm text-quiet">
        {value === null
          ? 'Not known right now: it needs the total and the number of minted rocks.'
          : `Total Value shared by ${formatCount(value.mintedCount)} minted rocks.`}{' '}
        Arithmetic for comparison. A rock is not a claim on the treasury; distributions are discretionary.
      </p>
    </Card>
  );
}
