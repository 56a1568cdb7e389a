import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import coolCobalt from 'virtual:artwork/rock-cool-cobalt.svg';
import frostedMist from 'virtual:artwork/rock-frosted-mist.svg';
import oceanStone from 'virtual:artwork/rock-ocean-stone.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { collection, rockColors } from '../content.ts';

type RockColor = (typeof rockColors)[number];

const portraits: Readonly<Record<RockColor['stone'], string>> = {
  'powder-blue': powderBlue,
  'azure-pulse': azurePulse,
  'cool-cobalt': coolCobalt,
  'ocean-stone': oceanStone,
  'charcoal-slate': charcoalSlate,
  'frosted-mist': frostedMist,
};

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
  {
    name: 'Color',
    cell: ({ name, stone }) => (
      <span className="rock-name">
        <img src={portraits[stone]} alt="" width="170" height="140" loading="lazy" />
        {name}
      </span>
    ),
  },
  { name: 'Share', numeric: true, cell: ({ percent }) => percent },
  { name: 'Rocks', numeric: true, cell: ({ count }) => count },
  { name: 'Compared', cell: ({ count, stone }) => <ShareBar stone={stone} share={count / largest} /> },
];

/** Specification 3: the rock color distribution. */
export function ColorDistribution() {
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
