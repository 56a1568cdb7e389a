import { escapeHtml } from '../shared/foreign-text.ts';
import { placeholderFor } from '../shared/site-config.ts';
import { collection, productName } from '../site/content.ts';
import { notFoundMark, type PageName, pageNames, routes } from './pages.tsx';

/** What a document says of its page to machines, beside address and title. No browser loads it with a page's code. */
interface HeadTexts {
  readonly description: string;
  /** File name of the Open Graph image under `/og/`; left out: the home page's. */
  readonly image?: string;
  /** Hidden from search engines and previews: the admin area, and the page behind a secret link. */
  readonly unlisted?: boolean;
  /** Filled in by the server, for the value of the parameter. */
  readonly filled?: ReturnType<typeof filledAs>;
}

interface PageHead extends HeadTexts {
  readonly path: string | null;
  readonly title: string;
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

const texts: Readonly<Record<PageName, HeadTexts>> = {
  home: {
    description:
      'A limited collection of 555 rock-themed NFTs on the SUI blockchain, with a treasury that anyone can check: ' +
      'live figures, the public wallet and the Rockmap to Rock Mountain.',
  },
  nft: {
    description:
      `${collection.totalSupplyText}, six colors, ${collection.mintPriceText} each. See every color, how many ` +
      'there are, and mint your own rock on the marketplace.',
    image: 'nft.png',
  },
  rockfolio: {
    description:
      'What the treasury holds right now: total value, SUI, tokens and NFTs, read from the chain, each figure with ' +
      'its source and age, and the public wallet to check it against.',
    image: 'rockfolio.png',
  },
  rocks: {
    description:
      `All minted rocks of the ${collection.totalSupply} as a gallery: who keeps which, what it last sold for and ` +
      'which are for sale, with the six colors as a market.',
    image: 'nft.png',
  },
  rock: {
    description: 'One rock of the collection: its color, its owner, its price, its sales and its history on the chain.',
    filled: filledAs('rock', '/rocks/@@rockNumber@@', '@@rockCard@@', '@@rockTitle@@'),
  },
  holder: {
    description: 'Which rocks of the collection an address holds, since when, and their share of the treasury.',
  },
  statements: {
    description:
      'What the treasury had, what came in and went out, month by month: each statement with its SHA-256 and the hash of ' +
      'the month before, to be recalculated in your browser.',
    image: 'rockfolio.png',
  },
  statement: {
    description: 'One month of the treasury: opening, in, out and closing of every coin, checked by your own browser.',
    filled: filledAs('statement', '/statements/@@statementMonth@@'),
  },
  payouts: {
    description:
      'Every distribution from the treasury to the holders of rocks: who got how much and why, each line with its ' +
      'transaction. Discretionary, not guaranteed.',
    image: 'rockfolio.png',
  },
  payout: {
    description: 'One payout: its plan with the SHA-256, who is left out and why, and each line beside the chain.',
    filled: filledAs('payout', '/payouts/@@payoutId@@'),
  },
  telegram: {
    description:
      'A group bot that reports mints, sales, listings and bids of one NFT collection on SUI, with floor price and ' +
      'mint progress. How to set it up, its commands and common questions.',
    image: 'telegram.png',
  },
  'how-to-verify': {
    description:
      'Use /verify in the Discord server: the bot gives you a link of your own, your Sui wallet signs one message, and ' +
      'the holder role is yours. No password, no transaction.',
  },
  privacy: {
    description:
      'No personal data is collected, except that the group-chat bot may store a messenger user ID and notification ' +
      'preferences. The whole policy in eight short sections.',
  },
  terms: {
    description:
      'The rules of the cave: crypto risk, discretionary treasury distributions, user responsibilities, liability ' +
      'and governing law for the Sui Rocks site and bots.',
  },
  auth: {
    description: 'The way into the admin area of the Sui Rocks site and its two bots, for those who run them.',
    unlisted: true,
  },
  admin: {
    description: 'The admin area of Sui Rocks: the Discord bot, the Telegram bot and the log of every change.',
    unlisted: true,
  },
  verify: {
    description: 'Prove with a signature that a wallet is yours, and get your holder role in the Discord server.',
    unlisted: true,
  },
  'not-found': {
    description: "Looks like this cave painting doesn't exist. Perhaps it was lost in prehistoric times?",
  },
};

export const pageHeads = Object.fromEntries(
  pageNames.map((name) => [name, { ...routes[name], ...texts[name] }]),
) as Readonly<Record<PageName, PageHead>>;

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
