import { type ActivityBatch, type ActivityEvent, type ActivityKind, byTime } from '../../../market/contract.ts';
import { arrangeEvents, type Arrangement, busyWallets, isAfterDowntime, listedWithinHour } from './arrange-events.ts';
import { digestCard, foldedCard, walletListingsCard } from '../../cards/cards-of-many.ts';
import { type CardContext, eventCard, isViaBid } from '../../cards/event-card.ts';
import { isAboveFloor } from '../../cards/price-text.ts';
import type { MessageContent } from '../../cards/message-html.ts';
import { progressText } from '../../cards/mint-progress.ts';
import type { Settings } from '../../configs/settings.ts';
import { isQuiet } from '../../time-zone.ts';

/** What decides which events a group gets, and when. */
export interface ConfigurationRules extends Settings {
  readonly maxSupply: number | null;
  /** Before the mints of this batch. */
  readonly mintedCount: number;
}

export interface PlanInput extends Pick<CardContext, 'explorerUrl' | 'usdPerSui' | 'rocks'> {
  readonly rules: ConfigurationRules;
  readonly batch: ActivityBatch;
  /** Those of `earlierListings` that were posted to this group. */
  readonly postedListingIds: ReadonlySet<bigint>;
  /** When the group was set up; undefined if the whole batch is later. */
  readonly followedSince?: Date | undefined;
  readonly now: Date;
}

type DropReason = 'before-setup' | 'not-tracked' | 'below-minimum' | 'above-floor' | 'relist' | 'stale';

interface PlannedMessage {
  readonly kind: 'card' | 'folded' | 'digest';
  readonly content: MessageContent;
  readonly eventIds: readonly bigint[];
  /** The newest event it reports. */
  readonly happenedAt: Date;
  /** A message with the key of one posted within the last hour edits that card; null: always a new message. */
  readonly runningKey: string | null;
}

/** Every event of the batch is in exactly one of the three. */
export interface DeliveryPlan {
  /** In sending order. */
  readonly messages: readonly PlannedMessage[];
  readonly dropped: readonly { readonly eventId: bigint; readonly reason: DropReason }[];
  /** Quiet hours: left for the morning recap. */
  readonly heldEventIds: readonly bigint[];
}

/**
 * What one group receives from one poll (rulings R4): which messages in which order, which events are dropped and why,
 * and which wait for the morning. Every event of the batch is in exactly one of the three. After downtime the floor before it is
 * too old to compare prices with.
 */
export const planDeliveries = (given: PlanInput): DeliveryPlan => {
  const batch = isAfterDowntime(given.batch) ? { ...given.batch, floorBeforeMist: null } : given.batch;
  const input = { ...given, batch };
  const { rules, now } = input;
  const judged = batch.events.map((event) => ({ event, reason: reasonOf(event, input) }));
  const wanted = judged.filter(({ reason }) => reason === null).map(({ event }) => event);
  const posted = batch.earlierListings.filter(({ id }) => input.postedListingIds.has(id));
  const relists = relistIds(wanted, posted);
  const dropped = judged.flatMap(({ event: { id }, reason }) => {
    const why: DropReason | null = reason ?? (relists.has(id) ? 'relist' : null);
    return why === null ? [] : [{ eventId: id, reason: why }];
  });
  const toPost = wanted.filter(({ id }) => !relists.has(id));
  if (isQuiet(now, rules.quietHours, rules.timeZone)) {
    return { messages: [], dropped, heldEventIds: idsOf(toPost) };
  }
  const newestAt = batch.events.at(-1)?.happenedAt ?? now;
  const wallets = busyWallets(batch.events, batch.earlierListings);
  const { gapMs, hasMore } = batch;
  const arrangement = arrangeEvents(toPost, { now, newestAt, gapMs, hasMore, busyWallets: wallets });
  return { messages: messagesOf(arrangement, input), dropped, heldEventIds: [] };
};

const messagesOf = (arrangement: Arrangement, input: PlanInput): PlannedMessage[] => {
  const { batch, rules, usdPerSui, explorerUrl, rocks } = input;
  const { collection, floorBeforeMist } = batch;
  const context: CardContext = { collection, floorBeforeMist, explorerUrl, rocks, usdPerSui };
  const counts = mintedCounts(batch.events, rules.mintedCount);
  const { maxSupply } = rules;
  const countAt = (event: ActivityEvent | undefined): number =>
    (event === undefined ? undefined : counts.get(event.id)) ?? rules.mintedCount;
  const { singles, folded, ofBusyWallets, digest } = arrangement;
  return [
    message('digest', digest, () => digestCard(digest, context, rules.timeZone)),
    ...singles.map((event) => {
      const key = listingKey(event);
      const same = key === null ? [event] : singles.filter((other) => listingKey(other) === key);
      // The newest of them stands for all.
      if (same.at(-1) !== event) return [];
      const card = (): MessageContent => eventCard(event, context, { mintedCount: countAt(event), maxSupply });
      return message('card', same, card, key);
    }),
    ...folded.map(({ kind, events }) => {
      const progress = kind === 'mint' ? progressText(countAt(events.at(-1)), maxSupply) : null;
      return message('folded', events, () => foldedCard(kind, events, context, progress));
    }),
    ...walletCards(ofBusyWallets, context, input),
  ]
    .flat()
    .toSorted((one, other) => byTime(newestOf(one), newestOf(other)));
};

