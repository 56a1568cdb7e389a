import { memo } from 'react';
import { useSiteConfig } from '../../ui/site-config-context.tsx';
import { ExternalLinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { NftHoldings } from './nft-holdings.tsx';
import { shownTokenTotal } from './shown-sums.ts';
import { TokenHoldings } from './token-holdings.tsx';
import type { ShownTreasury } from './treasury-answer.ts';
import { TreasuryWallet } from './treasury-wallet.tsx';

/** Specification 2, Treasury page, section 4. The two lists appear only with their data; the wallet and the call always. */
export const FullTransparency = memo(function FullTransparency({
  snapshot,
}: {
  readonly snapshot: ShownTreasury | null;
}) {
  return (
    <section aria-labelledby="full-transparency" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="full-transparency" title="Full Transparency">
        Every stone in the pile, with its price, its source and a link to check it on chain.
      </SectionHeading>
      <div className="mt-8 space-y-10">
        {snapshot?.tokenBreakdown ? (
          <TokenHoldings tokens={snapshot.tokenBreakdown} totalUsd={shownTokenTotal(snapshot)} />
        ) : null}
        <TreasuryWallet snapshot={snapshot} />
        {snapshot?.nftBreakdown && snapshot.nftBreakdown.length > 0 ? (
          <NftHoldings snapshot={snapshot} holdings={snapshot.nftBreakdown} />
        ) : null}
        <JoinTelegram />
      </div>
    </section>
  );
});

function JoinTelegram() {
  const { linkTelegram } = useSiteConfig();
  return (
    <Card tone="raised" className="flex flex-wrap items-center justify-between gap-6">
      <div className="max-w-xl">
        <h3 className="title-3">Questions? Ask around the fire.</h3>
        <p className="mt-2 text-quiet">The team answers for the treasury in the community, in the open.</p>
      </div>
      <ExternalLinkButton href={linkTelegram} look="torch">
        Join Telegram
      </ExternalLinkButton>
    </Card>
  );
}
