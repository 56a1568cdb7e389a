import { wholeOrUnknown } from '../../../ui/decimal-text.ts';
import { PageLink } from '../../../ui/links.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { type Column, DataTable } from '../../../ui/tables.tsx';
import { rockColors } from '../../../shared/rock-colors.ts';
import { colorLink } from './rock-addresses.ts';
import { RockPortrait } from './rock-portrait.tsx';
import { suiTextOr } from './rock-words.ts';
import type { ShownColor } from './rocks-answer.ts';

/** One of the six; `market` undefined: on its way, null: not known. */
interface ColorRow {
  readonly name: string;
  readonly supply: number;
  readonly market: ShownColor | null | undefined;
}

const figure = (read: (market: ShownColor) => string) =>
  function Figure({ market }: ColorRow) {
    if (market === undefined) return <Skeleton className="ml-auto h-4 w-10" />;
    return market === null ? <span className="text-quiet">–</span> : read(market);
  };

const columns: readonly Column<ColorRow>[] = [
  {
    name: 'Color',
    cell: ({ name }) => (
      <span className="rock-name">
        <RockPortrait color={name} />
        <PageLink to={colorLink(name)} className="link">
          {name}
        </PageLink>
      </span>
    ),
  },
  { name: 'Supply', numeric: true, cell: ({ supply }) => supply },
  { name: 'Minted', numeric: true, cell: figure(({ minted }) => wholeOrUnknown(minted)) },
  { name: 'For sale', numeric: true, cell: figure(({ listed }) => wholeOrUnknown(listed)) },
  {
    name: 'Floor',
    numeric: true,
    cell: figure(({ floorMist, listed }) => suiTextOr(floorMist, listed === 0 ? 'None for sale' : 'Not known')),
  },
  { name: 'Holders', numeric: true, cell: figure(({ holders }) => wholeOrUnknown(holders)) },
  { name: 'Sales, 7 days', numeric: true, cell: figure(({ sales7d }) => wholeOrUnknown(sales7d)) },
  { name: 'Volume, 7 days', numeric: true, cell: figure(({ volume7dMist }) => suiTextOr(volume7dMist, 'Not known')) },
];

/** The six colors as a market; each leads to its rocks. Its room is the same before the figures have come. */
export function ColorMarket({ colors }: { readonly colors: readonly ShownColor[] | null | undefined }) {
  const rows = rockColors.map(({ name, count }) => ({
    name,
    supply: count,
    market: colors === undefined ? undefined : (colors?.find(({ color }) => color === name) ?? null),
  }));
  return (
    <div className="color-market">
      <DataTable caption="The six colors as a market" columns={columns} rows={rows} keyOf={({ name }) => name} />
    </div>
  );
}
