import { escapeHtml } from '../shared/foreign-text.ts';
import { placeholderFor } from '../shared/site-config.ts';
import { collection, productName } from '../site/content.ts';
import { monthName } from '../shared/utc-month.ts';
import { holderIn, rockNumberIn } from '../site/web/rocks/rock-addresses.ts';
import { payoutIdIn } from '../payouts/web/payout-addresses.ts';
import { monthIn } from '../treasury/web/statements/statement-addresses.ts';

/** The head of a page. `path` is null for the page that has no address of its own. */
interface PageHead {
  readonly title: string;
  readonly description: string;
  /** `:token` and the like are placeholders for one part of the address. */
  readonly path: string | null;
  /** File name of the Open Graph image under `/og/`; left out: the home page's. */
  readonly image?: string;
  /** Hidden from search engines and previews: the admin area, and the page behind a secret link. */
  readonly unlisted?: boolean;
  /** For a page with many addresses: the part in which they differ, such as the number of a rock. */
  readonly parameter?: {
    /** null: not an address of this page. */
    readonly valueIn: (path: string) => string | number | null;
    /** One of the addresses. */
    readonly example: string;
    /** The title after navigation inside the site. Left out: the page's general title. */
    readonly title?: (value: string | number) => string;
  };
  /** Filled in by the server, for the value of the parameter. */
  readonly filled?: ReturnType<typeof filledAs>;
}

const defaultAlt = `${productName}: faceted rocks, hewn by code`;

/** The server's names for what it fills in: `rockTitle`, `rockDescription`. */
const filledAs = (name: string, path: string, imagePath = '/og/rockfolio.png', imageAlt = defaultAlt) => ({
  title: `@@${name}Title@@`,
  description: `@@${name}Description@@`,
  path,
  imagePath,
  imageAlt,
});

export type PageName = keyof typeof heads;

const heads = {
  home: {
    path: '/',
    title: `${productName}: ${collection.totalSupplyText} and a treasury in the open`,
    description:
      'A limited collection of 555 rock-themed NFTs on the SUI blockchain, with a treasury that anyone can check: ' +
      'live figures, the public wallet and the Rockmap to Rock Mountain.',
  },
  nft: {
    path: '/nft',
    title: `The collection: ${collection.totalSupplyText} in six colors | ${productName}`,
    description:
      `${collection.totalSupplyText}, six colors, ${collection.mintPriceText} each. See every color, how many ` +
      'there are, and mint your own rock on the marketplace.',
    image: 'nft.png',
  },
  rockfolio: {
    path: '/rockfolio',
    title: `RockFolio: the live treasury | ${productName}`,
    description:
      'What the treasury holds right now: total value, SUI, tokens and NFTs, read from the chain, each figure with ' +
      'its source and age, and the public wallet to check it against.',
    image: 'rockfolio.png',
  },
  rocks: {
    path: '/rocks',
    title: `Every rock: owners, prices, colors | ${productName}`,
    description:
      `All minted rocks of the ${collection.totalSupply} as a gallery: who keeps which, what it last sold for and ` +
      'which are for sale, with the six colors as a market.',
    image: 'nft.png',
  },
  rock: {
    path: '/rocks/:number',
    title: `A rock of the ${collection.totalSupply} | ${productName}`,
    description: 'One rock of the collection: its color, its owner, its price, its sales and its history on the chain.',
    parameter: { valueIn: rockNumberIn, example: '/rocks/1', title: (number) => `Rock #${number}` },
    filled: filledAs('rock', '/rocks/@@rockNumber@@', '@@rockCard@@', '@@rockTitle@@'),
  },
  holder: {
    path: '/holders/:address',
    title: `The rocks of a holder | ${productName}`,
    description: 'Which rocks of the collection an address holds, since when, and their share of the treasury.',
    parameter: { valueIn: holderIn, example: `/holders/0x${'0'.repeat(64)}` },
  },
  statements: {
    path: '/statements',
    title: `Monthly statements of the treasury | ${productName}`,
    description:
      'What the treasury had, what came in and went out, month by month: each statement with its SHA-256 and the hash of ' +
      'the month before, to be recalculated in your browser.',
    image: 'rockfolio.png',
  },
  statement: {
    path: '/statements/:month',
    title: `The treasury's statement of a month | ${productName}`,
    description: 'One month of the treasury: opening, in, out and closing of every coin, checked by your own browser.',
    parameter: {
      valueIn: monthIn,
      example: '/statements/2026-10',
      title: (month) => `Statement of ${monthName(String(month))}`,
    },
    filled: filledAs('statement', '/statements/@@statementMonth@@'),
  },
  payouts: {
    path: '/payouts',
    title: `Payouts to the holders of rocks | ${productName}`,
    description:
      'Every distribution from the treasury to the holders of rocks: who got how much and why, each line with its ' +
      'transaction. Discretionary, not guaranteed.',
    image: 'rockfolio.png',
  },
  payout: {
    path: '/payouts/:id',
    title: `One payout to the holders of rocks | ${productName}`,
    description: 'One payout: its plan with the SHA-256, who is left out and why, and each line beside the chain.',
    parameter: { valueIn: payoutIdIn, example: '/payouts/1', title: (id) => `Payout ${id}` },
    filled: filledAs('payout', '/payouts/@@payoutId@@'),
  },
  telegram: {
    path: '/telegram',
    title: `NFT Activity Tracker for Telegram | ${productName}`,
    description:
      'A group bot that reports mints, sales, listings and bids of one NFT collection on SUI, with floor price and ' +
      'mint progress. How to set it up, its commands and common questions.',
    image: 'telegram.png',
  },
  'how-to-verify': {
    path: '/verify',
    title: `Get your holder role | ${productName}`,
    description:
      'Use /verify in the Discord server: the bot gives you a link of your own, your Sui wallet signs one message, and ' +
      'the holder role is yours. No password, no transaction.',
  },
  privacy: {
    path: '/privacy',
    title: `Privacy Policy | ${productName}`,
    description:
      'No personal data is collected, except that the group-chat bot may store a messenger user ID and notification ' +
      'preferences. The whole policy in eight short sections.',
  },
  terms: {
    path: '/terms',
    title: `Terms of Service | ${productName}`,
    description:
      'The rules of the cave: crypto risk, discretionary treasury distributions, user responsibilities, liability ' +
      'and governing law for the Sui Rocks site and bots.',
  },
  auth: {
    path: '/auth',
    title: `Admin login | ${productName}`,
    description: 'The way into the admin area of the Sui Rocks site and its two bots, for those who run them.',
    unlisted: true,
  },
  admin: {
    path: '/admin',
    title: `Admin Dashboard | ${productName}`,
    description: 'The admin area of Sui Rocks: the Discord bot, the Telegram bot and the log of every change.',
    unlisted: true,
  },
  verify: {
    path: '/verify/:token',
    title: `Link your wallet | ${productName}`,
    description: 'Prove with a signature that a wallet is yours, and get your holder role in the Discord server.',
    parameter: { valueIn: (path) => /^\/verify\/([^/]+)$/.exec(path)?.[1] ?? null, example: '/verify/:token' },
    unlisted: true,
  },
  'not-found': {
    path: null,
    title: `404 Rock Not Found! | ${productName}`,
    description: "Looks like this cave painting doesn't exist. Perhaps it was lost in prehistoric times?",
  },
} satisfies Record<string, PageHead>;

