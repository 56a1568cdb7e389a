import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import { bidCard } from './bid.ts';
import { listingCard } from './listing.ts';
import { type MintCount, mintCard } from './mint.ts';
import type { CardContext } from './parts.ts';
import { saleCard } from './sale.ts';
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
