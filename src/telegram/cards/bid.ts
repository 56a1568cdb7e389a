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
import { shareOfFloorText } from './price-text.ts';

/** A bid on one piece or on any of the collection, as a percentage of the floor (rulings R4). */
export const bidCard = (event: ActivityEvent, context: CardContext): MessageContent => {
  const price = priceHtml(event, context.usdPerSui);
  const subject = `${event.nft === null ? 'any NFT of ' : ''}${subjectHtml(event, context)}`;
  return cardOf(
    [
      headline('✋', `${price === null ? 'A bid' : `Bid of ${price}`} for ${subject}`),
      shareOfFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
      joined([rankLine(event), marketLine(event)]),
      personLine('Bidder', event.buyer, context.explorerUrl),
      linkLine(event, context.explorerUrl),
    ],
    {
      imageUrl: event.nft === null ? context.collection.imageUrl : event.nft.imageUrl,
      ...marketButton(context, event),
    },
  );
};
