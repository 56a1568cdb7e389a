import type { ActivityEvent } from '../../collections/contract.ts';
import { asItHappened } from './event-order.ts';

/** Rulings R4: a relist of one NFT within 30 minutes at a price within 5 % is dropped. */
const relistWithinMs = 30 * 60_000;
const relistWithinPercent = 5n;

const isNear = (priceMist: bigint, previousMist: bigint): boolean => {
  const difference = priceMist < previousMist ? previousMist - priceMist : priceMist - previousMist;
  return difference * 100n <= previousMist * relistWithinPercent;
};

/** A market that names no seller leaves the benefit of the doubt to the group's quiet. */
const isSameSeller = (one: ActivityEvent, other: ActivityEvent): boolean =>
  one.seller === null || other.seller === null || one.seller === other.seller;

const isSameOffer = (listing: ActivityEvent, previous: ActivityEvent): boolean =>
  isSameSeller(listing, previous) &&
  listing.happenedAt.getTime() - previous.happenedAt.getTime() <= relistWithinMs &&
  listing.priceMist !== null &&
  previous.priceMist !== null &&
  isNear(listing.priceMist, previous.priceMist);

/**
 * The ids of listings that repeat the listing before them: of those found now and those stored earlier. Each is held
 * against its direct predecessor, told or not, so that a price creeping by less than 5 % at a time stays quiet, too.
 * Only the same seller repeats: a buyer who lists at once is news.
 */
export const relistIds = (
  events: readonly ActivityEvent[],
  earlierListings: readonly ActivityEvent[],
): ReadonlySet<bigint> => {
  const previousOf = new Map<string, ActivityEvent>();
  const repeated = new Set<bigint>();
  for (const listing of [...earlierListings, ...events]
    .filter(({ kind }) => kind === 'listing')
    .toSorted(asItHappened)) {
    if (listing.nft === null) continue;
    const previous = previousOf.get(listing.nft.objectId);
    if (previous !== undefined && isSameOffer(listing, previous)) repeated.add(listing.id);
    previousOf.set(listing.nft.objectId, listing);
  }
  return repeated;
};
