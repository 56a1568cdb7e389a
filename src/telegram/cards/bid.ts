import type { ActivityEvent } from '../../market/contract.ts';
import { type CardContext, cardOfEvent, personLine, priceHtml, subjectHtml } from './parts.ts';
import type { MessageContent } from './message-content.ts';
import { shareOfFloorText } from './price-text.ts';

/** A bid on one piece or on any of the collection, as a percentage of the floor (rulings R4). */
export const bidCard = (event: ActivityEvent, context: CardContext): MessageContent => {
  const price = priceHtml(event, context.usdPerSui);
  const subject = `${event.nft === null ? 'any NFT of ' : ''}${subjectHtml(event, context)}`;
  const card = cardOfEvent(event, context, {
    headline: `✋ ${price === null ? 'A bid' : `Bid of ${price}`} for ${subject}`,
    floor: shareOfFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
    lines: [personLine('Bidder', event.buyer, context.explorerUrl)],
  });
  return event.nft === null ? { ...card, imageUrl: context.collection.imageUrl } : card;
};
