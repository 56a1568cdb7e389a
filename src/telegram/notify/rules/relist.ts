import type { ActivityEvent } from '../../../market/contract.ts';
import { asItHappened } from './event-order.ts';

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
