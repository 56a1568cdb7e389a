import type { Config } from '../config.ts';
import { type FindReady, type ReadyAnswer, makeReadyAnswer } from '../http/ready/ready-answer.ts';
import { loadPages, type ParameterPage, publicPages } from '../http/ready/pages.ts';
import type { SiteConfig } from '../shared/site-config.ts';
import type { SourceWatch } from './source-watch.ts';
import { escapeHtml } from '../shared/foreign-text.ts';
import type { Receipt, RockAnswer, RocksAnswer } from '../market/rocks-contract.ts';
import { rockHead, rockNoscriptHtml, rocksNoscriptHtml } from './rocks-html.ts';
import { holderIn, rockNumberIn } from './web/rocks/rock-addresses.ts';
import { readFilters } from './web/rocks/rock-filters.ts';

interface Shown {
  readonly noscriptHtml: () => string;
  readonly onChange: (run: () => void) => void;
}

/** Items with a page each, besides their list. */
interface ShownOneByOne extends Shown, Listed {
  readonly page: ParameterPage;
}

interface Listed {
  /** The paths of all item pages that exist now. */
  readonly paths: () => readonly string[];
}

interface ShownRocks extends Pick<Shown, 'onChange'>, Listed {
  readonly collectionHtml: () => string;
  readonly firstPage: () => RocksAnswer;
  /** null: no rock with that number is minted; undefined: nothing was ever read. */
  readonly find: (number: number) => RockAnswer | null | undefined;
  readonly receiptsOf: (number: number) => readonly Receipt[];
}

/** What a page shows in place of a marker. */
interface Snapshot {
  readonly html: () => string;
  /** Its changes rebuild the pages with the marker … */
  readonly source: Pick<Shown, 'onChange'>;
  /** … and these pages of single items. */
  readonly itemPages?: readonly string[];
}

interface SitePagesDeps {
  readonly config: Config;
  readonly files: ReadonlyMap<string, ReadyAnswer>;
  readonly pagesFolder: string;
  readonly clock: { now(): Date };
  readonly treasury: Shown & {
    readonly valueHtml: () => string;
    readonly queryProblem: (query: string) => string | null;
  };
  readonly rocks: ShownRocks;
  readonly statements: ShownOneByOne;
  readonly payouts: ShownOneByOne;
  readonly sources: SourceWatch;
}

/** Pages and files in one lookup; pages that show a snapshot are rebuilt when it changes. */
export async function loadSitePages(deps: SitePagesDeps) {
  const { config, files, pagesFolder: folder, clock, treasury, rocks, statements, payouts, sources } = deps;
  const rocksHtml = (): string => rocksNoscriptHtml(rocks.firstPage());
  const snapshots: Readonly<Record<string, Snapshot>> = {
    'snapshot:treasury': { html: treasury.noscriptHtml, source: treasury },
    'snapshot:treasury-value': { html: treasury.valueHtml, source: treasury },
    'snapshot:collection': { html: rocks.collectionHtml, source: rocks },
    'snapshot:rocks': { html: rocksHtml, source: rocks, itemPages: ['rock'] },
    'snapshot:statements': { html: statements.noscriptHtml, source: statements, itemPages: [statements.page.name] },
    'snapshot:payouts': { html: payouts.noscriptHtml, source: payouts, itemPages: [payouts.page.name, 'rock'] },
    'status-line': { html: sources.lineHtml, source: sources },
  };
  const pages = await loadPages({
    folder,
    publicUrl: config.PUBLIC_URL,
    siteConfig: siteValues(config),
    now: () => clock.now(),
    snapshots: Object.fromEntries(Object.entries(snapshots).map(([marker, { html }]) => [marker, html])),
    parameterPages: [...rocksPages(rocks, config.EXPLORER_URL), statements.page, payouts.page],
    queryProblems: { rocks: (query) => readFilters(query).problems[0] ?? null, rockfolio: treasury.queryProblem },
  });
  for (const [marker, { source, itemPages = [] }] of Object.entries(snapshots)) {
    source.onChange(() => {
      pages.refresh(marker);
      for (const name of itemPages) pages.refill(name);
    });
  }
  const forSearchEngines = searchEngineFiles(config.PUBLIC_URL, [rocks, statements, payouts]);
  const findPage: FindReady = (path, query) => pages.find(path, query) ?? files.get(path) ?? forSearchEngines(path);
  return { findPage, notFoundPage: pages.notFound };
}

