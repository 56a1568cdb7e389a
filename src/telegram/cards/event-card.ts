import type { ActivityEvent, ActivityKind, TrackedCollection } from '../../market/contract.ts';
import type { OwnRocks } from '../../market/rocks-contract.ts';
import { accountLink, objectLink, nftAtMarketplace, transactionLink } from '../../shared/explorer-links.ts';
import { suiText } from '../../shared/money.ts';
import { canonicalAddress, canonicalType, digestPattern, shortAddress } from '../../shared/sui-address.ts';
import {
  cardOf,
  collectionHtml,
  foreignHtml,
  headline,
  joined,
  type Line,
  link,
  nameGraphemesMax,
  wordGraphemesMax,
  type MessageContent,
} from './message-html.ts';
import { progressText } from './mint-progress.ts';
import { againstFloorText, inBrackets, listingFloorText, shareOfFloorText, usdText } from './price-text.ts';

export interface CardContext {
  readonly collection: Pick<TrackedCollection, 'name' | 'imageUrl' | 'floorMist' | 'slug'>;
  /** Before the poll that found the events; null: unknown. */
  readonly floorBeforeMist: bigint | null;
  readonly explorerUrl: string;
  /** Decimal text; null: unknown. */
  readonly usdPerSui: string | null;
  /** Links NFTs of the product's own collection to their pages. */
  readonly rocks: Pick<OwnRocks, 'pageOf'>;
}

/** The NFT, or the collection for an event without one. */
export const subjectHtml = (event: ActivityEvent, { collection }: Pick<CardContext, 'collection'>): string => {
  if (event.nftObjectId === null) return `<b>${collectionHtml(collection.name)}</b>`;
  const address = canonicalAddress(event.nftObjectId);
  const name = foreignHtml(event.nftName ?? '', nameGraphemesMax);
  return `<b>${name || (address === null ? 'An NFT' : `NFT ${shortAddress(address)}`)}</b>`;
};

/**
 * `14.56 SUI ($50.96)`. A price in another coin is shown as the marketplace wrote it, never converted; null: unknown.
 */
const priceHtml = (event: ActivityEvent, usdPerSui: string | null): string | null => {
  if (event.priceMist !== null) {
    return `<b>${suiText(event.priceMist)}</b>${inBrackets(usdText(event.priceMist, usdPerSui))}`;
  }
  const { foreignCoinType: coinType, foreignRawAmount: rawAmount } = event;
  return coinType === null || rawAmount === null ? null : foreignPriceHtml(coinType, rawAmount);
};

const foreignPriceHtml = (coinType: string, rawAmount: string): string => {
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
  const rank = event.nftRank;
  return rank === null || !Number.isSafeInteger(rank) || rank <= 0 ? null : `Rank ${rank}`;
};

export const transactionHtml = (digest: string | null, explorerUrl: string): string | null =>
  digest !== null && digestPattern.test(digest) ? link(transactionLink(explorerUrl, digest), 'Transaction') : null;

/** The one line of links at the end (design brief). */
const linkLine = (event: ActivityEvent, { explorerUrl, rocks }: CardContext): string | null => {
  const objectId = canonicalAddress(event.nftObjectId ?? '');
  const rock = objectId === null ? null : rocks.pageOf(objectId);
  return joined([
    transactionHtml(event.transactionDigest, explorerUrl),
    objectId === null ? null : link(objectLink(explorerUrl, objectId), 'NFT'),
    rock === null ? null : link(rock.url, `Rock #${rock.number}`),
  ]);
};

const collectionPages = 'https://www.tradeport.xyz/sui/collection/';
/** Telegram refuses a message whose button has a longer URL (2,048 characters). */
const addressMaxLength = 2_000;

/** The marketplace page of the NFT or of its collection. No slug can lead to another site. */
export const marketButton = (
  { collection }: Pick<CardContext, 'collection'>,
  event: Pick<ActivityEvent, 'kind' | 'nftObjectId'> | null = null,
): Pick<MessageContent, 'buttons'> => {
  const objectId = canonicalAddress(event?.nftObjectId ?? '');
  const slug = encodeURIComponent(collection.slug.toWellFormed());
  const page = `${collectionPages}${slug}?bottomTab=trades&tab=items`;
  const url = (objectId === null ? null : nftAtMarketplace(page, objectId)) ?? page;
  if (/^\.*$/.test(slug) || url.length > addressMaxLength) return { buttons: [] };
  const text = event?.kind === 'listing' && objectId !== null ? 'Buy on TradePort' : 'View on TradePort';
  return { buttons: [[{ text, url }]] };
};

