import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import {
  type MessageContent,
  type CardContext,
  cardOf,
  cardOfEvent,
  collectionHtml,
  forPrice,
  personLine,
  priceHtml,
  subjectHtml,
} from './parts.ts';
import { progressText } from './mint-progress.ts';
import { againstFloorText, belowOldFloorText, shareOfFloorText } from './price-text.ts';

interface MintCount {
  /** Including this mint. */
  readonly mintedCount: number;
  readonly maxSupply: number | null;
}

const mintCard = (event: ActivityEvent, context: CardContext, count: MintCount): MessageContent => {
  const price = event.priceMist === 0n ? ' for free' : forPrice(event, context.usdPerSui);
  return cardOfEvent(event, context, {
    headline: `🪨 ${subjectHtml(event, context)} minted${price}`,
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
    headline: `💰 ${subjectHtml(event, context)} sold${how}`,
    floor: againstFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
    lines: [
      personLine('Buyer', event.buyer, context.explorerUrl),
      personLine('Seller', event.seller, context.explorerUrl),
    ],
  });
};

const listingCard = (event: ActivityEvent, context: CardContext): MessageContent =>
  cardOfEvent(event, context, {
    headline: `🏷 ${subjectHtml(event, context)} listed${forPrice(event, context.usdPerSui)}`,
    floor: listingFloorText(event.priceMist, {
      beforeMist: context.floorBeforeMist,
      nowMist: context.collection.floorMist,
    }),
    lines: [personLine('Seller', event.seller, context.explorerUrl)],
  });

/** Before and after the poll that found a listing; null: unknown. */
interface Floors {
  readonly beforeMist: bigint | null;
  readonly nowMist: bigint | null;
}

/** The higher of the two known floors: the listing itself may have set the new one. */
const highestFloor = ({ beforeMist, nowMist }: Floors): bigint | null => {
  if (beforeMist === null || nowMist === null) return beforeMist ?? nowMist;
  return beforeMist > nowMist ? beforeMist : nowMist;
};

/** Unknown counts as not above. */
export const isAboveFloor = (priceMist: bigint | null, floors: Floors): boolean => {
  const floor = highestFloor(floors);
  return priceMist !== null && floor !== null && priceMist > floor;
};

/** The price relative to the floor used by `isAboveFloor`, so that no posted listing reads as above it. */
export const listingFloorText = (priceMist: bigint | null, floors: Floors): string | null => {
  const { beforeMist, nowMist } = floors;
  if (isAboveFloor(priceMist, floors)) return againstFloorText(priceMist, nowMist ?? beforeMist);
  const isNewFloor =
    priceMist !== null && beforeMist !== null && nowMist !== null && priceMist < beforeMist && priceMist <= nowMist;
  return isNewFloor ? belowOldFloorText(priceMist, beforeMist) : againstFloorText(priceMist, highestFloor(floors));
};

/** A bid on one piece or on any of the collection, as a percentage of the floor (rulings R4). */
const bidCard = (event: ActivityEvent, context: CardContext): MessageContent => {
  const price = priceHtml(event, context.usdPerSui);
  const subject = `${event.nft === null ? 'any NFT of ' : ''}${subjectHtml(event, context)}`;
  const card = cardOfEvent(event, context, {
    headline: `✋ ${price === null ? 'A bid' : `Bid of ${price}`} for ${subject}`,
    floor: shareOfFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
    lines: [personLine('Bidder', event.buyer, context.explorerUrl)],
  });
  return event.nft === null ? { ...card, imageUrl: context.collection.imageUrl } : card;
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
