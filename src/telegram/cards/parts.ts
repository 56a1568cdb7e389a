import type { ActivityEvent, TrackedCollection } from '../../market/contract.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import { accountLink, objectLink, transactionLink } from '../../shared/explorer-links.ts';
import { canonicalAddress, canonicalType, shortAddress } from '../../shared/sui-address.ts';
import { foreignHtml, nameGraphemesMax, wordGraphemesMax } from './foreign-text.ts';
import type { MessageContent } from './message-content.ts';
import { suiText, usdText } from './price-text.ts';

/** What every card needs besides its events. */
export interface CardContext {
  readonly collection: Pick<TrackedCollection, 'name' | 'imageUrl' | 'floorMist' | 'slug'>;
  /** Before the poll that found the events; null: unknown. */
  readonly floorBeforeMist: bigint | null;
  readonly explorerUrl: string;
  /** Decimal text; null: unknown. */
  readonly usdPerSui: string | null;
}

/** Null lines are omitted; an empty one separates what is above from what is below. */
export type Line = string | null;

export const cardOf = (lines: readonly Line[], more: Partial<Omit<MessageContent, 'html'>> = {}): MessageContent => ({
  imageUrl: null,
  buttons: [],
  isSilent: false,
  ...more,
  html: lines.filter((line) => line !== null).join('\n'),
});

/** The URL is ours or made of checked parts; the label is ours. */
const link = (address: string, label: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;

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
    const usd = usdText(event.priceMist, usdPerSui);
    return `<b>${suiText(event.priceMist)}</b>${usd === null ? '' : ` (${usd})`}`;
  }
  return event.foreignPrice === null ? null : foreignPriceHtml(event.foreignPrice);
};

const foreignPriceHtml = ({ coinType, rawAmount }: NonNullable<ActivityEvent['foreignPrice']>): string => {
  const [address = '', ...rest] = (canonicalType(coinType) ?? '').split('::');
  const coin = rest.length === 0 ? coinType : `${shortAddress(address)}::${rest.join('::')}`;
  return `<b>${foreignHtml(rawAmount, wordGraphemesMax) || '?'}</b> (raw amount) of ${foreignHtml(coin, nameGraphemesMax) || 'another coin'}`;
};

/** `Buyer 0x52d0…e8b7`, the address linked to the explorer. */
export const personLine = (role: string, address: string | null, explorerUrl: string): string | null => {
  const canonical = address === null ? null : canonicalAddress(address);
  return canonical === null ? null : `${role} ${link(accountLink(explorerUrl, canonical), shortAddress(canonical))}`;
};

/** Joins facts on one line; null if none is known. */
export const joined = (parts: readonly Line[]): string | null =>
  parts.filter((part) => part !== null && part !== '').join(' · ') || null;

/** Brand spelling of the markets; the feed has them in lower case. */
const marketNames: ReadonlyMap<string, string> = new Map([
  ['tradeport', 'TradePort'],
  ['bluemove', 'BlueMove'],
]);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const marketLine = (event: ActivityEvent): string | null => {
  const name = event.marketName?.trim() ?? '';
  const market = foreignHtml(marketNames.get(name.toLowerCase()) ?? capital(name), wordGraphemesMax);
  return market === '' ? null : `On ${market}`;
};

export const rankLine = (event: ActivityEvent): string | null => {
  const rank = event.nft?.rank ?? null;
  return rank === null || !Number.isSafeInteger(rank) || rank <= 0 ? null : `Rank ${rank}`;
};

/** Transaction digests are base58 of 32 bytes. */
const digestPattern = /^[1-9A-HJ-NP-Za-km-z]{32,50}$/;

export const transactionHtml = (digest: string | null, explorerUrl: string): string | null =>
  digest !== null && digestPattern.test(digest) ? link(transactionLink(explorerUrl, digest), 'Transaction') : null;

/** The one line of links at the end (design brief). */
export const linkLine = (event: ActivityEvent, explorerUrl: string): string | null => {
  const objectId = event.nft === null ? null : canonicalAddress(event.nft.objectId);
  return joined([
    transactionHtml(event.transactionDigest, explorerUrl),
    objectId === null ? null : link(objectLink(explorerUrl, objectId), 'NFT'),
  ]);
};
