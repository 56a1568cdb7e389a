import { Unavailable } from '../../shared/failure.ts';
import { mayHoldType } from '../core/held-type.ts';
import { slugsOf } from '../core/market-facts.ts';
import type { Clock, CollectionFinder, CollectionNow } from '../ports.ts';
import { atUpstream } from './at-upstream.ts';

export interface CollectionsOfType {
  /** Empty: the marketplace knows none, so that none of its pieces can be for sale there. */
  readonly collections: readonly CollectionNow[];
  /** False: there may be more. */
  readonly isComplete: boolean;
}

/** Throws Unavailable. */
export type CollectionsOf = (nftType: string) => Promise<CollectionsOfType>;

interface Kept {
  readonly found: Promise<CollectionsOfType>;
  readonly fromMs: number;
  untilMs: number;
}

const keepMs = 600_000;
/** A collection that appears at the marketplace is known soon. */
const keepUnknownMs = 60_000;
/** The most that the finder returns. */
const rowsMax = 50;

/** Under which ids the marketplace keeps the pieces of a type. Kept in memory: ids do not change. */
export function createMarketCollections(finder: CollectionFinder, clock: Clock): CollectionsOf {
  const kept = new Map<string, Kept>();

  const keepAsLongAsTrue = async (nftType: string, entry: Kept): Promise<void> => {
    try {
      const { collections } = await entry.found;
      if (collections.length === 0) entry.untilMs = clock.now().getTime() + keepUnknownMs;
    } catch {
      // The caller gets the error; the next one asks again.
      kept.delete(nftType);
    }
  };

  return (nftType) => {
    const nowMs = clock.now().getTime();
    for (const [type, { fromMs, untilMs }] of kept) {
      // Asked in the future: the clock was set back, so the age is unknown.
      if (untilMs <= nowMs || fromMs > nowMs) kept.delete(type);
    }
    const known = kept.get(nftType);
    if (known !== undefined) return known.found;
    const found = atUpstream('marketplace', () => findCollections(finder, nftType));
    const entry = { found, fromMs: nowMs, untilMs: nowMs + keepMs };
    kept.set(nftType, entry);
    void keepAsLongAsTrue(nftType, entry);
    return entry.found;
  };
}

async function findCollections(finder: CollectionFinder, nftType: string): Promise<CollectionsOfType> {
  const ofPackage = await finder.ofPackage(nftType.slice(0, nftType.indexOf('::')));
  const isComplete = ofPackage.length < rowsMax;
  // A launchpad's package holds many collections: the requested one may be beyond the first fifty.
  const rows = isComplete ? ofPackage : [...ofPackage, ...(await finder.bySlugs(slugsOf(nftType)))];
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
