import { Age } from '../../web/ui/age.tsx';
import { Card } from '../../web/ui/card.tsx';
import { SectionHeading } from '../../web/ui/section-heading.tsx';
import { StateBadge } from '../../web/ui/state-badge.tsx';
import type { TreasurySnapshot } from '../contract.ts';
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

/** Rulings R3: total / minted. */
export function ValuePerRock({ value }: { readonly value: TreasurySnapshot['valuePerRock'] }) {
  const usd = formatUsd(value?.usd ?? null);
  return (
    <Card as="section" aria-labelledby="value-per-rock">
      <SectionHeading id="value-per-rock" title="Value per rock" level={3} />
      <p className={`mt-4 font-semibold wrap-anywhere ${usd.length > 12 ? 'text-2xl' : 'text-4xl'}`}>{usd}</p>
      {value === null ? (
        <p className="mt-2 text-sm text-quiet">
          Not known right now: it needs the total and the number of minted rocks.
        </p>
      ) : (
        <p className="mt-2 text-sm text-quiet">
          Total Value shared by {formatCount(value.mintedCount)} minted rocks, <Age asOf={value.asOf} />.
        </p>
      )}
      <p className="mt-2 text-sm text-quiet">
        Arithmetic for comparison. A rock is not a claim on the treasury; distributions are discretionary.
      </p>
    </Card>
  );
}
