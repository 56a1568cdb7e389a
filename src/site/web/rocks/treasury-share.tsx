import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { StateBadge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { decimalText } from '../../../ui/decimal-text.ts';
import { PageLink } from '../../../ui/links.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { collection } from '../../content.ts';
import { partOf, shareTerms, usdText } from './rock-words.ts';
import { treasuryTotal } from './rocks-answer.ts';

interface TreasuryShareProps {
  /** Rocks; null: not known. */
  readonly count: number | null;
  readonly level: 2 | 3;
}

/** Rulings R8: what so many rocks are of the treasury, as arithmetic, with the words of the terms. */
export function TreasuryShare({ count, level }: TreasuryShareProps) {
  const { data, isLoading } = usePublicAnswer('/api/treasury/balance', treasuryTotal, { everyMs: 300_000 });
  const { totalUsdValue: total = null, state = null, asOf = null } = data ?? {};
  const { totalSupply } = collection;
  const figure = total === null ? '' : `${usdText(total)}, `;
  return (
    <Card as="section" aria-labelledby="share-title">
      <SectionHeading title={`${count ?? 'An unknown number'} of ${totalSupply}`} id="share-title" level={level} />
      <p className="rock-price">
        {isLoading ? (
          <Skeleton className="needs-script h-7 w-24" />
        ) : (
          usdText(count === null ? null : partOf(total, count))
        )}
        {count !== null && (
          <span className="figure-unit"> {decimalText((100 * count) / totalSupply, { max: 2 })}% of the treasury</span>
        )}
      </p>
      <p className="min-h-7">{state !== null && <StateBadge state={state} asOf={asOf} />}</p>
      <p className="mt-3 text-quiet">
        {total === null && !isLoading
          ? "The treasury's total is not known right now."
          : `The treasury's total, ${figure}divided equally among ${totalSupply} rocks.`}{' '}
        {shareTerms}
      </p>
      <p className="mt-3">
        <PageLink to="/rockfolio" className="link">
          Count the pile yourself
        </PageLink>
      </p>
    </Card>
  );
}
