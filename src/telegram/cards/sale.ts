import type { ActivityEvent } from '../../market/contract.ts';
import { type CardContext, cardOfEvent, forPrice, personLine, subjectHtml } from './parts.ts';
import type { MessageContent } from './message-content.ts';
import { againstFloorText } from './price-text.ts';

/** Rulings R4: an accepted bid is a sale 'via bid' (`accept-bid`, `accept-collection-bid`, `accept-attribute-bid`). */
export const isViaBid = (event: Pick<ActivityEvent, 'kind' | 'type'>): boolean =>
  event.kind === 'sale' && /^accept-(?:[a-z]+-)*bid$/.test(event.type);

export const saleCard = (event: ActivityEvent, context: CardContext): MessageContent => {
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
