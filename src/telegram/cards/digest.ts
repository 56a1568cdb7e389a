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

interface TallyCard {
  /** `count`: '7 events'. */
  readonly title: (count: string) => string;
  /** The chat's own. */
  readonly timeZone: string;
  /** null: unknown, or long ago. */
  readonly floorThenMist: bigint | null;
  readonly isSilent: boolean;
}

/** Many events: when, counts and sums by kind, the highest sale, the floor. */
export const tallyCard = (
  events: readonly ActivityEvent[],
  context: CardContext,
  { title, timeZone, floorThenMist, isSilent }: TallyCard,
): MessageContent => {
  const times = events.map(({ happenedAt }) => happenedAt);
  return cardOf(
    [
      title(`${events.length} ${events.length === 1 ? 'event' : 'events'}`),
      spanText(times, timeZone),
      ...talliesOf(events).map((tally) => tallyLine(tally, context)),
      topSaleOfMany(tallyOf('sale', events), context),
      floorText(floorThenMist, context.collection.floorMist),
    ],
    { isSilent },
  );
};

/** Rulings R4: events held back by downtime, a burst, or an age over 6 hours. Silent. `timeZone` is the chat's own. */
export const digestCard = (
  events: readonly ActivityEvent[],
  context: CardContext,
  timeZone: string,
): MessageContent => {
  const title = (count: string): string =>
    `📜 <b>Catching up on ${collectionHtml(context.collection.name)}: ${count}</b>`;
  return tallyCard(events, context, { title, timeZone, floorThenMist: null, isSilent: true });
};
