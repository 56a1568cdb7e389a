import type { ActivityEvent, TrackedCollection } from '../../market/contract.ts';
import type { OwnRocks } from '../../market/rocks-contract.ts';
import { escapeHtml, cleanText } from '../../shared/foreign-text.ts';
import { accountLink, objectLink, nftAtMarketplace, transactionLink } from '../../shared/explorer-links.ts';
import { canonicalAddress, canonicalType, shortAddress } from '../../shared/sui-address.ts';
import { suiText } from '../../shared/money.ts';
import { inBrackets, usdText } from './price-text.ts';

export interface CardContext {
  readonly collection: Pick<TrackedCollection, 'name' | 'imageUrl' | 'floorMist' | 'slug'>;
  /** Before the poll that found the events; null: unknown. */
  readonly floorBeforeMist: bigint | null;
  readonly explorerUrl: string;
  /** Decimal text; null: unknown. */
  readonly usdPerSui: string | null;
  /** Links pieces of the product's own collection to their pages. */
  readonly rocks?: Pick<OwnRocks, 'pageOf'> | undefined;
}

/** Null lines are omitted; an empty line makes a gap. */
export type Line = string | null;

export const cardOf = (lines: readonly Line[], more: Partial<Omit<MessageContent, 'html'>> = {}): MessageContent => ({
  imageUrl: null,
  buttons: [],
  isSilent: false,
  ...more,
  html: lines.filter((line) => line !== null).join('\n'),
});

/** The URL is ours or made of checked parts; the label is ours. */
export const link = (address: string, label: string): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;

/** `sign` is the one emoji a line may begin with (design brief). */
export const headline = (sign: string, sentenceHtml: string): string => `${sign} ${sentenceHtml}`;

export const collectionHtml = (name: string): string => foreignHtml(name, nameGraphemesMax) || 'Unnamed collection';

/** The piece, or the collection for an event without a piece. */
export const subjectHtml = (event: ActivityEvent, { collection }: CardContext): string => {
  if (event.nft === null) return `<b>${collectionHtml(collection.name)}</b>`;
  const address = canonicalAddress(event.nft.objectId);
  const name = foreignHtml(event.nft.name ?? '', nameGraphemesMax);
  return `<b>${name || (address === null ? 'An NFT' : `NFT ${shortAddress(address)}`)}</b>`;
};

/**
 * `14.56 SUI ($50.96)`. A price in another coin is shown as the marketplace wrote it, never converted; null: unknown.
 */
export const priceHtml = (event: ActivityEvent, usdPerSui: string | null): string | null => {
  if (event.priceMist !== null) {
    return `<b>${suiText(event.priceMist)}</b>${inBrackets(usdText(event.priceMist, usdPerSui))}`;
  }
  return event.foreignPrice === null ? null : foreignPriceHtml(event.foreignPrice);
};

const foreignPriceHtml = ({ coinType, rawAmount }: NonNullable<ActivityEvent['foreignPrice']>): string => {
  const [address = '', ...rest] = (canonicalType(coinType) ?? '').split('::');
  const coin = rest.length === 0 ? coinType : `${shortAddress(address)}::${rest.join('::')}`;
  return `<b>${foreignHtml(rawAmount, wordGraphemesMax) || '?'}</b> (raw amount) of ${foreignHtml(coin, nameGraphemesMax) || 'another coin'}`;
};

/** ` for 14.56 SUI ($50.96)`; nothing for an unknown price. */
export const forPrice = (event: ActivityEvent, usdPerSui: string | null): string => {
  const price = priceHtml(event, usdPerSui);
  return price === null ? '' : ` for ${price}`;
};

export const personLine = (role: string, address: string | null, explorerUrl: string): string | null => {
  const canonical = address === null ? null : canonicalAddress(address);
  return canonical === null ? null : `${role} ${link(accountLink(explorerUrl, canonical), shortAddress(canonical))}`;
};

export const joined = (parts: readonly Line[]): string | null =>
  parts.filter((part) => part !== null && part !== '').join(' · ') || null;

/** Brand spelling of the markets; the feed has them in lower case. */
const marketNames: ReadonlyMap<string, string> = new Map([
  ['tradeport', 'TradePort'],
  ['bluemove', 'BlueMove'],
]);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The market that the feed names, spelled as it spells itself; '' if the feed names none. */
export const marketHtml = (marketName: string | null): string => {
  const name = marketName?.trim() ?? '';
  return foreignHtml(marketNames.get(name.toLowerCase()) ?? capital(name), wordGraphemesMax);
};

const marketLine = (event: ActivityEvent): string | null => {
  const market = marketHtml(event.marketName);
  return market === '' ? null : `On ${market}`;
};

const rankLine = (event: ActivityEvent): string | null => {
  const rank = event.nft?.rank ?? null;
  return rank === null || !Number.isSafeInteger(rank) || rank <= 0 ? null : `Rank ${rank}`;
};

/** Transaction digests are base58 of 32 bytes. */
const digestPattern = /^[1-9A-HJ-NP-Za-km-z]{32,50}$/;

