import type { ActivityEvent } from '../../market/contract.ts';
import { type CardContext, cardOf, collectionHtml, joined, type Line, subjectHtml, transactionHtml } from './parts.ts';
import type { MessageContent } from './message-content.ts';
import { suiText } from './price-text.ts';
import { floorText, talliesOf, type Tally, tallyOf, tallyText } from './tally.ts';
import { spanText } from '../notify/rules/time-text.ts';

/** `Top sale: Sui Rock #87 for 14.56 SUI`. */
export const topSaleLine = (topSale: ActivityEvent | null, context: CardContext): Line => {
  if (topSale === null || topSale.priceMist === null) return null;
  return joined([
    `Top sale: ${subjectHtml(topSale, context)} for ${suiText(topSale.priceMist)}`,
    transactionHtml(topSale.transactionDigest, context.explorerUrl),
  ]);
};

/** `Sold: Sui Rock #87`, when the price is shown above. */
export const soleSaleLine = (sale: ActivityEvent, context: CardContext): Line =>
  joined([`Sold: ${subjectHtml(sale, context)}`, transactionHtml(sale.transactionDigest, context.explorerUrl)]);

/** With equal prices there is no top sale. */
const topSaleOfMany = ({ prices, top }: Tally, context: CardContext): Line =>
  prices === null || prices.isOnePrice ? null : topSaleLine(top, context);

/** `1 sale for 7 SUI: Sui Rock #87`: a single event is named. */
const tallyLine = (tally: Tally, context: CardContext): Line => {
  if (tally.count !== 1 || tally.top === null) return tallyText(tally);
  const sole = `${tallyText(tally)}: ${subjectHtml(tally.top, context)}`;
  return joined([sole, transactionHtml(tally.top.transactionDigest, context.explorerUrl)]);
};

/** Counts and sums of many events by kind, with the highest sale. */
export const talliedLines = (events: readonly ActivityEvent[], context: CardContext): readonly Line[] => [
  ...talliesOf(events).map((tally) => tallyLine(tally, context)),
  topSaleOfMany(tallyOf('sale', events), context),
];

/** Rulings R4: events held back by downtime, a burst, or an age over 6 hours. Silent. `timeZone` is the chat's own. */
export const digestCard = (
  events: readonly ActivityEvent[],
  context: CardContext,
  timeZone: string,
): MessageContent => {
  const noun = events.length === 1 ? 'event' : 'events';
  return cardOf(
    [
      `📜 <b>Catching up on ${collectionHtml(context.collection.name)}: ${events.length} ${noun}</b>`,
      spanText(
        events.map(({ happenedAt }) => happenedAt),
        timeZone,
      ),
      ...talliedLines(events, context),
      floorText(null, context.collection.floorMist),
    ],
    { isSilent: true },
  );
};
