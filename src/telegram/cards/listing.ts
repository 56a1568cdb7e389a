import type { ActivityEvent } from '../../market/contract.ts';
import { listingFloorText } from '../notify/rules/listing-floor.ts';
import { type CardContext, cardOfEvent, forPrice, personLine, subjectHtml } from './parts.ts';
import type { MessageContent } from './message-content.ts';

export const listingCard = (event: ActivityEvent, context: CardContext): MessageContent =>
  cardOfEvent(event, context, {
    headline: `🏷 ${subjectHtml(event, context)} listed${forPrice(event, context.usdPerSui)}`,
    floor: listingFloorText(event.priceMist, {
      beforeMist: context.floorBeforeMist,
      nowMist: context.collection.floorMist,
    }),
    lines: [personLine('Seller', event.seller, context.explorerUrl)],
  });
