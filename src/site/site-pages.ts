import type { Config } from '../config.ts';
import type { FindReady, ReadyAnswer } from '../http/ready-answer.ts';
import { loadPages, publicPages } from '../http/pages.ts';
import { searchEngineFiles } from '../http/robots.ts';
import type { SiteConfig } from '../shared/site-config.ts';
import type { SourceWatch } from './source-watch.ts';

/** A part of the product whose figures stand in the prerendered pages. */
interface Shown {
  readonly noscriptHtml: () => string;
  readonly onChange: (run: () => void) => void;
}

interface SitePagesDeps {
  readonly config: Config;
  /** The build's files, by their path. */
  readonly files: ReadonlyMap<string, ReadyAnswer>;
  readonly pagesFolder: string;
  readonly clock: { now(): Date };
  readonly collections: Shown;
  readonly treasury: Shown;
  readonly sources: SourceWatch;
}

interface SitePages {
  readonly findPage: FindReady;
  readonly notFoundPage: () => ReadyAnswer;
}

/** Pages and files in one look-up; what shows a snapshot is made again when that changes. */
export async function loadSitePages({
  config,
  files,
  pagesFolder,
  clock,
  collections,
  treasury,
  sources,
}: SitePagesDeps): Promise<SitePages> {
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
  sources.onChange(() => pages.refresh('status-line'));
  treasury.onChange(() => pages.refresh('snapshot:treasury'));
  collections.onChange(() => pages.refresh('snapshot:collection'));
  const forSearchEngines = searchEngineFiles(config.PUBLIC_URL, Object.keys(publicPages));
  const findPage: FindReady = (path) => pages.find(path) ?? files.get(path) ?? forSearchEngines.get(path);
  return { findPage, notFoundPage: pages.notFound };
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
