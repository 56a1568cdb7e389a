import { shortAddress } from '../../shared/sui-address.ts';
import type { CollectionFact } from '../ports.ts';

/** What a marketplace says of a collection that it knows; MIST. `asOf` is when it said so. */
export interface MarketFact {
  readonly collectionType: string;
  readonly name: string;
  readonly verified: boolean;
  readonly floorMist: bigint | null;
  readonly bestBidMist: bigint | null;
  readonly mintedCount: number | null;
  readonly asOf: Date;
  readonly source: string;
}

/** Types that the marketplace does not know are absent. */
export function describeMarketFacts(facts: ReadonlyMap<string, CollectionFact>): ReadonlyMap<string, MarketFact> {
  return new Map(
    [...facts].flatMap(([collectionType, fact]): [string, MarketFact][] => {
      if (fact.marketId === null) return [];
      const { isVerified: verified, floorMist, bestBidMist, mintedCount, asOf, source } = fact;
      const name = fact.name ?? nameOfType(collectionType);
      return [[collectionType, { collectionType, name, verified, floorMist, bestBidMist, mintedCount, asOf, source }]];
    }),
  );
}

/** `Rock (0x1234…abcd)`, for a collection without a title. */
export function nameOfType(collectionType: string): string {
  const [address = '', , name = ''] = collectionType.split('<')[0]?.split('::') ?? [];
  return `${name} (${shortAddress(address)})`;
}
