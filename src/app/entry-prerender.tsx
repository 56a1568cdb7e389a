import { prerender } from 'react-dom/static';
import { escapeHtml } from '../shared/foreign-text.ts';
import { placeholderFor, placeholderSiteConfig } from '../shared/site-config.ts';
import { collection, productName } from '../site/content.ts';
import { App } from './app.tsx';
import { createPages, notFoundMark, type PageName, pageNames, routes } from './pages.tsx';

export interface PrerenderedPage {
  readonly name: PageName;
  readonly head: string;
  readonly body: string;
}

const markupOf = async (name: PageName): Promise<string> => {
  const { parameter, path: only } = routes[name];
  // A page prerenders the same under all of its addresses.
  const path = parameter?.example ?? only ?? '/404';
  const pages = createPages();
  await pages.load(path);
  const { prelude } = await prerender(
    <App pages={pages} siteConfig={placeholderSiteConfig} ssrPath={path} />,
    // A large boundary would otherwise be sent separately and moved into place by an inline script.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return new Response(prelude).text();
};

export const prerenderPages = (): Promise<PrerenderedPage[]> =>
  Promise.all(
    pageNames.map(async (name) => ({
      name,
      head: documentHead(headOf(name)),
      // Components that set a style through React do so again in the browser, where the page's policy allows it.
      body: (await markupOf(name)).replaceAll(/ style="[^"]*"/g, ''),
    })),
  );

/** The head of a document. Only the build needs it, so it is apart from the routes, which are in every page's JavaScript. */
interface PageHead extends HeadExtras {
  readonly path: string | null;
  readonly title: string;
  readonly description: string;
}

interface HeadExtras {
  /** File name of the Open Graph image under `/og/`; left out: the home page's. */
  readonly image?: string;
  /** Hidden from search engines and previews: the admin area, and the page behind a secret link. */
  readonly unlisted?: boolean;
  /** Filled in by the server, for the value of the route's parameter. */
  readonly filled?: ReturnType<typeof filledAs>;
}

const defaultAlt = `${productName}: faceted rocks, hewn by code`;

/** The server's names for what it fills in: `rockTitle`, and `rockDescription` in the descriptions. */
const filledAs = (name: string, path: string, imagePath = '/og/rockfolio.png', imageAlt = defaultAlt) => ({
  title: `@@${name}Title@@`,
  path,
  imagePath,
  imageAlt,
});

const descriptions: Readonly<Record<PageName, string>> = {
  home:
    'A limited collection of 555 rock-themed NFTs on the SUI blockchain, with a treasury that anyone can check: ' +
    'live figures, the public wallet and the Rockmap to Rock Mountain.',
  nft:
    `${collection.totalSupplyText}, six colors, ${collection.mintPriceText} each. See every color, how many ` +
    'there are, and mint your own rock on the marketplace.',
  rockfolio:
    'What the treasury holds right now: total value, SUI, tokens and NFTs, read from the chain, each figure with ' +
    'its source and age, and the public wallet to check it against.',
  rocks:
    `All minted rocks of the ${collection.totalSupply} as a gallery: who keeps which, and which of them are for ` +
    'sale, with the six colors as a market.',
  rock: '@@rockDescription@@',
  holder: 'Which rocks of the collection an address holds, since when, and their share of the treasury.',
  statements:
    'What the treasury had, what came in and went out, month by month: each statement with its SHA-256 and the hash of ' +
    'the month before, to be recalculated in your browser.',
  statement: '@@statementDescription@@',
  payouts:
    'Every distribution from the treasury to the holders of rocks: who got how much and why, each line with its ' +
    'transaction. Discretionary, not guaranteed.',
  payout: '@@payoutDescription@@',
  telegram:
    'A group bot that reports mints, sales, listings and bids of one NFT collection on SUI, with floor price and ' +
    'mint progress. How to set it up, its commands and common questions.',
  'how-to-verify':
    'Use /verify in the Discord server: the bot gives you a link of your own, your Sui wallet signs one message, and ' +
    'the holder role is yours. No password, no transaction.',
  privacy:
    'No personal data is collected, except that the group-chat bot may store a messenger user ID and notification ' +
    'preferences. The whole policy in eight short sections.',
  terms:
    'The rules of the cave: crypto risk, discretionary treasury distributions, user responsibilities, liability ' +
    'and governing law for the Sui Rocks site and bots.',
  auth: 'The way into the admin area of the Sui Rocks site and its two bots, for those who run them.',
  admin: 'The admin area of Sui Rocks: bots, treasury, payouts, accounts and the log of every change.',
  verify: 'Prove with a signature that a wallet is yours, and get your holder role in the Discord server.',
  'not-found': "Looks like this cave painting doesn't exist. Perhaps it was lost in prehistoric times?",
};

const extras: Readonly<Partial<Record<PageName, HeadExtras>>> = {
  nft: { image: 'nft.png' },
  rockfolio: { image: 'rockfolio.png' },
  rocks: { image: 'nft.png' },
  rock: { filled: filledAs('rock', '/rocks/@@rockNumber@@', '@@rockCard@@', '@@rockTitle@@') },
  statements: { image: 'rockfolio.png' },
  statement: { filled: filledAs('statement', '/statements/@@statementMonth@@') },
  payouts: { image: 'rockfolio.png' },
  payout: { filled: filledAs('payout', '/payouts/@@payoutId@@') },
  telegram: { image: 'telegram.png' },
  auth: { unlisted: true },
  admin: { unlisted: true },
  verify: { unlisted: true },
};

export const headOf = (name: PageName): PageHead => ({
  ...routes[name],
  description: descriptions[name],
  ...extras[name],
});

const meta = (kind: 'name' | 'property', key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;

/** The part of a document's head that identifies the page to machines. Addresses begin with the public URL's placeholder. */
export function documentHead(head: PageHead): string {
  const { image = 'home.png', unlisted = false, description } = head;
  const { title, path } = head.filled ?? head;
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

export { themeScript } from './frame.tsx';