export const transactionHtml = (digest: string | null, explorerUrl: string): string | null =>
  digest !== null && digestPattern.test(digest) ? link(transactionLink(explorerUrl, digest), 'Transaction') : null;

/** The one line of links at the end (design brief). */
const linkLine = (event: ActivityEvent, { explorerUrl, rocks }: CardContext): string | null => {
  const objectId = event.nft === null ? null : canonicalAddress(event.nft.objectId);
  const rock = objectId === null ? null : (rocks?.pageOf(objectId) ?? null);
  return joined([
    transactionHtml(event.transactionDigest, explorerUrl),
    objectId === null ? null : link(objectLink(explorerUrl, objectId), 'NFT'),
    rock === null ? null : link(rock.url, `Rock #${rock.number}`),
  ]);
};

const collectionPages = 'https://www.tradeport.xyz/sui/collection/';
/** Telegram refuses a message whose button has a longer URL (2,048 characters). */
const addressMaxLength = 2_000;

/** The marketplace page of the piece or of its collection. No slug can lead to another site. */
export const marketButton = (
  { collection }: Pick<CardContext, 'collection'>,
  event: Pick<ActivityEvent, 'kind' | 'nft'> | null = null,
): Pick<MessageContent, 'buttons'> => {
  const objectId = canonicalAddress(event?.nft?.objectId ?? '');
  const slug = encodeURIComponent(collection.slug.toWellFormed());
  const page = `${collectionPages}${slug}?bottomTab=trades&tab=items`;
  const url = (objectId === null ? null : nftAtMarketplace(page, objectId)) ?? page;
  if (/^\.*$/.test(slug) || url.length > addressMaxLength) return { buttons: [] };
  const text = event?.kind === 'listing' && objectId !== null ? 'Buy on TradePort' : 'View on TradePort';
  return { buttons: [[{ text, url }]] };
};

interface EventWords {
  /** It begins with the one emoji of the card (design brief). */
  readonly headline: string;
  readonly floor: Line;
  readonly lines: readonly Line[];
}

/** The card of one event. Only the words differ by kind. */
export const cardOfEvent = (
  event: ActivityEvent,
  context: CardContext,
  { headline, floor, lines }: EventWords,
): MessageContent =>
  cardOf([headline, floor, joined([rankLine(event), marketLine(event)]), ...lines, linkLine(event, context)], {
    imageUrl: event.nft?.imageUrl ?? null,
    ...marketButton(context, event),
  });

export interface MessageButton {
  readonly text: string;
  /** Either a URL to open … */
  readonly url?: string;
  /** … or what the bot receives when it is pressed; at most 64 bytes (Bot API). */
  readonly data?: string;
}

/** One message. `html` is Telegram's HTML, with all foreign text escaped. */
export interface MessageContent {
  readonly html: string;
  /** Source of the picture; null: text only. Untrusted. */
  readonly imageUrl: string | null;
  readonly buttons: readonly (readonly MessageButton[])[];
  readonly isSilent: boolean;
  /** The message that it answers. */
  readonly replyTo?: number;
  /** Telegram prompts that person to reply in turn. */
  readonly forceReply?: boolean;
  /** The message whose content is replaced; if it is gone, this is sent as a new message. */
  readonly edits?: { readonly messageId: number; readonly isCaption: boolean };
}

/** How much of a name is shown. A caption holds 1024 characters, of which a card spends at most a quarter on names. */
export const nameGraphemesMax = 60;
export const wordGraphemesMax = 24;

/** Limits stacked combining marks: at most this many code units per letter. */
const unitsPerGrapheme = 3;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Where Telegram would turn plain text into a link, a mention, a hashtag, a command or a cashtag. */
const linkable = /\.(?=[\p{L}\p{N}])|:(?=\/\/)|[@/$](?=[\p{L}\p{N}_])|#(?=[\p{N}_]*[\p{L}_])/gu;
const wordJoiner = '\u2060';

const cutByGrapheme = (text: string, graphemesMax: number): string => {
  if (text.length <= graphemesMax) return text;
  let kept = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (count === graphemesMax || kept.length + segment.length > graphemesMax * unitsPerGrapheme) return `${kept}…`;
    kept += segment;
    count += 1;
  }
  return kept;
};

/**
 * Untrusted text made safe for Telegram's HTML: no invisible letters, cut with an ellipsis, no automatic links, its
 * writing direction isolated. Empty if nothing visible is left.
 */
export const foreignHtml = (text: string, graphemesMax: number): string => {
  const visible = cutByGrapheme(cleanText(text, graphemesMax * (unitsPerGrapheme + 1)), graphemesMax);
  const quiet = visible.replaceAll(linkable, (sign) => `${sign}${wordJoiner}`);
  return escapeHtml(rightToLeft.test(quiet) ? `\u2068${quiet}\u2069` : quiet);
};

/** Telegram's limits, after parsing the entities (Bot API: sendMessage, sendPhoto). UTF-16 units, like Telegram's. */
export const textMaxLength = 4096;
export const captionMaxLength = 1024;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** The visible text of our own HTML. Undoes `escapeHtml`; anything else stays as it is. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);

/** At most `maxLength` units, never half a character; a cut is marked. */
export const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
