import { baseType, canonicalAddress, canonicalType } from '../../shared/sui-address.ts';

/** A type without arguments means every instance of it: `pkg::worm::Worm` is also `pkg::worm::Worm<pkg::glow::GLOW>`. Canonical both. */
export function isOfType(wantedType: string, objectType: string): boolean {
  return objectType === wantedType || (!wantedType.includes('<') && baseType(objectType) === wantedType);
}

/** `<…>` of a canonical type, or nothing. */
export function typeArguments(canonical: string): string {
  const open = canonical.indexOf('<');
  return open === -1 ? '' : canonical.slice(open);
}

/**
 * Whether a marketplace's collection may hold pieces of a type: it knows a collection by a full type, a generic type without
 * arguments, or a whole package (reference: TradePort's `slug`).
 */
export function mayHoldType(slug: string, nftType: string): boolean {
  const type = canonicalType(slug);
  if (type === null) return canonicalAddress(slug) === nftType.slice(0, nftType.indexOf('::'));
  return isOfType(nftType, type) || type === baseType(nftType);
}
