import { type ComponentType, use } from 'react';
import type { PageLoading } from '../ui/links.tsx';
import { pageHeads, type PageName } from './page-heads.ts';

type Page = ComponentType;

/** One chunk per page, so that a visitor downloads only the page in front of them. */
const loaders: Readonly<Record<PageName, () => Promise<Page>>> = {
  home: async () => (await import('../site/web/home-page.tsx')).HomePage,
  nft: async () => (await import('../site/web/nft-page.tsx')).NftPage,
  rocks: async () => (await import('../site/web/rocks/rocks-page.tsx')).RocksPage,
  rock: async () => (await import('../site/web/rocks/rock-page.tsx')).RockPage,
  holder: async () => (await import('../site/web/rocks/holder-page.tsx')).HolderPage,
  rockfolio: async () => (await import('../treasury/web/rockfolio-page.tsx')).RockfolioPage,
  statements: async () => (await import('../treasury/web/statements/statements-page.tsx')).StatementsPage,
  statement: async () => (await import('../treasury/web/statements/statement-page.tsx')).StatementPage,
  payouts: async () => (await import('../payouts/web/payouts-page.tsx')).PayoutsPage,
  payout: async () => (await import('../payouts/web/payout-page.tsx')).PayoutPage,
  telegram: async () => (await import('../telegram/web/telegram-page.tsx')).TelegramPage,
  privacy: async () => (await import('../site/web/privacy-page.tsx')).PrivacyPage,
  terms: async () => (await import('../site/web/terms-page.tsx')).TermsPage,
  auth: async () => (await import('../accounts/web/auth-page.tsx')).AuthPage,
  admin: async () => (await import('../admin/web/admin-page.tsx')).AdminPage,
  'how-to-verify': async () => (await import('../discord/web/verify/how-to-verify-page.tsx')).HowToVerifyPage,
  verify: async () => (await import('../discord/web/verify/verify-page.tsx')).VerifyPage,
  'not-found': async () => (await import('../site/web/not-found-page.tsx')).NotFoundPage,
};

export const pageNames = Object.keys(loaders) as PageName[];

/** The page at an address inside the site; query and hash are ignored. */
export function pageAt(address: string): PageName {
  const path = address.replace(/[?#].*$/s, '');
  return pageNames.find((name) => isAddressOf(name, path)) ?? 'not-found';
}

function isAddressOf(name: PageName, path: string): boolean {
  const head = pageHeads[name];
  return head.parameter === undefined ? head.path === path : head.parameter.valueIn(path) !== null;
}

/** The pages of one tab. The first page is loaded before hydration, so that it hydrates completely and without a flash. */
export interface Pages extends PageLoading {
  /** The page at a path; suspends the caller while it is loading, and throws if that failed. */
  use(path: string): Page;
  /** The visitor is at this path now. */
  arrivedAt(path: string): void;
}

interface Download {
  readonly promise: Promise<Page>;
  /** Absent until it has arrived. */
  page?: Page;
  /** Whether the last download that ended has failed; stays true while another is under way. */
  hasFailed: boolean;
}

/**
 * `servedAsNotFound`: the path that the server answered with the not-found page, which is then the page to hydrate. Only until the visitor
 * leaves it: the missing page may exist by then, and if not, the real page says so.
 */
export function createPages(servedAsNotFound?: string): Pages {
  let notFoundPath = servedAsNotFound;
  const nameAt = (path: string): PageName => (path === notFoundPath ? 'not-found' : pageAt(path));
  const downloads = new Map<PageName, Download>();
  const begin = (name: PageName): Download => {
    const download: Download = { promise: loaders[name](), hasFailed: downloads.get(name)?.hasFailed ?? false };
    download.promise.then(
      (page) => Object.assign(download, { page, hasFailed: false }),
      () => Object.assign(download, { hasFailed: true }),
    );
    downloads.set(name, download);
    return download;
  };
  return {
    load: async (path) => {
      const name = nameAt(path);
      const known = downloads.get(name);
      const download = known === undefined || known.hasFailed ? begin(name) : known;
      await download.promise;
    },
    hasFailed: (path) => downloads.get(nameAt(path))?.hasFailed ?? false,
    // A failure is kept: if each render tried again, it would do so without a pause.
    use: (path) => {
      const { page, promise } = downloads.get(nameAt(path)) ?? begin(nameAt(path));
      return page ?? use(promise);
    },
    arrivedAt: (path) => {
      if (path !== notFoundPath) notFoundPath = undefined;
    },
  };
}
