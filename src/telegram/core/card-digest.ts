import type { ActivityEvent } from '../../collections/contract.ts';
import {
  type CardContext,
  type Line,
  cardOf,
  collectionHtml,
  headline,
  subjectHtml,
  transactionHtml,
} from './card-parts.ts';
import type { MessageContent } from './message-content.ts';
import { suiText } from './price-text.ts';
import { tallyOf, talliesOf } from './tally.ts';
import { floorText, tallyText } from './tally-text.ts';
import { spanText } from './time-text.ts';

/** `Top sale: Sui Rock #87 for 14.56 SUI`. */
export const topSaleLine = (topSale: ActivityEvent | null, context: CardContext): string | null => {
  if (topSale === null || topSale.priceMist === null) return null;
  const transaction = transactionHtml(topSale.transactionDigest, context.explorerUrl);
  const link = transaction === null ? '' : ` · ${transaction}`;
  return `Top sale: ${subjectHtml(topSale, context)} for ${suiText(topSale.priceMist)}${link}`;
};

/** Counts and sums of many events, kind by kind, with the dearest sale. */
export const talliedLines = (events: readonly ActivityEvent[], context: CardContext): readonly Line[] => [
  ...talliesOf(events).map(tallyText),
  events.filter(({ kind }) => kind === 'sale').length > 1 ? topSaleLine(tallyOf('sale', events).top, context) : null,
];

/**
 * Rulings R4: what is not told one by one after downtime, in a burst, or because it is older than 6 hours. Silent.
 * `utcOffsetMinutes` is the chat's own time.
 */
export const digestCard = (
  events: readonly ActivityEvent[],
  context: CardContext,
  utcOffsetMinutes: number,
): MessageContent => {
  const noun = events.length === 1 ? 'event' : 'events';
  return cardOf(
    [
      headline('📜', `<b>Catching up on ${collectionHtml(context.collection.name)}: ${events.length} ${noun}</b>`),
      spanText(
        events.map(({ happenedAt }) => happenedAt),
        utcOffsetMinutes,
      ),
      ...talliedLines(events, context),
      floorText(null, context.collection.floorMist),
    ],
    { isSilent: true },
  );
};
