import family from 'virtual:artwork/family.svg';
import { ExternalLinkButton } from '../../ui/button.tsx';
import { SectionHeading, StrataDivider } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { rockColors } from '../../shared/rock-colors.ts';
import { collection } from '../content.ts';
import { CollectionFacts } from './collection-facts.tsx';
import { CommunitySection } from './community-section.tsx';
import { ColorName } from './rocks/rock-portrait.tsx';

/** Specification 2, Collection page. */
export function NftPage() {
  const { linkMint } = useSiteConfig();
  return (
    <>
      <section className="wrap grid items-center gap-x-16 gap-y-10 py-12 lg:grid-cols-[1.1fr_1fr] lg:pt-20 lg:pb-16">
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
          <dl className="mt-8 flex flex-wrap gap-x-12 gap-y-3">
            <Term name="Total Supply: ">{collection.totalSupplyText}</Term>
            <Term name="Mint Price: ">{collection.mintPriceText}</Term>
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

const Term = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div>
    <dt className="font-semibold text-quiet">{name}</dt>
    <dd className="text-[1.75rem] leading-[1.2] font-bold">{children}</dd>
  </div>
);

type RockColor = (typeof rockColors)[number];

const fills: Readonly<Record<RockColor['stone'], string>> = {
  'powder-blue': 'fill-powder-blue',
  'azure-pulse': 'fill-azure-pulse',
  'cool-cobalt': 'fill-cool-cobalt',
  'ocean-stone': 'fill-ocean-stone',
  'charcoal-slate': 'fill-charcoal-slate',
  'frosted-mist': 'fill-frosted-mist',
};

const largest = Math.max(...rockColors.map(({ count }) => count));

const columns: readonly Column<RockColor>[] = [
  { name: 'Color', cell: ({ name }) => <ColorName name={name} /> },
  { name: 'Share', numeric: true, cell: ({ percent }) => percent },
  { name: 'Rocks', numeric: true, cell: ({ count }) => count },
  { name: 'Compared', cell: ({ count, stone }) => <ShareBar stone={stone} share={count / largest} /> },
];

/** Specification 3: the rock color distribution. */
function ColorDistribution() {
  return (
    <section className="wrap py-16 sm:py-24" aria-labelledby="colors-title">
      <SectionHeading title="Six colors" id="colors-title">
        {collection.totalSupply} rocks, shared out like this. Frosted Mist is the one you hide from your neighbors.
      </SectionHeading>
      <div className="mt-8">
        <DataTable
          caption="Color distribution"
          columns={columns}
          rows={rockColors}
          keyOf={({ name }) => name}
          total={['All colors', '100%', collection.totalSupply]}
        />
      </div>
    </section>
  );
}

function ShareBar({ stone, share }: { readonly stone: RockColor['stone']; readonly share: number }) {
  const end = Math.round(share * 200);
  return (
    <svg viewBox="0 0 204 20" className={`share-bar ${fills[stone]}`} aria-hidden="true">
      <path d={`M1 4 9 1 ${end - 7} 2 ${end} 7 ${end - 2} 17 ${end - 11} 19 6 18 0 13Z`} />
    </svg>
  );
}
