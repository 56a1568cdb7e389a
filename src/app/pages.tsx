import { type ComponentType, use } from 'react';
import { payoutIdIn } from '../payouts/web/payout-addresses.ts';
import { monthName } from '../shared/utc-month.ts';
import { collection, productName } from '../site/content.ts';
import { holderIn, rockNumberIn } from '../site/web/rocks/rock-addresses.ts';
import { monthIn } from '../treasury/web/statements/statement-addresses.ts';
import type { PageLoading } from '../ui/links.tsx';

type Page = ComponentType;

interface Route {
  /** `:token` and the like are placeholders for one part of the address; null: the page has no address of its own. */
  readonly path: string | null;
  readonly title: string;
  /** For a page with many addresses: the part in which they differ, such as the number of a rock. */
  readonly parameter?: {
    /** null: not an address of this page. */
    readonly valueIn: (path: string) => string | number | null;
    /** One of the addresses. */
    readonly example: string;
    /** The title after navigation inside the site. Left out: the page's general title. */
    readonly title?: (value: string | number) => string;
  };
  /** One chunk per page, so that a visitor downloads only the page in front of them. */
  readonly load: () => Promise<Page>;
}

const allRoutes = {
  home: {
    path: '/',
    title: `${productName}: ${collection.totalSupplyText} and a treasury in the open`,
    load: async () => (await import('../site/web/home-page.tsx')).HomePage,
  },
  nft: {
    path: '/nft',
    title: `The collection: ${collection.totalSupplyText} in six colors | ${productName}`,
    load: async () => (await import('../site/web/nft-page.tsx')).NftPage,
  },
  rockfolio: {
    path: '/rockfolio',
    title: `RockFolio: the live treasury | ${productName}`,
    load: async () => (await import('../treasury/web/rockfolio-page.tsx')).RockfolioPage,
  },
  rocks: {
    path: '/rocks',
    title: `Every rock: owners, prices, colors | ${productName}`,
    load: async () => (await import('../site/web/rocks/rocks-page.tsx')).RocksPage,
  },
  rock: {
    path: '/rocks/:number',
    title: `A rock of the ${collection.totalSupply} | ${productName}`,
    parameter: { valueIn: rockNumberIn, example: '/rocks/1', title: (number) => `Rock #${number}` },
    load: async () => (await import('../site/web/rocks/rock-page.tsx')).RockPage,
  },
  holder: {
    path: '/holders/:address',
    title: `The rocks of a holder | ${productName}`,
    parameter: { valueIn: holderIn, example: `/holders/0x${'0'.repeat(64)}` },
    load: async () => (await import('../site/web/rocks/holder-page.tsx')).HolderPage,
  },
  statements: {
    path: '/statements',
    title: `Monthly statements of the treasury | ${productName}`,
    load: async () => (await import('../treasury/web/statements/statements-page.tsx')).StatementsPage,
  },
  statement: {
    path: '/statements/:month',
    title: `The treasury's statement of a month | ${productName}`,
    parameter: {
      valueIn: monthIn,
      example: '/statements/2026-10',
      title: (month) => `Statement of ${monthName(String(month))}`,
    },
    load: async () => (await import('../treasury/web/statements/statement-page.tsx')).StatementPage,
  },
  payouts: {
    path: '/payouts',
    title: `Payouts to the holders of rocks | ${productName}`,
    load: async () => (await import('../payouts/web/payouts-page.tsx')).PayoutsPage,
  },
  payout: {
    path: '/payouts/:id',
    title: `One payout to the holders of rocks | ${productName}`,
    parameter: { valueIn: payoutIdIn, example: '/payouts/1', title: (id) => `Payout ${id}` },
    load: async () => (await import('../payouts/web/payout-page.tsx')).PayoutPage,
  },
  telegram: {
    path: '/telegram',
    title: `NFT Activity Tracker for Telegram | ${productName}`,
    load: async () => (await import('../telegram/web/telegram-page.tsx')).TelegramPage,
  },
  'how-to-verify': {
    path: '/verify',
    title: `Get your holder role | ${productName}`,
    load: async () => (await import('../discord/web/verify/how-to-verify-page.tsx')).HowToVerifyPage,
  },
  privacy: {
    path: '/privacy',
    title: `Privacy Policy | ${productName}`,
    load: async () => (await import('../site/web/privacy-page.tsx')).PrivacyPage,
  },
  terms: {
    path: '/terms',
    title: `Terms of Service | ${productName}`,
    load: async () => (await import('../site/web/terms-page.tsx')).TermsPage,
  },
  auth: {
    path: '/auth',
    title: `Admin login | ${productName}`,
    load: async () => (await import('../accounts/web/auth-page.tsx')).AuthPage,
  },
  admin: {
    path: '/admin',
    title: `Admin Dashboard | ${productName}`,
    load: async () => (await import('../admin/web/admin-page.tsx')).AdminPage,
  },
  verify: {
    path: '/verify/:token',
    title: `Link your wallet | ${productName}`,
    parameter: { valueIn: (path) => /^\/verify\/([^/]+)$/.exec(path)?.[1] ?? null, example: '/verify/:token' },
    load: async () => (await import('../discord/web/verify/verify-page.tsx')).VerifyPage,
  },
  'not-found': {
    path: null,
    title: `404 Rock Not Found! | ${productName}`,
    load: async () => (await import('../site/web/not-found-page.tsx')).NotFoundPage,
  },
} satisfies Record<string, Route>;

export type PageName = keyof typeof allRoutes;

export const routes: Readonly<Record<PageName, Route>> = allRoutes;
export const pageNames = Object.keys(routes) as PageName[];

/** The page at an address inside the site; query and hash are ignored. */
export function pageAt(address: string): PageName {
  const path = address.replace(/[?#].*$/s, '');
  return pageNames.find((name) => isAddressOf(name, path)) ?? 'not-found';
}

function isAddressOf(name: PageName, path: string): boolean {
  const { parameter, path: only } = routes[name];
  return parameter === undefined ? only === path : parameter.valueIn(path) !== null;
}

/** The page's title after navigation inside the site, with the number of a rock or a payout, or a month, in it. */
export function titleAt(page: PageName, path: string): string {
  const { title, parameter } = routes[page];
  const value = parameter?.valueIn(path) ?? null;
  return value === null || parameter?.title === undefined ? title : `${parameter.title(value)} | ${productName}`;
}

/** A meta tag in the head of the not-found page only, whatever address it is served for. */
export const notFoundMark = 'not-found';

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
    const download: Download = { promise: routes[name].load(), hasFailed: downloads.get(name)?.hasFailed ?? false };
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
