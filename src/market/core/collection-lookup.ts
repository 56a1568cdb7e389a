import {
  canonicalAddress,
  canonicalType,
  isAddressElsewhere,
  shortAddress,
  suiCoinType,
} from '../../shared/sui-address.ts';
import type { MarketCollection } from '../../sources/tradeport/rows.ts';
import type { CollectionLookup, FoundCollection } from '../contract.ts';
import { nameOfType } from './market-facts.ts';
import { ownMaxSupply } from './own-collection.ts';

/** What a text names, before any request. Addresses and types are canonical. */
export type CollectionText =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'address'; readonly address: string }
  /** The last word of a marketplace link. */
  | { readonly kind: 'slug'; readonly slug: string }
  /** The marketplace's own id. */
  | { readonly kind: 'market-id'; readonly marketId: string }
  | { readonly kind: 'malformed'; readonly problem: 'foreign-chain' | 'other-link' | 'coin' | 'unreadable' };

/** Far longer than any real type. */
const textMax = 1_000;
const marketLink = /^(?:https?:\/\/)?(?:www\.)?tradeport\.xyz\/sui\/collection\/([^/?#\s]+)(?:[/?#]\S*)?$/i;
const anyLink = /^(?:https?:\/\/\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S*)$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const slug = /^[a-z0-9][a-z0-9_-]{0,99}$/i;
const suiAddress = /^(?:0x[0-9a-f]{1,64}|[0-9a-f]{64})$/i;
const coinTypes = /^0x0*2::(?:coin::(?:Coin|CoinMetadata|TreasuryCap)|balance::Balance)</;

/** Reads the text after /setup: an address, a type, or a link or slug of the marketplace. */
export function parseCollectionText(text: string): CollectionText {
  const trimmed = unwrapped(text.trim());
  if (trimmed === '' || trimmed.length > textMax) return unreadable;
  const linked = marketLink.exec(trimmed)?.[1];
  if (linked !== undefined) return parseLinked(linked);
  if (anyLink.test(trimmed)) return otherLink;
  return parseName(trimmed);
}

/** Copied text often comes in quotes or brackets: "…", `…`, <…>. */
const marks = /^(?:"(.*)"|'(.*)'|`(.*)`|<(.*)>|“(.*)”|‘(.*)’|«(.*)»)$/s;
const unwrapped = (text: string): string =>
  marks
    .exec(text)
    ?.slice(1)
    .find((inner) => inner !== undefined)
    ?.trim() ?? text;

const unreadable: CollectionText = { kind: 'malformed', problem: 'unreadable' };
const foreign: CollectionText = { kind: 'malformed', problem: 'foreign-chain' };
const otherLink: CollectionText = { kind: 'malformed', problem: 'other-link' };

/** A link may name the collection by its type with `%3A%3A`, by its slug, or by the marketplace's id. */
function parseLinked(encoded: string): CollectionText {
  try {
    return parseName(decodeURIComponent(encoded));
  } catch {
    return unreadable;
  }
}

function parseName(name: string): CollectionText {
  if (name.includes('::')) return parseType(name);
  if (uuid.test(name)) return { kind: 'market-id', marketId: name.toLowerCase() };
  if (isAddressElsewhere(name)) return foreign;
  const address = suiAddress.test(name) ? canonicalAddress(name) : null;
  if (address !== null) return { kind: 'address', address };
  // It begins like an address but is not one, so it is not a slug either.
  if (/^0x/i.test(name) || !slug.test(name)) return unreadable;
  return { kind: 'slug', slug: name };
}

function parseType(text: string): CollectionText {
  const type = canonicalType(text);
  if (type === null) return unreadable;
  return isCoinType(type) ? { kind: 'malformed', problem: 'coin' } : { kind: 'type', type };
}

/** Recognizes coins by their type; others only show by their metadata on the chain. */
export function isCoinType(canonical: string): boolean {
  return canonical === suiCoinType || coinTypes.test(canonical);
}

/** A collection as shown during setup. The maximum supply is known for the product's own only. */
export function describeFound(found: MarketCollection, ownType: string): FoundCollection {
  const { marketId, imageUrl, isVerified, mintedCount, floorMist } = found;
  const slug = canonicalSlug(found.slug);
  const maxSupply = slug === ownType ? ownMaxSupply : null;
  return { marketId, slug, name: nameOf(found), imageUrl, isVerified, mintedCount, floorMist, maxSupply };
}

/** Our own collection counts as verified. */
function isTrusted({ slug, isVerified }: FoundCollection, ownType: string): boolean {
  return isVerified || slug === ownType;
}

/** A package or slug may name several collections; verified ones win, then bigger ones. */
export function bestOf(found: readonly MarketCollection[]): MarketCollection | undefined {
  return found.toSorted(
    (one, other) =>
      Number(other.isVerified) - Number(one.isVerified) || (other.mintedCount ?? 0) - (one.mintedCount ?? 0),
  )[0];
}

/** An imitation has the name of its model: `verified` are the verified collections of that name. */
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
  const type = canonicalType(slug);
  if (type !== null) return nameOfType(type);
  const address = canonicalAddress(slug);
  return address === null ? slug.slice(0, 100) : shortAddress(address);
}
