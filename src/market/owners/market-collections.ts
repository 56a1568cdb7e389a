import { Unavailable } from '../../shared/failure.ts';
import { findCollections, foundMax } from '../../sources/tradeport/collections.ts';
import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import type { MarketCollection } from '../../sources/tradeport/rows.ts';
import { mayHoldType } from '../core/held-type.ts';
import { slugsOf } from '../core/market-facts.ts';
import { atUpstream } from './at-upstream.ts';
import { createKeptAnswers } from './kept-answers.ts';

export interface CollectionsOfType {
  /** Empty: the marketplace knows none, so that none of its pieces can be for sale there. */
  readonly collections: readonly MarketCollection[];
  /** False: there may be more. */
  readonly isComplete: boolean;
}

/** Throws Unavailable. */
export type CollectionsOf = (nftType: string) => Promise<CollectionsOfType>;

const keepMs = 600_000;
/** A collection that appears at the marketplace is known soon. */
const keepUnknownMs = 60_000;

/** Under which ids the marketplace keeps the pieces of a type. Kept in memory: ids do not change. */
export function createMarketCollections(market: MarketCall, clock: { now(): Date }): CollectionsOf {
  const kept = createKeptAnswers<CollectionsOfType>(clock, ({ collections }) =>
    collections.length === 0 ? keepUnknownMs : keepMs,
  );
  return (nftType) => kept(nftType, () => atUpstream('marketplace', () => collectionsOfType(market, nftType)));
}

async function collectionsOfType(market: MarketCall, nftType: string): Promise<CollectionsOfType> {
  const address = nftType.slice(0, nftType.indexOf('::'));
  const ofPackage = await findCollections(market, { by: 'package', address });
  const isComplete = ofPackage.length < foundMax;
  // A launchpad's package holds many collections: the requested one may be beyond the first fifty.
  const rows = isComplete
    ? ofPackage
    : [...ofPackage, ...(await findCollections(market, { by: 'slug', slugs: slugsOf(nftType) }))];
  const matching = rows.filter(({ slug }) => mayHoldType(slug, nftType));
  const byId = new Map(matching.map((each) => [each.marketId, each]));
  return { collections: [...byId.values()], isComplete: isComplete || nftType.includes('<') };
}

/** As `CollectionsOf`, where a marketplace without a key is one that knows nothing. */
export async function collectionsOrNone(of: CollectionsOf, nftType: string): Promise<CollectionsOfType> {
  try {
    return await of(nftType);
  } catch (error) {
    const isUnset = error instanceof Unavailable && error.reason === 'marketplace-key-missing';
    if (isUnset) return { collections: [], isComplete: false };
    throw error;
  }
}