/** One running card per wallet. It covers the wallet's whole hour, including what was already posted singly. */
const walletCards = (
  ofBusyWallets: readonly ActivityEvent[],
  context: CardContext,
  input: PlanInput,
): PlannedMessage[][] => {
  // The wallet's hour counts even if part of it precedes the setup.
  const posted = [...input.batch.earlierListings, ...input.batch.events].filter(
    (event) => reasonOf(event, { ...input, followedSince: undefined }) === null,
  );
  return [...new Set(ofBusyWallets.flatMap(({ seller }) => seller ?? []))].map((wallet) => {
    const events = ofBusyWallets.filter(({ seller }) => seller === wallet);
    const card = () => walletListingsCard(wallet, listedWithinHour(wallet, posted), context);
    return message('folded', events, card, `wallet ${input.batch.collection.id} ${wallet}`);
  });
};

/** An NFT that its seller keeps relisting has one card. */
const listingKey = ({ kind, nftObjectId, seller }: ActivityEvent): string | null =>
  kind === 'listing' && nftObjectId !== null ? `listing ${nftObjectId} ${seller}` : null;

const message = (
  kind: PlannedMessage['kind'],
  events: readonly ActivityEvent[],
  content: () => MessageContent,
  runningKey: string | null = null,
): PlannedMessage[] => {
  const newest = events.at(-1);
  if (newest === undefined) return [];
  return [{ kind, content: content(), eventIds: idsOf(events), happenedAt: newest.happenedAt, runningKey }];
};

const newestOf = (planned: PlannedMessage): { happenedAt: Date; id: bigint } => ({
  happenedAt: planned.happenedAt,
  id: planned.eventIds.at(-1) ?? 0n,
});

/** The mint count after each mint of the batch, reported or not. */
const mintedCounts = (events: readonly ActivityEvent[], before: number): ReadonlyMap<bigint, number> =>
  new Map(events.filter(({ kind }) => kind === 'mint').map(({ id }, index) => [id, before + index + 1]));

const idsOf = (events: readonly ActivityEvent[]): bigint[] => events.map(({ id }) => id);

const isTracked = (rules: ConfigurationRules, event: ActivityEvent): boolean => {
  const toggles: Readonly<Record<ActivityKind, boolean>> = {
    mint: rules.trackMint,
    // Rulings R4: an accepted bid is posted once, when sales or bids are tracked.
    sale: rules.trackSales || (rules.trackBids && isViaBid(event)),
    listing: rules.trackListings,
    bid: rules.trackBids,
  };
  return toggles[event.kind];
};

/**
 * Events from before the setup, or from while a configuration was deleted or the bot was out of the group (rulings R4),
 * are not posted, even if the collection was read for other groups. Exact to the millisecond: ten seconds of a mint are
 * dozens of cards, and a chain clock behind ours loses no more than the difference.
 */
export const isBeforeSetup = ({ happenedAt }: Pick<ActivityEvent, 'happenedAt'>, followedSince: Date): boolean =>
  happenedAt.getTime() < followedSince.getTime();

/** Why a group does not get an event (relists: below); null: it does. An unknown price or floor drops nothing. */
const reasonOf = (
  event: ActivityEvent,
  { rules, batch, followedSince }: PlanInput,
): Exclude<DropReason, 'relist'> | null => {
  if (followedSince !== undefined && isBeforeSetup(event, followedSince)) return 'before-setup';
  if (!isTracked(rules, event)) return 'not-tracked';
  const price = event.priceMist;
  if (price !== null && rules.minPriceMist !== null && price < rules.minPriceMist) return 'below-minimum';
  if (event.kind !== 'listing' || !rules.listingsAtFloorOnly) return null;
  const floors = { beforeMist: batch.floorBeforeMist, nowMist: batch.collection.floorMist };
  return isAboveFloor(price, floors) ? 'above-floor' : null;
};

/** Rulings R4: a relist of one NFT within 30 minutes at a price within 5 % of the one last posted is dropped. */
const relistWithinMs = 30 * 60_000;
const relistWithinPercent = 5n;

const isNear = (priceMist: bigint, previousMist: bigint): boolean => {
  const difference = priceMist < previousMist ? previousMist - priceMist : priceMist - previousMist;
  return difference * 100n <= previousMist * relistWithinPercent;
};

/** A market that names no seller: treated as the same seller, in favour of a quiet group. */
const isSameSeller = (one: ActivityEvent, other: ActivityEvent): boolean =>
  one.seller === null || other.seller === null || one.seller === other.seller;

const isSameOffer = (listing: ActivityEvent, posted: ActivityEvent): boolean =>
  isSameSeller(listing, posted) &&
  listing.happenedAt.getTime() - posted.happenedAt.getTime() <= relistWithinMs &&
  listing.priceMist !== null &&
  posted.priceMist !== null &&
  isNear(listing.priceMist, posted.priceMist);

/**
 * The ids of listings that repeat a known one. Each is compared with the last posted listing of its NFT, not with the
 * one before it: a price that creeps is posted again once it has moved by more than 5 %. Only the same seller repeats:
 * a buyer who relists at once is news.
 */
const relistIds = (events: readonly ActivityEvent[], postedListings: readonly ActivityEvent[]): ReadonlySet<bigint> => {
  const lastPosted = new Map<string, ActivityEvent>();
  const repeated = new Set<bigint>();
  for (const listing of [...postedListings, ...events].filter(({ kind }) => kind === 'listing').toSorted(byTime)) {
    const { nftObjectId } = listing;
    if (nftObjectId === null) continue;
    const posted = lastPosted.get(nftObjectId);
    if (posted !== undefined && isSameOffer(listing, posted)) repeated.add(listing.id);
    else lastPosted.set(nftObjectId, listing);
  }
  return repeated;
};
