import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import {
  type CardContext,
  type Line,
  cardOf,
  collectionHtml,
  headline,
  joined,
  personLine,
  priceHtml,
  subjectHtml,
  transactionHtml,
} from './parts.ts';
import { foreignHtml, wordGraphemesMax } from './foreign-text.ts';
import { marketButton } from './market-button.ts';
import type { MessageContent } from './message-content.ts';
import { readsSame, suiRangeText, suiText, usdRangeText, usdText } from './price-text.ts';
import { type Tally, tallyOf } from './tally.ts';
import { countOf, floorText, unpricedWords } from './tally-text.ts';

/** More names would make the card a list. */
const namesShown = 5;

const signs: Readonly<Record<ActivityKind, string>> = { mint: '🪨', sale: '💰', listing: '🏷', bid: '✋' };

const namesLine = (events: readonly ActivityEvent[]): string | null => {
  const names = events.flatMap(({ nft }) => foreignHtml(nft?.name ?? '', wordGraphemesMax) || []);
  const more = names.length - namesShown;
  return names.length === 0 ? null : `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** `for 84.2 SUI ($294.70)`; bids and listings are offers: their sum means nothing, so the highest and the range. */
const totalWords = (tally: Tally, usdPerSui: string | null): string => {
  if (tally.totalMist === null || tally.lowestMist === null || tally.highestMist === null) return '';
  const isOnePrice = readsSame(tally.lowestMist, tally.highestMist);
  const each = isOnePrice && tally.pricedCount > 1 ? ' each' : '';
  if (tally.kind === 'listing') {
    const usd = inBrackets(usdRangeText(tally.lowestMist, tally.highestMist, usdPerSui));
    return ` at <b>${suiRangeText(tally.lowestMist, tally.highestMist)}</b>${each}${usd}`;
  }
  if (tally.kind === 'bid') {
    const usd = inBrackets(usdText(tally.highestMist, usdPerSui));
    return `${isOnePrice ? ' of' : ', the highest'} <b>${suiText(tally.highestMist)}</b>${each}${usd}`;
  }
  if (tally.totalMist === 0n) return ' for free';
  return ` for <b>${suiText(tally.totalMist)}</b>${inBrackets(usdText(tally.totalMist, usdPerSui))}`;
};

const inBrackets = (text: string | null): string => (text === null ? '' : ` (${text})`);

/** What the headline omits: the total of offers, the average or the one price, the range of prices paid. */
const detailLine = (tally: Tally): string | null => {
  const { averageMist, totalMist, lowestMist, highestMist } = tally;
  if (averageMist === null || totalMist === null || lowestMist === null || highestMist === null) return null;
  const isOffer = tally.kind === 'listing' || tally.kind === 'bid';
  const total = isOffer && tally.pricedCount > 1 ? `Total ${suiText(totalMist)}` : null;
  // The single price of offers is in the headline, as is the price of the only event that has one.
  const isSaid = isOffer || tally.pricedCount === 1 || totalMist === 0n;
  if (readsSame(lowestMist, highestMist)) return joined([isSaid ? null : `Each ${suiText(lowestMist)}`, total]);
  const range = tally.kind === 'listing' ? null : `From ${suiRangeText(lowestMist, highestMist)}`;
  return joined([`Average ${suiText(averageMist)}`, total, range]);
};

/** A sweep is one transaction: stated and linked once. */
const sharedTransaction = (events: readonly ActivityEvent[], explorerUrl: string): Line => {
  const digest = events[0]?.transactionDigest ?? null;
  return events.every((event) => event.transactionDigest === digest) ? transactionHtml(digest, explorerUrl) : null;
};

/** A floor equal to the headline's one price is not repeated. */
const newFloorText = ({ kind, lowestMist, highestMist }: Tally, context: CardContext): string | null => {
  const { floorMist } = context.collection;
  const text = floorText(context.floorBeforeMist, floorMist);
  const isSaid =
    (kind === 'listing' || kind === 'bid') &&
    floorMist !== null &&
    [lowestMist, highestMist].every((price) => price !== null && readsSame(price, floorMist));
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
      headline(signs[kind], `${what}${totalWords(tally, context.usdPerSui)}`),
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
  const lowest = listings.find(({ priceMist }) => priceMist !== null && priceMist === tally.lowestMist);
  const what = `<b>${tally.count} NFTs</b> of ${collectionHtml(context.collection.name)}`;
  return cardOf(
    [
      headline(
        signs.listing,
        `Wallet <b>${shortAddress(wallet)}</b> listed ${what} within an hour${totalWords(tally, context.usdPerSui)}`,
      ),
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
const onePiece = (what: string, listing: ActivityEvent | undefined, context: CardContext): Line => {
  if (listing === undefined) return null;
  const price = priceHtml(listing, null);
  return `${what}: ${subjectHtml(listing, context)}${price === null ? '' : ` for ${price}`}`;
};
