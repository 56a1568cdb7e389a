import { partOfTotal } from '../../../market/core/rocks.ts';
import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { StateBadge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { counted, decimalText } from '../../../ui/decimal-text.ts';
import { PageLink } from '../../../ui/links.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { shareTerms, usdText } from './rock-words.ts';
import { treasuryTotal } from './rocks-answer.ts';

interface TreasuryShareProps {
  /** Rocks; null: not known. */
  readonly count: number | null;
  readonly level: 2 | 3;
}

const unknown = 'Not known right now: it needs the total of the treasury and the number of minted rocks.';
const allRocks = (minted: number | null): string =>
  minted === null ? 'the minted rocks' : counted(minted, 'minted rock');
const titleOf = (count: number | null, minted: number | null): string =>
  `${count ?? 'An unknown number'} of ${allRocks(minted)}`;
const arithmetic = (total: number | null, minted: number | null): string =>
  `The treasury's total, ${total === null ? '' : `${usdText(total)}, `}divided equally among ${allRocks(minted)}.`;

/** Rulings R8: the share of the treasury for this many rocks, as arithmetic, with the words of the terms. */
export function TreasuryShare({ count, level }: TreasuryShareProps) {
  const { data, isLoading } = usePublicAnswer('/api/treasury/balance', treasuryTotal, { everyMs: 300_000 });
  const total = data?.totalUsdValue ?? null;
  const minted = data?.valuePerRock?.mintedCount ?? null;
  const figure = data?.figures?.valuePerRock ?? null;
  const { usd, percent } = partOfTotal(total, count, minted);
  return (
    <Card as="section" aria-labelledby="share-title">
      <SectionHeading title={titleOf(count, minted)} id="share-title" level={level} />
      <p className="rock-price">
        {isLoading ? <Skeleton className="needs-script h-7 w-24" /> : usdText(usd)}
        {percent !== null && <span className="figure-unit"> {decimalText(percent, { max: 2 })}% of the treasury</span>}
      </p>
      <p className="min-h-7">{figure?.state && <StateBadge state={figure.state} asOf={figure.asOf} />}</p>
      <p className="mt-3 text-quiet">{usd === null && !isLoading ? unknown : arithmetic(total, minted)}</p>
      <p className="mt-3 text-quiet">{shareTerms}</p>
      <p className="mt-3">
        <PageLink to="/rockfolio" className="link">
          Count the pile yourself
        </PageLink>
      </p>
    </Card>
  );
}
