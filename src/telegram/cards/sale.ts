import type { ActivityEvent } from '../../market/contract.ts';
import {
  type CardContext,
  type Line,
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
import { againstFloorText } from './price-text.ts';
import { isViaBid } from './via-bid.ts';

/** The lines of a sale; a sample prepends one of its own. */
export const saleLines = (event: ActivityEvent, context: CardContext): readonly Line[] => {
  const price = priceHtml(event, context.usdPerSui);
  const viaBid = isViaBid(event) ? ', via bid' : '';
  return [
    headline('💰', `${subjectHtml(event, context)} sold${price === null ? '' : ` for ${price}`}${viaBid}`),
    againstFloorText(event.priceMist, context.floorBeforeMist ?? context.collection.floorMist),
    joined([rankLine(event), marketLine(event)]),
    personLine('Buyer', event.buyer, context.explorerUrl),
    personLine('Seller', event.seller, context.explorerUrl),
    linkLine(event, context.explorerUrl),
  ];
};

export const saleCard = (event: ActivityEvent, context: CardContext): MessageContent =>
  cardOf(saleLines(event, context), { imageUrl: event.nft?.imageUrl ?? null, ...marketButton(context, event) });
