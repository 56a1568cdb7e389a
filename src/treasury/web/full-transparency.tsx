import { memo } from 'react';
import { Button, ExternalLinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionBoundary } from '../../ui/section-boundary.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { useCopy } from '../../ui/toast/toast-provider.tsx';
import { shownTokenTotal } from './holdings-rows.ts';
import { NftHoldings, TokenHoldings } from './holdings.tsx';
import { Movements } from './movements.tsx';
import { Sweeps } from './sweeps.tsx';
import { walletExplorerUrl } from './treasury-query.ts';
import type { ShownTreasury } from './treasury-answer.ts';

interface SnapshotProps {
  readonly snapshot: ShownTreasury | null;
}

/** Specification 2, Treasury page, section 4. The two lists appear only with their data; the wallet and the call to action always do. */
export const FullTransparency = memo(function FullTransparency({ snapshot }: SnapshotProps) {
  const { linkTelegram } = useSiteConfig();
  return (
    <section aria-labelledby="full-transparency" className="wrap py-12 sm:py-16">
      <SectionHeading id="full-transparency" title="Full Transparency">
        Every stone in the pile, with its price, its source and a link to check it on chain.
      </SectionHeading>
      <div className="mt-8 space-y-10">
        {snapshot?.tokenBreakdown && (
          <TokenHoldings tokens={snapshot.tokenBreakdown} totalUsd={shownTokenTotal(snapshot)} />
        )}
        <TreasuryWallet />
        {snapshot?.nftBreakdown && snapshot.nftBreakdown.length > 0 && (
          <NftHoldings snapshot={snapshot} holdings={snapshot.nftBreakdown} />
        )}
        <SectionBoundary name="The movements">
          <Movements />
        </SectionBoundary>
        <SectionBoundary name="The sweeps">
          <Sweeps />
        </SectionBoundary>
        <Card tone="raised" className="flex flex-wrap items-center justify-between gap-6">
          <div className="max-w-xl">
            <h3 className="title-3">Questions? Ask around the fire.</h3>
            <p className="mt-2 text-quiet">The team answers for the treasury in the community, in the open.</p>
          </div>
          <ExternalLinkButton href={linkTelegram} look="torch">
            Join Telegram
          </ExternalLinkButton>
        </Card>
      </div>
    </section>
  );
});

/** Specification 2, Full Transparency: the public treasury wallet address and a link to a SUI block explorer. */
function TreasuryWallet() {
  const siteConfig = useSiteConfig();
  const { treasuryAddress } = siteConfig;
  const refused = 'Select the address and copy it by hand';
  const copy = useCopy(treasuryAddress, 'Treasury address copied to clipboard', refused);
  return (
    <Card as="section" aria-labelledby="treasury-wallet">
      <SectionHeading id="treasury-wallet" title="Treasury Wallet" level={3} />
      <p className="mt-3 max-w-2xl text-pretty text-quiet">
        One public wallet on SUI. Anyone can read what is in it; nobody has to take our word for it.
      </p>
      <p className="mt-4 min-h-12 font-semibold tabular-nums break-all">{treasuryAddress}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button className="noscript:hidden" onClick={() => void copy()}>
          Copy address
        </Button>
        <ExternalLinkButton href={walletExplorerUrl(siteConfig)}>View on block explorer</ExternalLinkButton>
      </div>
    </Card>
  );
}
