import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import {
  foreignHtml,
  wordGraphemesMax,
  type MessageContent,
  type CardContext,
  cardOf,
  collectionHtml,
  forPrice,
  joined,
  type Line,
  marketButton,
  personLine,
  subjectHtml,
  transactionHtml,
} from './parts.ts';
import { readsSame, suiRangeText, suiText } from './price-text.ts';
import { countOf, floorText, isOffer, priceWords, type Tally, tallyOf, unpricedWords } from './tally.ts';

/** More names would make the card a list. */
const namesShown = 5;

const signs: Readonly<Record<ActivityKind, string>> = { mint: '🪨', sale: '💰', listing: '🏷', bid: '✋' };

const namesLine = (events: readonly ActivityEvent[]): string | null => {
  const names = events.flatMap(({ nft }) => foreignHtml(nft?.name ?? '', wordGraphemesMax) || []);
  const more = names.length - namesShown;
  return names.length === 0 ? null : `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const boldPriceWords = (tally: Tally, { usdPerSui }: CardContext): string =>
  priceWords(tally, usdPerSui, (amount) => `<b>${amount}</b>`);

/** What the headline omits: the total of offers, the average or the one price, the range of prices paid. */
const detailLine = ({ kind, pricedCount, prices }: Tally): string | null => {
  if (prices === null) return null;
  const { averageMist, totalMist, lowestMist, highestMist, isOnePrice } = prices;
  const total = isOffer(kind) && pricedCount > 1 ? `Total ${suiText(totalMist)}` : null;
  // The single price of offers is in the headline, as is the price of the only event that has one.
  const isSaid = isOffer(kind) || pricedCount === 1 || totalMist === 0n;
  if (isOnePrice) return joined([isSaid ? null : `Each ${suiText(lowestMist)}`, total]);
  const range = kind === 'listing' ? null : `From ${suiRangeText(lowestMist, highestMist)}`;
  return joined([`Average ${suiText(averageMist)}`, total, range]);
};

/** A sweep is one transaction: stated and linked once. */
const sharedTransaction = (events: readonly ActivityEvent[], explorerUrl: string): Line => {
  const digest = events[0]?.transactionDigest ?? null;
  return events.every((event) => event.transactionDigest === digest) ? transactionHtml(digest, explorerUrl) : null;
};

/** A floor equal to the headline's one price is not repeated. */
const newFloorText = ({ kind, prices }: Tally, context: CardContext): string | null => {
  const { floorMist } = context.collection;
  const text = floorText(context.floorBeforeMist, floorMist);
  const isSaid =
    isOffer(kind) &&
    prices !== null &&
    floorMist !== null &&
    [prices.lowestMist, prices.highestMist].every((price) => readsSame(price, floorMist));
  return isSaid && text === `Floor ${suiText(floorMist)}` ? 'That is the floor' : text;
};

/** Rulings R4: more than 5 events of one kind in one poll become one card with count, total, average, new floor. */
export const foldedCard = (
  kind: ActivityKind,
  events: readonly ActivityEvent[],
  context: CardContext,
  progress: Line,
): MessageContent => {
  const tally = tallyOf(kind, events);
  const what = `<b>${countOf(kind, tally.count)}</b> of ${collectionHtml(context.collection.name)}`;
  return cardOf(
    [
      `${signs[kind]} ${what}${boldPriceWords(tally, context)}`,
      detailLine(tally),
      unpricedWords(tally),
      namesLine(events),
      newFloorText(tally, context),
      progress,
      sharedTransaction(events, context.explorerUrl),
    ],
    { imageUrl: tally.top?.nft?.imageUrl ?? context.collection.imageUrl, ...marketButton(context) },
  );
};

/** Rulings R4: the running card of a wallet listing over 10 NFTs an hour: each once, at its newest price. Silent. */
export const walletListingsCard = (
  wallet: string,
  listings: readonly ActivityEvent[],
  context: CardContext,
): MessageContent => {
  const tally = tallyOf('listing', listings);
  const lowest = listings.find(({ priceMist }) => priceMist === tally.prices?.lowestMist);
  const what = `<b>${tally.count} NFTs</b> of ${collectionHtml(context.collection.name)}`;
  return cardOf(
    [
      `${signs.listing} Wallet <b>${shortAddress(wallet)}</b> listed ${what} within an hour${boldPriceWords(tally, context)}`,
      unpricedWords(tally),
      onePiece('Lowest', lowest, context),
      onePiece('Newest', listings.at(-1), context),
      newFloorText(tally, context),
      personLine('Seller', wallet, context.explorerUrl),
    ],
    { isSilent: true, ...marketButton(context) },
  );
};

/** `Lowest: Sui Rock #3 for 5 SUI`. */
const onePiece = (what: string, listing: ActivityEvent | undefined, context: CardContext): Line =>
  listing === undefined ? null : `${what}: ${subjectHtml(listing, context)}${forPrice(listing, null)}`;
