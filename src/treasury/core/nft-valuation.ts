import { microUsdDecimals, mistDecimals, toNumber, valueMicroUsd } from '../../shared/money.ts';
import type { NftHolding, UncountedNfts } from '../contract.ts';
import { collectionLink } from '../../shared/explorer-links.ts';
import { stateAt, worstState } from './figure-state.ts';
import type { HeldCollection, MarketFact, ReadPrice, TreasuryReading, ValuationSettings } from './reading.ts';
import { priceState } from './token-valuation.ts';
import { uncountedListMax } from './uncounted-list.ts';

interface CountedNfts {
  readonly holding: NftHolding;
  /** null: the marketplace has never answered for this collection. */
  readonly fact: MarketFact | null;
  readonly valueMist: bigint | null;
  readonly valueMicroUsd: bigint | null;
  readonly bidMist: bigint | null;
}

export interface NftValuation {
  /** By USD value, descending (specification 2). */
  readonly counted: readonly CountedNfts[];
  /** The `uncountedListMax` largest of them. */
  readonly uncounted: readonly UncountedNfts[];
  readonly uncountedCollectionCount: number;
}

type Verdict =
  | { readonly kind: 'counted'; readonly fact: MarketFact; readonly floorMist: bigint }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'uncounted'; readonly reason: UncountedNfts['reason']; readonly name: string | null };

/** Rulings R3: only a verified collection with a floor counts; without an answer from the marketplace it is unknown, not uncounted. */
const judge = (collectionType: string, reading: TreasuryReading): Verdict => {
  if (reading.market === null || !reading.market.askedTypes.includes(collectionType)) return { kind: 'unknown' };
  const fact = reading.market.facts.get(collectionType);
  if (fact === undefined) return { kind: 'uncounted', reason: 'not-on-marketplace', name: null };
  if (!fact.verified) return { kind: 'uncounted', reason: 'unverified-collection', name: fact.name };
  if (fact.floorMist === null) return { kind: 'uncounted', reason: 'no-floor', name: fact.name };
  return { kind: 'counted', fact, floorMist: fact.floorMist };
};

/** Whether its NFTs may be part of the total; true while the marketplace has never answered. */
export const mayCount = (collectionType: string, reading: TreasuryReading | null): boolean =>
  reading === null || reading.market === null || judge(collectionType, reading).kind === 'counted';

const shortName = (collectionType: string): string => collectionType.split('::').slice(1).join('::');

const suiOrNull = (mist: bigint | null): number | null => (mist === null ? null : toNumber(mist, mistDecimals));

interface Valued {
  /** null: the marketplace has never answered. */
  readonly fact: MarketFact | null;
  readonly floorMist: bigint | null;
  readonly suiPrice: ReadPrice | null;
  readonly state: NftHolding['state'];
  readonly explorerUrl: string;
}

/** Rulings R3: NFTs at floor = count x floor; `averagePriceSui` is that floor. */
const countedNfts = (held: HeldCollection, { fact, floorMist, suiPrice, state, explorerUrl }: Valued): CountedNfts => {
  const { collectionType, count, listedCount, kioskCount } = held;
  const bestBidMist = fact?.bestBidMist ?? null;
  const valueMist = floorMist === null ? null : BigInt(count) * floorMist;
  const usd =
    valueMist === null || suiPrice === null
      ? null
      : valueMicroUsd(valueMist, mistDecimals, suiPrice.quote.pricePicoUsd);
  return {
    fact,
    valueMist,
    valueMicroUsd: usd,
    bidMist: bestBidMist === null ? null : BigInt(count) * bestBidMist,
    holding: {
      collectionId: collectionType,
      count,
      listedCount,
      kioskCount,
      explorerUrl: collectionLink(explorerUrl, collectionType),
      collectionName: fact?.name ?? shortName(collectionType),
      averagePriceSui: suiOrNull(floorMist),
      totalValueUsd: usd === null ? null : toNumber(usd, microUsdDecimals),
      totalValueSui: suiOrNull(valueMist),
      bestBidSui: suiOrNull(bestBidMist),
      floorAsOf: fact?.asOf.toISOString() ?? null,
      state,
    },
  };
};

/** By value in SUI, which is the specified order by USD and needs no price. Unknown values last. */
const byValueDescending = (left: CountedNfts, right: CountedNfts): number => {
  const leftMist = left.valueMist ?? -1n;
  const rightMist = right.valueMist ?? -1n;
  if (leftMist !== rightMist) return leftMist > rightMist ? -1 : 1;
  return left.holding.collectionId < right.holding.collectionId ? -1 : 1;
};

/** Rulings R3: which NFTs count and for how much, and which are listed separately and why. */
export const valueNfts = (
  reading: TreasuryReading,
  suiPrice: ReadPrice | null,
  { explorerUrl, refreshMs }: ValuationSettings,
  now: Date,
): NftValuation => {
  const counted: CountedNfts[] = [];
  const uncounted: UncountedNfts[] = [];
  const rest = [stateAt({ asOf: reading.holdingsReadAt, refreshMs }, now), priceState(suiPrice, refreshMs, now)];
  for (const held of reading.holdings) {
    if (held.count <= 0) continue;
    const { collectionType, count } = held;
    const verdict = judge(collectionType, reading);
    if (verdict.kind === 'uncounted') {
      const { name, reason } = verdict;
      uncounted.push({ collectionType, name, count, reason, explorerUrl: collectionLink(explorerUrl, collectionType) });
    } else if (verdict.kind === 'unknown') {
      counted.push(countedNfts(held, { fact: null, floorMist: null, suiPrice, state: 'unavailable', explorerUrl }));
    } else {
      const { fact, floorMist } = verdict;
      const state = worstState([stateAt({ asOf: fact.asOf, refreshMs }, now), ...rest]);
      counted.push(countedNfts(held, { fact, floorMist, suiPrice, state, explorerUrl }));
    }
  }
  return {
    counted: counted.sort(byValueDescending),
    uncounted: uncounted
      .sort((left, right) => right.count - left.count || (left.collectionType < right.collectionType ? -1 : 1))
      .slice(0, uncountedListMax),
    uncountedCollectionCount: uncounted.length,
  };
};