export const pageHeads: Readonly<Record<PageName, PageHead>> = heads;

/** The page's title after navigation inside the site, with the number of a rock or a payout, or a month, in it. */
export function titleAt(page: PageName, path: string): string {
  const { title, parameter } = pageHeads[page];
  const value = parameter?.valueIn(path) ?? null;
  return value === null || parameter?.title === undefined ? title : `${parameter.title(value)} | ${productName}`;
}

/** A meta tag in the head of the not-found page only, whatever address it is served for. */
export const notFoundMark = 'not-found';

const meta = (kind: 'name' | 'property', key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;

/** The part of a document's head that identifies the page to machines. Addresses begin with the public URL's placeholder. */
export function documentHead(head: PageHead): string {
  const { image = 'home.png', unlisted = false } = head;
  const { title, description, path } = head.filled ?? head;
  const publicUrl = placeholderFor('publicUrl');
  const { imagePath, imageAlt } = head.filled ?? { imagePath: `/og/${image}`, imageAlt: defaultAlt };
  const imageUrl = `${publicUrl}${imagePath}`;
  const address = (): readonly string[] => {
    if (path === null) return [meta('name', 'robots', 'noindex'), meta('name', notFoundMark, '')];
    if (unlisted) return [meta('name', 'robots', 'noindex')];
    // All holders share one document, so it cannot name its address.
    if (path.includes('/:')) return [];
    return [`<link rel="canonical" href="${publicUrl}${path}">`, meta('property', 'og:url', `${publicUrl}${path}`)];
  };
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...address(),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', productName),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:image', imageUrl),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', imageAlt),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', imageUrl),
    ...(path === '/' || path === '/rockfolio' ? [feedLink] : []),
    ...(path === '/' ? [structuredData(publicUrl, description)] : []),
  ].join('\n    ');
}

const feedLink = `<link rel="alternate" type="application/atom+xml" title="${productName}: treasury" href="/feed.atom">`;

const structuredData = (publicUrl: string, description: string): string => {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: productName,
    url: `${publicUrl}/`,
    description,
  };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`;
};
