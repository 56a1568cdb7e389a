import type { Config } from '../config.ts';
import { type HotBodies, type HotBody, makeHotJson } from '../http/ready-answer.ts';
import { loadPages, publicPages } from '../http/pages.ts';
import { searchEngineFiles } from '../http/robots.ts';
import type { SiteConfig } from '../shared/site-config.ts';
import type { SourceWatch } from './source-watch.ts';

/** A part of the product whose figures stand in the prerendered pages. */
interface Shown {
  readonly noscriptHtml: () => string;
  readonly onChange: (run: () => void) => void;
}

interface SiteAnswersDeps {
  readonly config: Config;
  /** The build's files, by their path. */
  readonly files: ReadonlyMap<string, HotBody>;
  readonly pagesFolder: string;
  readonly clock: { now(): Date };
  readonly collections: Shown & { factsSnapshot(): unknown };
  readonly treasury: Shown & { readonly hotBodies: HotBodies };
  readonly sources: SourceWatch;
}

interface SiteAnswers {
  readonly hotBodies: HotBodies;
  readonly notFoundPage: () => HotBody;
}

/** Pages, files and hot answers in one look-up; what shows a snapshot is made again when that changes. */
export async function loadSiteAnswers({
  config,
  files,
  pagesFolder,
  clock,
  collections,
  treasury,
  sources,
}: SiteAnswersDeps): Promise<SiteAnswers> {
  const pages = await loadPages({
    folder: pagesFolder,
    publicUrl: config.PUBLIC_URL,
    siteConfig: siteValues(config),
    now: () => clock.now(),
    snapshots: {
      'snapshot:treasury': () => treasury.noscriptHtml(),
      'snapshot:collection': () => collections.noscriptHtml(),
      'status-line': () => sources.lineHtml(),
    },
  });
  let collectionFacts = makeHotJson(collections.factsSnapshot());
  sources.onChange(() => pages.refresh('status-line'));
  treasury.onChange(() => pages.refresh('snapshot:treasury'));
  collections.onChange(() => {
    collectionFacts = makeHotJson(collections.factsSnapshot());
    pages.refresh('snapshot:collection');
  });
  const forSearchEngines = searchEngineFiles(config.PUBLIC_URL, Object.keys(publicPages));
  const hotBodies: HotBodies = (path, query) => {
    if (path === '/api/collection') return collectionFacts;
    if (path === '/api/sources') return sources.body();
    return treasury.hotBodies(path, query) ?? pages.find(path) ?? files.get(path) ?? forSearchEngines.get(path);
  };
  return { hotBodies, notFoundPage: pages.notFound };
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
