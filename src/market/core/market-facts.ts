import { baseType, canonicalAddress, canonicalType, shortAddress, shortType } from '../../shared/sui-address.ts';
import type { MarketBid, MarketCollection } from '../../sources/tradeport/rows.ts';

/**
 * The forms under which a marketplace may know a type: TradePort's `slug` is "the on-chain type string or package
 * address", as written when the collection was added there.
 */
export function slugsOf(collectionType: string): readonly string[] {
  const base = baseType(collectionType);
  const packageAddress = packageOf(collectionType);
  const types = [collectionType, collectionType.replaceAll(', ', ','), base];
  return [...new Set([...types, ...types.map(shortType), packageAddress])];
}

/**
 * Finds the listing of each type. The type itself wins over the generic type without arguments, and that over the package; a
 * package stands for a type only if no other requested type belongs to it. Among equals the verified one wins.
 */
export function matchListings(
  collectionTypes: readonly string[],
  listings: readonly MarketCollection[],
): ReadonlyMap<string, MarketCollection> {
  const known = listings.map((listing) => ({ listing, slug: canonicalSlug(listing.slug) }));
  const packages = Map.groupBy(collectionTypes, packageOf);
  const best = (slug: string): MarketCollection | undefined => {
    const same = known.filter((each) => each.slug === slug).map(({ listing }) => listing);
    return same.find(({ isVerified }) => isVerified) ?? same[0];
  };
  return new Map(
    collectionTypes.flatMap((type): [string, MarketCollection][] => {
      const isAlone = packages.get(packageOf(type))?.length === 1;
      const listing = best(type) ?? best(baseType(type)) ?? (isAlone ? best(packageOf(type)) : undefined);
      return listing === undefined ? [] : [[type, listing]];
    }),
  );
}

function packageOf(collectionType: string): string {
  return collectionType.slice(0, collectionType.indexOf('::'));
}

function canonicalSlug(slug: string): string | null {
  return canonicalType(slug) ?? canonicalAddress(slug);
}

/** The marketplace's facts about each type that it lists. */
export function factsOf(listings: ReadonlyMap<string, MarketCollection>, bids: readonly MarketBid[], asOf: Date) {
  return [...listings].map(([collectionType, listing]) => {
    const { marketId, isVerified: verified, mintedCount } = listing;
    const name = listing.name ?? nameOfType(collectionType);
    // Rulings R3: floors (and with them bids) count for verified collections only; anybody can set up the others.
    const floorMist = verified ? listing.floorMist : null;
    const bestBidMist = verified ? highestBid(marketId, bids, asOf) : null;
    return { collectionType, name, verified, floorMist, bestBidMist, mintedCount, asOf, source: 'tradeport' };
  });
}

/** Rulings R3: the highest active, unexpired collection bid. */
function highestBid(marketId: string, bids: readonly MarketBid[], now: Date): bigint | null {
  let highest: bigint | null = null;
  for (const bid of bids) {
    const isActive = bid.marketId === marketId && (bid.expiresAt === null || bid.expiresAt > now);
    if (isActive && (highest === null || bid.priceMist > highest)) highest = bid.priceMist;
  }
  return highest;
}

/** `Rock (0x1234…abcd)`, for a collection without a title. */
export function nameOfType(collectionType: string): string {
  const [address = '', , name = ''] = collectionType.split('<')[0]?.split('::') ?? [];
  return `${name} (${shortAddress(address)})`;
}
