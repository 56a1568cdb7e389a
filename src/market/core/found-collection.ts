import type { MarketCollection } from '../../sources/tradeport/rows.ts';
import { canonicalAddress, canonicalType, shortAddress } from '../../shared/sui-address.ts';
import type { CollectionLookup, FoundCollection } from '../contract.ts';
import { nameOfType } from './market-facts.ts';
import { ownMaxSupply } from './own-collection.ts';

/** A collection as shown during setup. Only for the product's own do we know the maximum supply. */
export function describeFound(now: MarketCollection, ownType: string): FoundCollection {
  const { marketId, imageUrl, isVerified, mintedCount, floorMist } = now;
  const slug = canonicalSlug(now.slug);
  const maxSupply = slug === ownType ? ownMaxSupply : null;
  return { marketId, slug, name: nameOf(now), imageUrl, isVerified, mintedCount, floorMist, maxSupply };
}

/** Our own collection counts as verified. */
function isTrusted({ slug, isVerified }: FoundCollection, ownType: string): boolean {
  return isVerified || slug === ownType;
}

/** A package or a word may stand for several collections; verified and bigger ones come first. */
export function bestOf(found: readonly MarketCollection[]): MarketCollection | undefined {
  return found.toSorted(
    (one, other) =>
      Number(other.isVerified) - Number(one.isVerified) || (other.mintedCount ?? 0) - (one.mintedCount ?? 0),
  )[0];
}

/** An imitation names what it imitates: `verified` are the verified ones of its name. */
export function answerFound(
  collection: FoundCollection,
  verified: readonly FoundCollection[],
  ownType: string,
): CollectionLookup {
  if (isTrusted(collection, ownType)) return { kind: 'found', collection };
  const same = verified.filter((each) => each.marketId !== collection.marketId && each.isVerified);
  return { kind: 'unverified', collection, verified: same };
}

function canonicalSlug(slug: string): string {
  return canonicalType(slug) ?? canonicalAddress(slug) ?? slug;
}

function nameOf({ name, slug }: MarketCollection): string {
  if (name !== null) return name;
  const [type, address] = [canonicalType(slug), canonicalAddress(slug)];
  if (type !== null) return nameOfType(type);
  return address === null ? slug.slice(0, 100) : shortAddress(address);
}
