import { Card } from '../../web/ui/card.tsx';
import { SectionHeading } from '../../web/ui/section-heading.tsx';
import { StateBadge } from '../../web/ui/state-badge.tsx';
import type { FigureState, TreasurySnapshot } from '../contract.ts';
import { formatCount, formatSui, formatUsd } from './number-format.ts';
import { threeTotals } from './three-totals.ts';

/** Rulings R3: the treasury counted three ways. */
export function ThreeTotals({ snapshot }: { readonly snapshot: TreasurySnapshot }) {
  const { nftHoldings } = snapshot.figures;
  return (
    <Card as="section" aria-labelledby="three-totals" className="h-full">
      <SectionHeading id="three-totals" title="Counted three ways" level={3} />
      <dl className="mt-4 grid gap-6 md:grid-cols-3">
        {threeTotals(snapshot).map((total) => (
          <div key={total.name} className="min-w-0">
            <dt className="figure-label">{total.name}</dt>
            <dd className="mt-1 text-2xl font-semibold tabular-nums wrap-anywhere">{formatUsd(total.usd)}</dd>
            {total.sui === null ? null : (
              <dd className="text-quiet tabular-nums wrap-anywhere">{formatSui(total.sui)}</dd>
            )}
            <dd className="mt-2 text-sm text-quiet">{total.meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4">
        <StateBadge state={nftHoldings.state} asOf={nftHoldings.asOf} />
      </p>
    </Card>
  );
}

interface ValuePerRockProps {
  readonly value: TreasurySnapshot['valuePerRock'];
  /** The state of the total it is made of. */
  readonly state: FigureState;
}

/** Rulings R3: total / minted. */
export function ValuePerRock({ value, state }: ValuePerRockProps) {
  const usd = formatUsd(value?.usd ?? null);
  return (
    <Card as="section" aria-labelledby="value-per-rock">
      <SectionHeading id="value-per-rock" title="Value per rock" level={3} />
      <p className={`mt-4 font-semibold wrap-anywhere ${usd.length > 12 ? 'text-2xl' : 'text-4xl'}`}>{usd}</p>
      <p className="mt-2">
        {value === null ? <StateBadge state="unavailable" /> : <StateBadge state={state} asOf={value.asOf} />}
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
