import type { ActivityEvent, ActivitySummary } from '../../market/contract.ts';
import {
  type CardContext,
  cardOf,
  collectionHtml,
  joined,
  type Line,
  subjectHtml,
  transactionHtml,
  type MessageContent,
} from './parts.ts';
import { suiText, inBrackets, readsSame, usdText } from './price-text.ts';
import { floorText, talliesOf, type Tally, tallyOf, tallyText, countOf } from './tally.ts';
import { spanText, localMinute } from '../notify/rules/time-zone.ts';
import { progressText } from './mint-progress.ts';

/** `Top sale: Sui Rock #87 for 14.56 SUI`. */
const topSaleLine = (topSale: ActivityEvent | null, context: CardContext): Line => {
  if (topSale === null || topSale.priceMist === null) return null;
  return joined([
    `Top sale: ${subjectHtml(topSale, context)} for ${suiText(topSale.priceMist)}`,
    transactionHtml(topSale.transactionDigest, context.explorerUrl),
  ]);
};

/** `Sold: Sui Rock #87`, when the price is shown above. */
const soleSaleLine = (sale: ActivityEvent, context: CardContext): Line =>
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
  readonly timeZone: string;
  readonly isSilent: boolean;
}

/** Many events: when, counts and sums by kind, the highest sale, the floor. */
const tallyCard = (
  events: readonly ActivityEvent[],
  context: CardContext,
  { title, timeZone, isSilent }: TallyCard,
): MessageContent => {
  const times = events.map(({ happenedAt }) => happenedAt);
  return cardOf(
    [
      title(`${events.length} ${events.length === 1 ? 'event' : 'events'}`),
      spanText(times, timeZone),
      ...talliesOf(events).map((tally) => tallyLine(tally, context)),
      topSaleOfMany(tallyOf('sale', events), context),
      floorText(null, context.collection.floorMist),
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
  return tallyCard(events, context, { title, timeZone, isSilent: true });
};

const isMorning = (at: Date, timeZone: string): boolean => {
  const hour = Math.floor(localMinute(at, timeZone) / 60);
  return hour >= 4 && hour < 12;
};

/** Rulings R4: the events held during quiet hours, sent when these end, in the morning or not. */
export const morningRecap = (
  events: readonly ActivityEvent[],
  context: CardContext,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): MessageContent => {
  const title = (count: string): string => {
    const what = `${collectionHtml(context.collection.name)} during quiet hours: ${count}`;
    return isMorning(now, timeZone) ? `🌅 <b>Good morning. ${what}</b>` : `🔔 <b>${what}</b>`;
  };
  return tallyCard(events, context, { title, timeZone, isSilent: false });
};

interface DailyRecap {
  readonly summary: ActivitySummary;
  readonly span: { readonly from: Date; readonly to: Date };
  readonly context: CardContext;
  readonly mintedCount: number;
  readonly maxSupply: number | null;
  readonly timeZone: string;
}

/** Rulings R4: one message a day with sales, volume, floor, the top sale and the mint's progress. */
export const dailyRecap = (recap: DailyRecap): MessageContent => {
  const { summary, span, context } = recap;
  return cardOf([
    `📅 <b>${collectionHtml(context.collection.name)}, the day: ${salesWords(summary, context.usdPerSui)}</b>`,
    spanText([span.from, span.to], recap.timeZone),
    pricesOfDay(summary, context),
    otherCountsLine(summary),
    floorText(null, context.collection.floorMist),
    progressText(recap.mintedCount, recap.maxSupply),
  ]);
};

/** The highest sale, the only one, or the one price of all. */
export const pricesOfDay = ({ saleCount, saleVolumeMist, topSale }: ActivitySummary, context: CardContext): Line => {
  if (topSale === null || topSale.priceMist === null) return null;
  if (saleCount === 1) return soleSaleLine(topSale, context);
  if (topSale.priceMist === 0n) return null;
  return readsSame(topSale.priceMist * BigInt(saleCount), saleVolumeMist)
    ? `Each sold for ${suiText(topSale.priceMist)}`
    : topSaleLine(topSale, context);
};

/** `6 sales for 84.2 SUI ($294.70)`. */
export const salesWords = ({ saleCount, saleVolumeMist }: ActivitySummary, usdPerSui: string | null): string => {
  if (saleCount === 0) return 'no sales';
  const usd = inBrackets(usdText(saleVolumeMist, usdPerSui));
  return `${countOf('sale', saleCount)}${saleVolumeMist === 0n ? '' : ` for ${suiText(saleVolumeMist)}${usd}`}`;
};

/** `3 mints · 12 listings · 4 bids`, without zeros: '0 mints' beside '100 / 100 minted' reads as a mistake. */
export const otherCountsLine = ({ mintCount, listingCount, bidCount }: ActivitySummary): Line =>
  joined([
    mintCount === 0 ? null : countOf('mint', mintCount),
    listingCount === 0 ? null : countOf('listing', listingCount),
    bidCount === 0 ? null : countOf('bid', bidCount),
  ]);
