import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import { bidCard } from './card-bid.ts';
import { listingCard } from './card-listing.ts';
import { type MintCount, mintCard } from './card-mint.ts';
import type { CardContext } from './card-parts.ts';
import { saleCard } from './card-sale.ts';
import type { MessageContent } from './message-content.ts';

/** The card of one event; `count` is shown on mints. */
export const eventCard = (event: ActivityEvent, context: CardContext, count: MintCount): MessageContent => {
  const cards: Readonly<Record<ActivityKind, () => MessageContent>> = {
    mint: () => mintCard(event, context, count),
    sale: () => saleCard(event, context),
    listing: () => listingCard(event, context),
    bid: () => bidCard(event, context),
  };
  return cards[event.kind]();
};
