import { baseType } from '../../shared/sui-address.ts';

/** A type without arguments means every instance of it: `pkg::worm::Worm` is also `pkg::worm::Worm<pkg::glow::GLOW>`. Canonical both. */
export function isOfType(wantedType: string, objectType: string): boolean {
  return objectType === wantedType || (!wantedType.includes('<') && baseType(objectType) === wantedType);
}
