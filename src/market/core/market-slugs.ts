import { baseType, canonicalAddress, canonicalType, shortType } from '../../shared/sui-address.ts';
import type { MarketListing } from '../ports.ts';

/**
 * The forms under which a marketplace may know a type: TradePort's `slug` is "the on-chain type string or package
 * address", as whoever added the collection wrote it.
 */
export function slugsOf(collectionType: string): readonly string[] {
  const base = baseType(collectionType);
  const packageAddress = packageOf(collectionType);
  const types = [collectionType, collectionType.replaceAll(', ', ','), base];
  return [...new Set([...types, ...types.map(shortType), packageAddress])];
}

/**
 * Which listing is about which type. The type itself wins over the generic type without arguments, and that over the
 * package; a package stands for a type only when no other asked type is from it. Among equals the verified one wins.
 */
export function matchListings(
  collectionTypes: readonly string[],
  listings: readonly MarketListing[],
): ReadonlyMap<string, MarketListing> {
  const known = listings.map((listing) => ({ listing, slug: canonicalSlug(listing.slug) }));
  const packages = Map.groupBy(collectionTypes, packageOf);
  const best = (slug: string): MarketListing | undefined => {
    const same = known.filter((each) => each.slug === slug).map(({ listing }) => listing);
    return same.find(({ isVerified }) => isVerified) ?? same[0];
  };
  return new Map(
    collectionTypes.flatMap((type): [string, MarketListing][] => {
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
