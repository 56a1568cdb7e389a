import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { rockColors } from '../../../shared/rock-colors.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { markStale, usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { StateBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { counted, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { EmptyState, MissingItemNote, NothingFound, Skeleton } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { SectionBoundary } from '../../../ui/section-boundary.tsx';
import { SectionHeading, StrataDivider } from '../../../ui/section-heading.tsx';
import { ServerSnapshot, useIsHydrated } from '../../../ui/server-written.tsx';
import { AfterTheLastPage, type Column, DataTable, Pager } from '../../../ui/tables.tsx';
import { CheckField, Form, SelectField } from '../../../ui/text-field.tsx';
import { collection } from '../../content.ts';
import { HolderField } from './holder-field.tsx';
import { LoadingGallery, RockGallery } from './rock-card.tsx';
import { noFilters, readFilters, type RockFilters, type RockSort, searchOf } from './rock-filters.ts';
import { ColorName, galleryId } from './rock-portrait.tsx';
import { suiTextOr } from './rock-words.ts';
import { rocksPage, type ShownColor, type ShownRocks } from './rocks-answer.ts';

const shownAtOnce = 12;

/** Rulings R8: every minted rock, the six colors as a market, and a field that leads to what an address holds. */
export function RocksPage() {
  const search = useSearch();
  // The prerendered page has no filters: they apply after hydration.
  const isHydrated = useIsHydrated();
  const { filters, problems } = readFilters(isHydrated ? search : '');
  const query = usePublicAnswer(`/api/rocks${searchOf(filters)}`, rocksPage);
  const { data } = query;
  // From the last call that worked: the market is the same for every filter.
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const market = data ?? (last && markStale(last));
  return (
    <>
      <section className="wrap py-12 sm:py-16">
        <h1 className="title-1 nft-title">Every rock there is.</h1>
        <p className="mt-4 max-w-2xl text-lg text-quiet">
          {collection.totalSupplyText} in six colors: who keeps which, and which of them you can take home.
        </p>
        <HolderField />
      </section>
      <StrataDivider />
      <section className="wrap needs-script py-12" aria-labelledby="market-title">
        <SectionHeading title="Six colors, six markets" id="market-title" />
        <div className="my-3 min-h-8">{market?.state && <StateBadge state={market.state} asOf={market.asOf} />}</div>
        <SectionBoundary name="The market of the colors">
          <ColorMarket colors={market === undefined && query.error !== null ? null : market?.colors} />
        </SectionBoundary>
      </section>
      <StrataDivider />
      <section className="wrap py-12" aria-labelledby={galleryId}>
        <SectionHeading title="The rocks" id={galleryId} />
        <FilterBar filters={filters} />
        {problems.map((problem) => (
          <MissingItemNote key={problem}>{problem}</MissingItemNote>
        ))}
        <div className="needs-script">
          <Answered query={query} failure="Failed to load the rocks" loading={<LoadingGallery count={shownAtOnce} />}>
            {(shown) => <Gallery data={shown} filters={filters} isLate={query.isPlaceholderData} />}
          </Answered>
        </div>
        <ServerSnapshot of="query-problem" />
        <ServerSnapshot of="rocks" />
      </section>
    </>
  );
}

/** One of the six; `market` undefined: loading, null: not known. */
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
  { name: 'Color', cell: ({ name }) => <ColorName name={name} /> },
  { name: 'Supply', numeric: true, cell: ({ supply }) => supply },
  { name: 'Minted', numeric: true, cell: figure(({ minted }) => wholeNumberOrUnknown(minted)) },
  { name: 'For sale', numeric: true, cell: figure(({ listed }) => wholeNumberOrUnknown(listed)) },
  {
    name: 'Floor',
    numeric: true,
    cell: figure(({ floorMist, listed }) => suiTextOr(floorMist, listed === 0 ? 'None for sale' : 'Not known')),
  },
  { name: 'Holders', numeric: true, cell: figure(({ holders }) => wholeNumberOrUnknown(holders)) },
  { name: 'Sales, 7 days', numeric: true, cell: figure(({ sales7d }) => wholeNumberOrUnknown(sales7d)) },
  { name: 'Volume, 7 days', numeric: true, cell: figure(({ volume7dMist }) => suiTextOr(volume7dMist, 'Not known')) },
];

