import type { ActivityEvent, ActivityKind } from '../../market/contract.ts';
import {
  foreignHtml,
  wordGraphemesMax,
  type MessageContent,
  type CardContext,
  cardOf,
  collectionHtml,
  forPrice,
  type Line,
  marketButton,
  personLine,
  subjectHtml,
  transactionHtml,
} from './parts.ts';
import { floorText, tallyOf, tallyText } from './tally.ts';

/** More names would make the card a list. */
const namesShown = 5;

const signs: Readonly<Record<ActivityKind, string>> = { mint: '🪨', sale: '💰', listing: '🏷', bid: '✋' };

const namesLine = (events: readonly ActivityEvent[]): string | null => {
  const names = events.flatMap(({ nft }) => foreignHtml(nft?.name ?? '', wordGraphemesMax) || []);
  const more = names.length - namesShown;
  return names.length === 0 ? null : `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** A sweep is one transaction: stated and linked once. */
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
      `${signs[kind]} <b>${collectionHtml(collection.name)}: ${tallyText(tally, usdPerSui)}</b>`,
      namesLine(events),
      floorText(floorBeforeMist, collection.floorMist),
      progress,
      sharedTransaction(events, context.explorerUrl),
    ],
    { imageUrl: tally.top?.nft?.imageUrl ?? collection.imageUrl, ...marketButton(context) },
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
  return cardOf(
    [
      `${signs.listing} <b>${collectionHtml(collection.name)}, one wallet within an hour: ${tallyText(tally, usdPerSui)}</b>`,
      onePiece('Lowest', lowest, context),
      onePiece('Newest', listings.at(-1), context),
      floorText(floorBeforeMist, collection.floorMist),
      personLine('Seller', wallet, context.explorerUrl),
    ],
    { isSilent: true, ...marketButton(context) },
  );
};

/** `Lowest: Sui Rock #3 for 5 SUI`. */
const onePiece = (what: string, listing: ActivityEvent | undefined, context: CardContext): Line =>
  listing === undefined ? null : `${what}: ${subjectHtml(listing, context)}${forPrice(listing, null)}`;
