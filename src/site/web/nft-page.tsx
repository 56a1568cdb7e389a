import family from 'virtual:artwork/family.svg';
import { useSiteConfig } from '../../ui/site-config-context.tsx';
import { ExternalLinkButton } from '../../ui/button.tsx';
import { StrataDivider } from '../../ui/section-heading.tsx';
import { collection } from '../content.ts';
import { CollectionFacts } from './collection-facts.tsx';
import { ColorDistribution } from './color-distribution.tsx';
import { CommunitySection } from './community-section.tsx';

/** Specification 2, Collection page. */
export function NftPage() {
  const { linkMint } = useSiteConfig();
  return (
    <>
      <section className="wrap nft-hero">
        <img
          src={family}
          width="667"
          height="400"
          fetchPriority="high"
          className="w-full"
          alt="Six faceted rocks, one of each color, sitting close together as for a family portrait."
        />
        <div>
          <h1 className="title-1 nft-title">Pick your rock.</h1>
          <p className="mt-6 text-lg text-quiet">
            Every piece is a one-of-a-kind rock on the SUI blockchain, hewn in one of six colors. It does not roll, it
            does not bark, and it opens the cave: upcoming tools for holders, and a share of treasury dividends paid
            regularly after the mint ends. Distributions are discretionary and not guaranteed.
          </p>
          <dl className="nft-terms">
            <div>
              <dt>Total Supply: </dt>
              <dd>{collection.totalSupplyText}</dd>
            </div>
            <div>
              <dt>Mint Price: </dt>
              <dd>{collection.mintPriceText}</dd>
            </div>
          </dl>
          <ExternalLinkButton look="torch" href={linkMint} className="mt-6">
            {collection.mintLinkText}
          </ExternalLinkButton>
          <div className="mt-10">
            <CollectionFacts />
          </div>
        </div>
      </section>
      <StrataDivider />
      <ColorDistribution />
      <StrataDivider />
      <CommunitySection />
    </>
  );
}