/** The six colors as a market, each linked to its rocks. It takes the same room before the figures have loaded. */
function ColorMarket({ colors }: { readonly colors: readonly ShownColor[] | null | undefined }) {
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

const sortNames: Readonly<Record<RockSort, string>> = {
  number: 'By number',
  price: 'Cheapest first',
  recent: 'Last sold first',
};

const colorChoices = { '': 'All colors', ...Object.fromEntries(rockColors.map(({ name }) => [name, name])) };

/** Filters and order, kept in the address. Another choice begins at the first page. */
function FilterBar({ filters }: { readonly filters: RockFilters }) {
  const isHydrated = useIsHydrated();
  const [path, navigate] = useLocation();
  const choose = (change: Partial<RockFilters>): void =>
    navigate(`${path}${searchOf({ ...filters, page: 1, ...change })}`);
  return (
    <Form className="rock-filters needs-script" aria-label="Which rocks" onSend={() => {}}>
      <SelectField
        label="Color"
        disabled={!isHydrated}
        value={filters.color ?? ''}
        options={colorChoices}
        onText={(color) => choose({ color: color || null })}
      />
      <SelectField
        label="Order"
        disabled={!isHydrated}
        value={filters.sort}
        options={sortNames}
        onText={(sort) => choose({ sort: sort as RockSort })}
      />
      <CheckField
        label="For sale"
        disabled={!isHydrated}
        checked={filters.isListed}
        onCheck={(isListed) => choose({ isListed })}
      />
      {filters.owner !== null && (
        <Button size="small" onClick={() => choose({ owner: null })}>
          Owner {shortAddress(filters.owner)}: show all
        </Button>
      )}
      {searchOf({ ...filters, page: 1, sort: 'number' }) !== '' && (
        <Button look="ghost" size="small" onClick={() => choose({ ...noFilters, sort: filters.sort })}>
          Clear filters
        </Button>
      )}
    </Form>
  );
}

interface GalleryProps {
  readonly data: ShownRocks;
  readonly filters: RockFilters;
  /** `data` still belongs to the previous filters. */
  readonly isLate: boolean;
}

function Gallery({ data, filters, isLate }: GalleryProps) {
  const [path, navigate] = useLocation();
  const { rocks, total, pageSize, state } = data;
  if (state === 'unavailable') {
    return <EmptyState>The rocks have not been read yet. They appear here by themselves.</EmptyState>;
  }
  const pageAt = (page: number): string => `/rocks${searchOf({ ...filters, page })}`;
  if (rocks.length === 0 && total !== null && total > 0) {
    return <AfterTheLastPage total={total} pageSize={pageSize} go={(page) => navigate(pageAt(page))} />;
  }
  if (rocks.length === 0 && searchOf(filters) === '') {
    return <EmptyState>No rock has been minted yet. The mountain is still whole.</EmptyState>;
  }
  return (
    <div aria-busy={isLate}>
      <output className="mt-4 mb-4 block text-quiet">
        {total === null ? 'The number of rocks is not known.' : counted(total, 'rock')}
      </output>
      {rocks.length === 0 ? (
        <NothingFound onClear={() => navigate(`${path}${searchOf(noFilters)}`)} clearText="Show all rocks">
          No rocks match these filters. Try another color, or fewer filters.
        </NothingFound>
      ) : (
        <RockGallery label="Rocks" rocks={rocks} />
      )}
      <Pager label="Pages of rocks" {...data} page={filters.page} startId={galleryId} linkTo={pageAt} />
    </div>
  );
}
