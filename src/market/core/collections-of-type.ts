import { baseType, canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import { isOfType } from './held-type.ts';

/**
 * Whether a marketplace's collection may hold pieces of a type: it knows a collection by a full type, a generic type without
 * arguments, or a whole package (reference: TradePort's `slug`).
 */
export function mayHoldType(slug: string, nftType: string): boolean {
  const type = canonicalType(slug);
  if (type === null) return canonicalAddress(slug) === nftType.slice(0, nftType.indexOf('::'));
  return isOfType(nftType, type) || type === baseType(nftType);
}
