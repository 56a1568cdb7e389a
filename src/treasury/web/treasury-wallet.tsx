import { useSiteConfig } from '../../ui/site-config-context.tsx';
import { Card } from '../../ui/card.tsx';
import { ExternalLinkButton } from '../../ui/button.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { CopyAddress } from './copy-address.tsx';
import type { ShownTreasury } from './treasury-answer.ts';
import { walletAddress, walletExplorerUrl } from './wallet-address.ts';

/** Specification 2, Full Transparency: the public treasury wallet address and a link to a SUI block explorer. */
export function TreasuryWallet({ snapshot }: { readonly snapshot: ShownTreasury | null }) {
  const siteConfig = useSiteConfig();
  const address = walletAddress(snapshot, siteConfig);
  return (
    <Card as="section" aria-labelledby="treasury-wallet">
      <SectionHeading id="treasury-wallet" title="Treasury Wallet" level={3} />
      <p className="mt-3 max-w-2xl text-pretty text-quiet">
        One public wallet on SUI. Anybody can read what is in it, nobody has to take our word for it.
      </p>
      <p className="mt-4 min-h-12 font-semibold tabular-nums break-all">{address}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyAddress address={address} />
        <ExternalLinkButton href={walletExplorerUrl(snapshot, siteConfig)}>View on block explorer</ExternalLinkButton>
      </div>
    </Card>
  );
}
