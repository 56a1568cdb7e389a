import type { ActivityEvent, ActivityKind } from '../../../market/contract.ts';
import { asItHappened, type ConfigurationRules, type DropReason } from './delivery-plan.ts';
import { isAboveFloor, isViaBid } from '../../cards/event-card.ts';

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
 * What happened before the setup, or while a configuration was deleted or the bot was out of the group (rulings R4), is
 * not posted, though the collection may have been read for other groups. To the millisecond: ten seconds of a mint are
 * dozens of cards, and a chain clock behind ours loses no more than the difference.
 */
export const isBeforeSetup = ({ happenedAt }: Pick<ActivityEvent, 'happenedAt'>, followedSince: Date): boolean =>
  happenedAt.getTime() < followedSince.getTime();

interface Surroundings {
  readonly floorBeforeMist: bigint | null;
  readonly floorMist: bigint | null;
  /** See PlanInput. */
  readonly followedSince?: Date | undefined;
}

/** Why a group does not get an event (relists: below); null: it does. An unknown price or floor drops nothing. */
export const dropReason = (
  event: ActivityEvent,
  rules: ConfigurationRules,
  { floorBeforeMist, floorMist, followedSince }: Surroundings,
): Exclude<DropReason, 'relist'> | null => {
  if (followedSince !== undefined && isBeforeSetup(event, followedSince)) return 'before-setup';
  if (!isTracked(rules, event)) return 'not-tracked';
  const price = event.priceMist;
  if (price !== null && rules.minPriceMist !== null && price < rules.minPriceMist) return 'below-minimum';
  if (event.kind !== 'listing') return null;
  const isAbove = isAboveFloor(price, { beforeMist: floorBeforeMist, nowMist: floorMist });
  return rules.listingsAtFloorOnly && isAbove ? 'above-floor' : null;
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
export const relistIds = (
  events: readonly ActivityEvent[],
  postedListings: readonly ActivityEvent[],
): ReadonlySet<bigint> => {
  const lastPosted = new Map<string, ActivityEvent>();
  const repeated = new Set<bigint>();
  for (const listing of [...postedListings, ...events]
    .filter(({ kind }) => kind === 'listing')
    .toSorted(asItHappened)) {
    if (listing.nft === null) continue;
    const posted = lastPosted.get(listing.nft.objectId);
    if (posted !== undefined && isSameOffer(listing, posted)) repeated.add(listing.id);
    else lastPosted.set(listing.nft.objectId, listing);
  }
  return repeated;
};