/** The one emoji of a card (design brief). */
export const signs: Readonly<Record<ActivityKind, string>> = { mint: '🪨', sale: '💰', listing: '🏷', bid: '✋' };

interface EventWords {
  readonly sentence: string;
  readonly floor: Line;
  readonly lines: readonly Line[];
}

/** The card of one event. Only the words differ by kind. */
const cardOfEvent = (
  event: ActivityEvent,
  context: CardContext,
  { sentence, floor, lines }: EventWords,
): MessageContent =>
  cardOf(
    [
      headline(signs[event.kind], sentence),
      floor,
      joined([rankLine(event), marketLine(event)]),
      ...lines,
      linkLine(event, context),
    ],
    { imageUrl: event.nftImageUrl, ...marketButton(context, event) },
  );

interface MintCount {
  /** Including this mint. */
  readonly mintedCount: number;
  readonly maxSupply: number | null;
}

const mintCard = (event: ActivityEvent, context: CardContext, count: MintCount): MessageContent => {
  const price = event.priceMist === 0n ? ' for free' : forPrice(event, context.usdPerSui);
  return cardOfEvent(event, context, {
    sentence: `${subjectHtml(event, context)} minted${price}`,
    floor: null,
    lines: [personLine('Minter', event.buyer, context.explorerUrl), progressText(count.mintedCount, count.maxSupply)],
  });
};

/** Rulings R4: an accepted bid is a sale 'via bid' (`accept-bid`, `accept-collection-bid`, `accept-attribute-bid`). */
export const isViaBid = (event: Pick<ActivityEvent, 'kind' | 'type'>): boolean =>
  event.kind === 'sale' && /^accept-(?:[a-z]+-)*bid$/.test(event.type);

const saleCard = (event: ActivityEvent, context: CardContext): MessageContent => {
  const how = `${forPrice(event, context.usdPerSui)}${isViaBid(event) ? ', via bid' : ''}`;
  return cardOfEvent(event, context, {
    sentence: `${subjectHtml(event, context)} sold${how}`,
    floor: againstFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
    lines: [
      personLine('Buyer', event.buyer, context.explorerUrl),
      personLine('Seller', event.seller, context.explorerUrl),
    ],
  });
};

const listingCard = (event: ActivityEvent, context: CardContext): MessageContent =>
  cardOfEvent(event, context, {
    sentence: `${subjectHtml(event, context)} listed${forPrice(event, context.usdPerSui)}`,
    floor: listingFloorText(event.priceMist, {
      beforeMist: context.floorBeforeMist,
      nowMist: context.collection.floorMist,
    }),
    lines: [personLine('Seller', event.seller, context.explorerUrl)],
  });

/** A bid on one NFT or on any of the collection, as a percentage of the floor (rulings R4). */
const bidCard = (event: ActivityEvent, context: CardContext): MessageContent => {
  const price = priceHtml(event, context.usdPerSui);
  const subject = `${event.nftObjectId === null ? 'any NFT of ' : ''}${subjectHtml(event, context)}`;
  const card = cardOfEvent(event, context, {
    sentence: `${price === null ? 'A bid' : `Bid of ${price}`} for ${subject}`,
    floor: shareOfFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
    lines: [personLine('Bidder', event.buyer, context.explorerUrl)],
  });
  return event.nftObjectId === null ? { ...card, imageUrl: context.collection.imageUrl } : card;
};

export const eventCard = (event: ActivityEvent, context: CardContext, count: MintCount): MessageContent => {
  const cards: Readonly<Record<ActivityKind, () => MessageContent>> = {
    mint: () => mintCard(event, context, count),
    sale: () => saleCard(event, context),
    listing: () => listingCard(event, context),
    bid: () => bidCard(event, context),
  };
  return cards[event.kind]();
};

/** `/test` and the admin tab's test (rulings R4): the latest real sale, never an invented one; null: none is known. */
export const sampleCard = (sale: ActivityEvent | null, context: CardContext): MessageContent => {
  if (sale === null) {
    const name = collectionHtml(context.collection.name);
    return cardOf([
      `This is a test: messages arrive here. No sale of <b>${name}</b> is known yet, so there is none to show as a sample.`,
    ]);
  }
  const card = saleCard(sale, context);
  return { ...card, html: `<i>This is a sample: the latest real sale.</i>\n${card.html}` };
};
