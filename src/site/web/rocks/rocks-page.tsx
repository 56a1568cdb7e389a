import { useLocation, useSearch } from 'wouter';
import { StateBadge } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { counted, whole } from '../../../ui/decimal-text.ts';
import { EmptyState, GoneNote, NothingFound } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { SectionBoundary } from '../../../ui/section-boundary.tsx';
import { SectionHeading, StrataDivider } from '../../../ui/section-heading.tsx';
import { ServerSnapshot, useInBrowser } from '../../../ui/server-written.tsx';
import { collection } from '../../content.ts';
import { ColorMarket } from './color-market.tsx';
import { FilterBar } from './filter-bar.tsx';
import { HolderField } from './holder-field.tsx';
import { LoadingGallery, RockGallery } from './rock-card.tsx';
import { noFilters, readFilters, type RockFilters, searchOf } from './rock-filters.ts';
import { rocksPage, type ShownRocks } from './rocks-answer.ts';
import { useRocksAnswer } from './use-rocks-answer.ts';

const galleryId = 'gallery';
const shownAtOnce = 12;

/** Rulings R8: every minted rock, the six colors as a market, and a way to what an address holds. */
export function RocksPage() {
  const search = useSearch();
  // The server's page knows no filters: they come when the browser has taken over.
  const isAlive = useInBrowser(() => true, false);
  const { filters, problems } = readFilters(isAlive ? search : '');
  const query = useRocksAnswer(`/api/rocks${searchOf(filters)}`, rocksPage);
  const { data } = query;
  return (
    <>
      <section className="wrap py-12 sm:py-16">
        <h1 className="title-1 nft-title">Every rock there is.</h1>
        <p className="mt-4 max-w-2xl text-lg text-quiet">
          {collection.totalSupplyText} in six colors: who keeps which, what it last sold for, and which of them you can
          take home.
        </p>
        <HolderField />
      </section>
      <StrataDivider />
      <section className="wrap py-12" aria-labelledby="market-title">
        <SectionHeading title="Six colors, six markets" id="market-title" />
        <div className="rocks-age">{data?.state && <StateBadge state={data.state} asOf={data.asOf} />}</div>
        <SectionBoundary name="The market of the colors">
          <ColorMarket colors={data === undefined && query.error !== null ? null : data?.colors} />
        </SectionBoundary>
      </section>
      <StrataDivider />
      <section className="wrap py-12" aria-labelledby={galleryId}>
        <SectionHeading title="The rocks" id={galleryId} />
        <FilterBar filters={filters} />
        {problems.map((problem) => (
          <GoneNote key={problem}>{problem}</GoneNote>
        ))}
        <div className="needs-script">
          <QueryTrouble text="Failed to load the rocks" query={query} />
          {data === undefined && query.error === null && <LoadingGallery count={shownAtOnce} />}
          {data !== undefined && <Gallery data={data} filters={filters} isLate={query.isPlaceholderData} />}
        </div>
        <ServerSnapshot of="rocks" />
      </section>
    </>
  );
}

interface GalleryProps {
  readonly data: ShownRocks;
  readonly filters: RockFilters;
  /** Of the filters before, until the answer has come. */
  readonly isLate: boolean;
}

function Gallery({ data, filters, isLate }: GalleryProps) {
  const [path, navigate] = useLocation();
  const { rocks, total, state } = data;
  if (state === 'unavailable') {
    return <EmptyState>The rocks have not been read yet. They appear here by themselves.</EmptyState>;
  }
  if (rocks.length === 0) {
    const isNarrowed = searchOf(filters) !== '';
    if (!isNarrowed) return <EmptyState>No rock has been minted yet. The mountain is still whole.</EmptyState>;
    return (
      <NothingFound onClear={() => navigate(`${path}${searchOf(noFilters)}`)} clearText="Show all rocks">
        No rock fits this. Try another color, or fewer filters.
      </NothingFound>
    );
  }
  return (
    <div aria-busy={isLate}>
      <output className="mt-4 mb-4 block text-quiet">
        {total === null ? 'The number of rocks is not known.' : counted(total, 'rock')}
      </output>
      <RockGallery label="Rocks" rocks={rocks} />
      <PageSteps data={data} filters={filters} />
    </div>
  );
}

function PageSteps({ data, filters }: { readonly data: ShownRocks; readonly filters: RockFilters }) {
  const { total, pageSize } = data;
  if (total === null || pageSize === null || pageSize < 1) return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const { page } = filters;
  if (last === 1) return null;
  const toPage = (next: number): string => `/rocks${searchOf({ ...filters, page: next })}`;
  const toTop = (): void => document.querySelector(`#${galleryId}`)?.scrollIntoView({ behavior: 'instant' });
  return (
    <nav aria-label="Pages of rocks" className="page-steps" onClickCapture={toTop}>
      {page > 1 ? <LinkButton to={toPage(page - 1)}>Previous</LinkButton> : <span />}
      <p>
        Page {whole(page)} of {whole(last)}
      </p>
      {page < last ? <LinkButton to={toPage(page + 1)}>Next</LinkButton> : <span />}
    </nav>
  );
}
