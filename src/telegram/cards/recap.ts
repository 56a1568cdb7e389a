import type { ActivityEvent, ActivitySummary } from '../../market/contract.ts';
import { soleSaleLine, tallyCard, topSaleLine } from './digest.ts';
import { type CardContext, cardOf, collectionHtml, joined, type Line } from './parts.ts';
import type { MessageContent } from './message-content.ts';
import { progressText } from './mint-progress.ts';
import { inBrackets, readsSame, suiText, usdText } from './price-text.ts';
import { countOf, floorText } from './tally.ts';
import { spanText } from '../notify/rules/time-text.ts';
import { localMinute } from '../notify/rules/time-zone.ts';

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
  return tallyCard(events, context, { title, timeZone, floorThenMist: context.floorBeforeMist, isSilent: false });
};

interface DailyRecap {
  readonly summary: ActivitySummary;
  readonly span: { readonly from: Date; readonly to: Date };
  /** At the beginning of the span; null: unknown. */
  readonly floorThenMist: bigint | null;
  readonly context: CardContext;
  readonly mintedCount: number;
  readonly maxSupply: number | null;
  readonly timeZone: string;
}

/** Rulings R4: one message a day with sales, volume, floor then and now, the top sale and the mint's progress. */
export const dailyRecap = (recap: DailyRecap): MessageContent => {
  const { summary, span, context } = recap;
  return cardOf([
    `📅 <b>${collectionHtml(context.collection.name)}, the day: ${salesWords(summary, context.usdPerSui)}</b>`,
    spanText([span.from, span.to], recap.timeZone),
    pricesOfDay(summary, context),
    otherCountsLine(summary),
    floorText(recap.floorThenMist, context.collection.floorMist),
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