/** The pages of a rock and of a holder; an address that has neither form is not found. */
function rocksPages(rocks: ShownRocks, explorerUrl: string): readonly ParameterPage[] {
  return [
    {
      name: 'rock',
      find: (path) => rockNumberIn(path)?.toString() ?? null,
      countedAs: '/rocks/{number}',
      fillingOf: (key) => {
        const number = Number(key);
        const found = rocks.find(number);
        if (found === null) return null;
        // Nothing was read yet: the page says so.
        const rock = found ?? null;
        const html = rockNoscriptHtml(rock, rocks.receiptsOf(number), explorerUrl);
        return { values: rockHead(number, rock), blocks: { 'snapshot:rock': html } };
      },
    },
    { name: 'holder', find: (path) => (holderIn(path) === null ? null : ''), countedAs: '/holders/{address}' },
  ];
}

function siteValues(config: Config) {
  return {
    publicUrl: config.PUBLIC_URL,
    network: config.SUI_NETWORK,
    explorerUrl: config.EXPLORER_URL,
    treasuryAddress: config.TREASURY_ADDRESS,
    collectionType: config.COLLECTION_TYPE,
    linkTelegram: config.LINK_TELEGRAM,
    linkX: config.LINK_X,
    linkMarketplace: config.LINK_MARKETPLACE,
    linkMint: config.LINK_MINT,
    linkBot: config.LINK_BOT,
  } satisfies Omit<SiteConfig, 'currentYear'>;
}

/** The calls that fill the public pages: without them, a search engine would read error messages. */
const openCalls = ['collection', 'holders/', 'payouts', 'rocks', 'sources', 'treasury/'].map((call) => `/api/${call}`);
/** Downloads, which would become search results of their own. */
const closedFiles = ['/api/payouts/*/', '/api/treasury/export.', '/api/treasury/ledger.csv'];

/** What search engines may read: the public pages and their calls, no other call and not the admin area. The longer path wins (RFC 9309). */
function robotsText(publicUrl: string): string {
  const closed = ['/api/', '/auth', '/admin', '/verify/', ...closedFiles].map((path) => `Disallow: ${path}`);
  const open = openCalls.map((path) => `Allow: ${path}`);
  return ['User-agent: *', ...closed, ...open, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n');
}

function sitemapXml(publicUrl: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `  <url><loc>${escapeHtml(new URL(path, publicUrl).href)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/** `/robots.txt` and `/sitemap.xml`: made here because they name the configured origin; the sitemap is rebuilt when pages change. */
export function searchEngineFiles(publicUrl: string, listed: readonly (Listed & Pick<Shown, 'onChange'>)[]): FindReady {
  const body = (content: string, contentType: string): ReadyAnswer =>
    makeReadyAnswer(content, { contentType, cacheControl: 'public, max-age=3600' });
  const robots = body(robotsText(publicUrl), 'text/plain; charset=utf-8');
  let sitemap: ReadyAnswer | undefined;
  for (const { onChange } of listed) onChange(() => (sitemap = undefined));
  const makeSitemap = (): ReadyAnswer => {
    const paths = [...Object.keys(publicPages), ...listed.flatMap((each) => each.paths())];
    return body(sitemapXml(publicUrl, paths), 'application/xml; charset=utf-8');
  };
  return (path) => {
    if (path === '/robots.txt') return robots;
    return path === '/sitemap.xml' ? (sitemap ??= makeSitemap()) : undefined;
  };
}
