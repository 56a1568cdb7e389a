import type { ActivityEvent } from '../../market/contract.ts';
import {
  type CardContext,
  cardOf,
  headline,
  joined,
  linkLine,
  marketLine,
  personLine,
  priceHtml,
  rankLine,
  subjectHtml,
} from './parts.ts';
import { marketButton } from './market-button.ts';
import type { MessageContent } from './message-content.ts';
import { listingFloorText } from '../notify/rules/listing-floor.ts';

export const listingCard = (event: ActivityEvent, context: CardContext): MessageContent => {
  const price = priceHtml(event, context.usdPerSui);
  return cardOf(
    [
      headline('🏷', `${subjectHtml(event, context)} listed${price === null ? '' : ` for ${price}`}`),
      listingFloorText(event.priceMist, {
        beforeMist: context.floorBeforeMist,
        nowMist: context.collection.floorMist,
      }),
      joined([rankLine(event), marketLine(event)]),
      personLine('Seller', event.seller, context.explorerUrl),
      linkLine(event, context.explorerUrl),
    ],
    { imageUrl: event.nft?.imageUrl ?? null, ...marketButton(context, event) },
  );
};
