import type { ActivityEvent, ActivitySummary, ActivityKind } from '../../market/contract.ts';
import {
  cardOf,
  collectionHtml,
  headline,
  joined,
  type Line,
  foreignHtml,
  wordGraphemesMax,
  type MessageContent,
} from './message-html.ts';
import {
  type CardContext,
  subjectHtml,
  transactionHtml,
  forPrice,
  marketButton,
  personLine,
  signs,
} from './event-card.ts';
import { counted, suiText, withCommas } from '../../shared/money.ts';
import { floorText, inBrackets, usdText } from './price-text.ts';
import { talliesOf, type Tally, tallyOf, tallyText, countOf, unpricedWords } from './tally.ts';
import { spanText } from '../time-zone.ts';
import { progressText } from './mint-progress.ts';

/** More names would make the card a list. */
const namesShown = 5;

const namesLine = (events: readonly ActivityEvent[]): string | null => {
  const names = events.flatMap(({ nftName }) => foreignHtml(nftName ?? '', wordGraphemesMax) || []);
  const more = names.length - namesShown;
  return names.length === 0
    ? null
    : `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${withCommas(String(more))} more` : ''}`;
};

/** A sweep is one transaction, linked once. */
const sharedTransaction = (events: readonly ActivityEvent[], explorerUrl: string): Line => {
  const digest = events[0]?.transactionDigest ?? null;
  return events.every((event) => event.transactionDigest === digest) ? transactionHtml(digest, explorerUrl) : null;
};

/** Rulings R4: more than 5 events of one kind in one poll become one card with count, total, average, new floor. */
export const foldedCard = (
  kind: ActivityKind,
  events: readonly ActivityEvent[],
  context: CardContext,
  progress: Line,
): MessageContent => {
  const { collection, floorBeforeMist, usdPerSui } = context;
  const tally = tallyOf(kind, events);
  return cardOf(
    [
      headline(signs[kind], `<b>${collectionHtml(collection.name)}: ${tallyText(tally, usdPerSui)}</b>`),
      namesLine(events),
      floorText(floorBeforeMist, collection.floorMist),
      progress,
      sharedTransaction(events, context.explorerUrl),
    ],
    { imageUrl: tally.top?.nftImageUrl ?? collection.imageUrl, ...marketButton(context) },
  );
};

/** Rulings R4: the running card of a wallet listing over 10 NFTs an hour: each once, at its newest price. Silent. */
export const walletListingsCard = (
  wallet: string,
  listings: readonly ActivityEvent[],
  context: CardContext,
): MessageContent => {
  const { collection, floorBeforeMist, usdPerSui } = context;
  const tally = tallyOf('listing', listings);
  const lowest = listings.find(({ priceMist }) => priceMist === tally.prices?.lowestMist);
  const what = `${collectionHtml(collection.name)}, one wallet within an hour: ${tallyText(tally, usdPerSui)}`;
  return cardOf(
    [
      headline(signs.listing, `<b>${what}</b>`),
      oneListing('Lowest', lowest, context),
      oneListing('Newest', listings.at(-1), context),
      floorText(floorBeforeMist, collection.floorMist),
      personLine('Seller', wallet, context.explorerUrl),
    ],
    { isSilent: true, ...marketButton(context) },
  );
};

/** `Lowest: Sui Rock #3 for 5 SUI`. */
const oneListing = (what: string, listing: ActivityEvent | undefined, context: CardContext): Line =>
  listing === undefined ? null : `${what}: ${subjectHtml(listing, context)}${forPrice(listing, null)}`;

/** `Top sale: Sui Rock #87 for 14.56 SUI`. */
export const topSaleLine = (
  topSale: ActivityEvent | null,
  context: Pick<CardContext, 'collection' | 'explorerUrl'>,
): Line => {
  if (topSale === null || topSale.priceMist === null || topSale.priceMist === 0n) return null;
  return joined([
    `Top sale: ${subjectHtml(topSale, context)} for ${suiText(topSale.priceMist)}`,
    transactionHtml(topSale.transactionDigest, context.explorerUrl),
  ]);
};

/** `1 listing for 10 SUI ($35.00): Sui Rock #9`: a single event is named. */
const tallyLine = (tally: Tally, context: CardContext): Line => {
  const words = tallyText(tally, context.usdPerSui);
  if (tally.count !== 1 || tally.top === null) return words;
  return joined([
    `${words}: ${subjectHtml(tally.top, context)}`,
    transactionHtml(tally.top.transactionDigest, context.explorerUrl),
  ]);
};

/** Many events: when, counts and sums by kind, the highest sale, the floor. `timeZone` is the chat's own. */
const tallyCard = (
  title: string,
  events: readonly ActivityEvent[],
  context: CardContext,
  timeZone: string,
): MessageContent => {
  const times = events.map(({ happenedAt }) => happenedAt);
  const sales = tallyOf('sale', events);
  return cardOf([
    `<b>${title}: ${counted(events.length, 'event')}</b>`,
    spanText(times, timeZone),
    ...talliesOf(events).map((tally) => tallyLine(tally, context)),
    topSaleLine(sales.count > 1 ? sales.top : null, context),
    floorText(null, context.collection.floorMist),
  ]);
};

/** Rulings R4: events held back by downtime, a burst, or an age over 6 hours. Silent. */
export const digestCard = (
  events: readonly ActivityEvent[],
  context: CardContext,
  timeZone: string,
): MessageContent => {
  const title = `📜 Catching up on ${collectionHtml(context.collection.name)}`;
  return { ...tallyCard(title, events, context, timeZone), isSilent: true };
};

/** Rulings R4: the events held during quiet hours, sent when these end, whether in the morning or not. */
export const morningRecap = (
  events: readonly ActivityEvent[],
  context: CardContext,
  timeZone: string,
): MessageContent =>
  tallyCard(`🔔 ${collectionHtml(context.collection.name)} during quiet hours`, events, context, timeZone);

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
  const what = `${collectionHtml(context.collection.name)}, the day: ${salesWords(summary, context.usdPerSui)}`;
  return cardOf([
    headline('📅', `<b>${what}</b>`),
    spanText([span.from, span.to], recap.timeZone),
    topSaleLine(summary.topSale, context),
    otherCountsLine(summary),
    floorText(null, context.collection.floorMist),
    progressText(recap.mintedCount, recap.maxSupply),
  ]);
};

/** `6 sales for 84.2 SUI ($294.70)`. */
export const salesWords = (
  { saleCount: count, saleVolumeMist, pricedSaleCount: pricedCount }: ActivitySummary,
  usdPerSui: string | null,
): string => {
  if (count === 0) return 'no sales';
  const usd = inBrackets(usdText(saleVolumeMist, usdPerSui));
  const sum = saleVolumeMist === 0n ? '' : ` for ${suiText(saleVolumeMist)}${usd}`;
  return `${countOf('sale', count)}${sum}${inBrackets(unpricedWords({ count, pricedCount }))}`;
};

/** `3 mints · 12 listings · 4 bids`, without zeros: '0 mints' beside '100 / 100 minted' reads as a mistake. */
export const otherCountsLine = ({ mintCount, listingCount, bidCount }: ActivitySummary): Line =>
  joined([
    mintCount === 0 ? null : countOf('mint', mintCount),
    listingCount === 0 ? null : countOf('listing', listingCount),
    bidCount === 0 ? null : countOf('bid', bidCount),
  ]);
