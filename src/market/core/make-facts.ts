import type { CollectionFact, MarketBid, MarketListing } from '../ports.ts';

export interface MarketAnswer {
  readonly listings: ReadonlyMap<string, MarketListing>;
  readonly bids: readonly MarketBid[];
  readonly source: string;
  readonly asOf: Date;
}

/** One fact for each asked type; a type without a listing is one that the marketplace does not know. */
export function makeFacts(collectionTypes: readonly string[], answer: MarketAnswer): readonly CollectionFact[] {
  return collectionTypes.map((collectionType) => factOf(collectionType, answer.listings.get(collectionType), answer));
}

function factOf(collectionType: string, listing: MarketListing | undefined, answer: MarketAnswer): CollectionFact {
  const { source, asOf } = answer;
  if (listing === undefined) return { collectionType, ...unknownThere, source, asOf };
  const { marketId, name, isVerified, floorMist, mintedCount, ownerCount } = listing;
  // Rulings R3: floors (and with them bids) count for verified collections only; anybody can set up the others.
  const prices = isVerified ? { floorMist, bestBidMist: highestBid(marketId, answer.bids, asOf) } : noPrices;
  return { collectionType, marketId, name, isVerified, ...prices, mintedCount, ownerCount, source, asOf };
}

const noPrices = { floorMist: null, bestBidMist: null };
const unknownThere = {
  marketId: null,
  name: null,
  isVerified: false,
  ...noPrices,
  mintedCount: null,
  ownerCount: null,
};

/** Rulings R3: the highest active, unexpired collection bid. */
function highestBid(marketId: string, bids: readonly MarketBid[], now: Date): bigint | null {
  let highest: bigint | null = null;
  for (const bid of bids) {
    const stands = bid.marketId === marketId && (bid.expiresAt === null || bid.expiresAt > now);
    if (stands && (highest === null || bid.priceMist > highest)) highest = bid.priceMist;
  }
  return highest;
}
