import { canonicalAddress, canonicalType, shortAddress } from '../../shared/sui-address.ts';
import type { CollectionLookup, FoundCollection } from '../contract.ts';
import type { CollectionNow } from '../ports.ts';
import { nameOfType } from './market-facts.ts';
import { ownMaxSupply } from './own-collection.ts';

/** A collection as it is shown to whoever sets it up. Only the product's own has a maximum supply that we vouch for. */
export function describeFound(now: CollectionNow, ownType: string): FoundCollection {
  const { marketId, imageUrl, isVerified, mintedCount, floorMist } = now;
  const slug = canonicalSlug(now.slug);
  const maxSupply = slug === ownType ? ownMaxSupply : null;
  return { marketId, slug, name: nameOf(now), imageUrl, isVerified, mintedCount, floorMist, maxSupply };
}

/** Nobody but us vouches for our own collection, and that is enough. */
function isTrusted({ slug, isVerified }: FoundCollection, ownType: string): boolean {
  return isVerified || slug === ownType;
}

/** The one that is meant: a package or a word may stand for several, of which verified ones and bigger ones come first. */
export function bestOf(found: readonly CollectionNow[]): CollectionNow | undefined {
  return found.toSorted(
    (one, other) =>
      Number(other.isVerified) - Number(one.isVerified) || (other.mintedCount ?? 0) - (one.mintedCount ?? 0),
  )[0];
}

/** An imitation says what it imitates: `verified` are those of its name that somebody has vouched for. */
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

function nameOf({ name, slug }: CollectionNow): string {
  if (name !== null) return name;
  const [type, address] = [canonicalType(slug), canonicalAddress(slug)];
  if (type !== null) return nameOfType(type);
  return address === null ? slug.slice(0, 100) : shortAddress(address);
}
