import type { ActivityEvent } from '../../../market/contract.ts';
import { asItHappened } from './event-order.ts';

/** Rulings R4: a wallet listing over 10 NFTs in an hour is folded. */
const nftsMax = 10;
const withinMs = 60 * 60_000;

const bySeller = (listings: readonly ActivityEvent[]): Map<string, ActivityEvent[]> => {
  const sellers = new Map<string, ActivityEvent[]>();
  for (const listing of listings) {
    if (listing.kind !== 'listing' || listing.seller === null) continue;
    const own = sellers.get(listing.seller) ?? [];
    own.push(listing);
    sellers.set(listing.seller, own);
  }
  return sellers;
};

/** Whether any hour holds more than 10 different NFTs. Expects listings sorted by time. */
const hasBusyHour = (listings: readonly ActivityEvent[]): boolean => {
  const counts = new Map<string, number>();
  let oldest = 0;
  for (const listing of listings) {
    const key = keyOf(listing);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    for (let out = listings[oldest]; out !== undefined && isOutside(out, listing); out = listings[oldest]) {
      const left = (counts.get(keyOf(out)) ?? 1) - 1;
      if (left === 0) counts.delete(keyOf(out));
      else counts.set(keyOf(out), left);
      oldest += 1;
    }
    if (counts.size > nftsMax) return true;
  }
  return false;
};

const keyOf = (listing: ActivityEvent): string => listing.nft?.objectId ?? `event ${listing.id}`;

const isOutside = (older: ActivityEvent, newer: ActivityEvent): boolean =>
  newer.happenedAt.getTime() - older.happenedAt.getTime() > withinMs;

/** A wallet's listings within the hour before its newest one: each NFT once, at its newest price, oldest first. */
export const listedWithinHour = (seller: string, listings: readonly ActivityEvent[]): readonly ActivityEvent[] => {
  const own = (bySeller(listings).get(seller) ?? []).toSorted(asItHappened);
  const newest = own.at(-1);
  if (newest === undefined) return [];
  const ofHour = own.filter((listing) => !isOutside(listing, newest));
  return ofHour.filter((listing) => ofHour.findLast((other) => keyOf(other) === keyOf(listing)) === listing);
};

/** Sellers whose listings share one card, even if a listing was sold or cancelled since. */
export const busyWallets = (
  events: readonly ActivityEvent[],
  earlierListings: readonly ActivityEvent[],
): ReadonlySet<string> => {
  const present = new Set(bySeller(events).keys());
  const busy = new Set<string>();
  for (const [seller, listings] of bySeller([...earlierListings, ...events].toSorted(asItHappened))) {
    if (present.has(seller) && hasBusyHour(listings)) busy.add(seller);
  }
  return busy;
};
