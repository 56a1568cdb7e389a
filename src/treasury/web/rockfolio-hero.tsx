import { useSiteConfig } from '../../web/site-config-context.tsx';
import { ExternalLink } from '../../web/ui/external-link.tsx';
import { ServerSnapshot } from '../../web/ui/server-snapshot.tsx';
import type { TreasurySnapshot } from '../contract.ts';
import { SnapshotLine } from './snapshot-line.tsx';
import { SummaryCard } from './summary-card.tsx';
import type { SummaryCard as SummaryCardModel } from './summary-figures.ts';
import { walletExplorerUrl } from './wallet-address.ts';

interface RockfolioHeroProps {
  readonly cards: readonly SummaryCardModel[];
  readonly snapshot: TreasurySnapshot | null;
  /** What the last failed refetch said; null when it worked. */
  readonly failure: string | null;
}

/** Specification 2, Treasury page, section 1: title and three summary cards. */
export function RockfolioHero({ cards, snapshot, failure }: RockfolioHeroProps) {
  const siteConfig = useSiteConfig();
  return (
    <header className="wrap pt-12 pb-10 sm:pt-20">
      <h1 className="title-1">RockFolio</h1>
      <p className="mt-4 max-w-2xl text-lg text-quiet">
        Everything in the treasury cave, counted in daylight. Each figure says where it comes from and how old it is,
        and you can check all of it{' '}
        <ExternalLink href={walletExplorerUrl(snapshot, siteConfig)}>on the block explorer</ExternalLink>.
      </p>
      <div className="mt-10 grid gap-4 md:grid-cols-3">
        {cards.map((card) => (
          <SummaryCard key={card.title} card={card} />
        ))}
      </div>
      <SnapshotLine snapshot={snapshot} failure={failure} />
      <ServerSnapshot of="treasury" />
    </header>
  );
}
