import { mistDecimals, valueMicroUsd } from '../../shared/money.ts';
import type { Lot, LotSum } from './sweep-lots.ts';

/** Rulings R8, result of sweeps: what each piece and each collection has brought, beside the same SUI simply held. */

/** What a held piece is worth. */
export interface SweepPrices {
  /** null: not known. */
  readonly suiPicoUsd: bigint | null;
  /** By collection; absent: not known. */
  readonly floorMist: ReadonlyMap<string, bigint>;
}

/** Of one piece. null: not known. */
export interface LotResult {
  /** What it brought, or its floor while it is held; 0 for one that was given away. */
  readonly worthMist: bigint | null;
  readonly resultMist: bigint | null;
  readonly resultMicroUsd: bigint | null;
  /** What the SUI that it cost would have gained or lost in USD until then, held as SUI. */
  readonly suiHeldMicroUsd: bigint | null;
}

export function resultOf(lot: Lot, prices: SweepPrices): LotResult {
  const { mist, suiPicoUsd } = worthOf(lot, prices);
  const { cost } = lot;
  const worthMicroUsd = usdOf(mist, suiPicoUsd);
  const costMicroUsd = usdOf(cost.mist, cost.suiPicoUsd);
  return {
    worthMist: mist,
    resultMist: minus(mist, cost.mist),
    resultMicroUsd: minus(worthMicroUsd, costMicroUsd),
    suiHeldMicroUsd: minus(usdOf(cost.mist, suiPicoUsd), costMicroUsd),
  };
}

function worthOf(
  { collectionType, leftAt, isSold, proceeds }: Lot,
  prices: SweepPrices,
): Pick<LotSum, 'mist' | 'suiPicoUsd'> {
  const { suiPicoUsd } = prices;
  if (leftAt === null) return { mist: prices.floorMist.get(collectionType) ?? null, suiPicoUsd };
  if (!isSold) return { mist: 0n, suiPicoUsd };
  return proceeds ?? { mist: null, suiPicoUsd };
}

export interface SweepSum {
  readonly collectionType: string;
  readonly bought: number;
  readonly sold: number;
  readonly givenAway: number;
  readonly held: number;
  /** Sold for more than they had cost. */
  readonly won: number;
  /** Sold, and both amounts are known. */
  readonly decided: number;
  readonly costMist: bigint | null;
  readonly proceedsMist: bigint | null;
  readonly heldAtFloorMist: bigint | null;
  readonly resultMist: bigint | null;
  readonly resultMicroUsd: bigint | null;
  readonly suiHeldMicroUsd: bigint | null;
}

/** The collection bought last comes first. One piece of which something is not known makes the sum unknown. */
export function sweepSums(lots: readonly Lot[], prices: SweepPrices): readonly SweepSum[] {
  const newestFirst = lots.toReversed();
  return [...Map.groupBy(newestFirst, ({ collectionType }) => collectionType)].map(([collectionType, ofIt]) => {
    const results = ofIt.map((lot) => resultOf(lot, prices));
    const sold = ofIt.filter(({ isSold }) => isSold);
    const held = ofIt.filter(({ leftAt }) => leftAt === null);
    const decided = sold.flatMap((lot) => resultOf(lot, prices).resultMist ?? []);
    return {
      collectionType,
      bought: ofIt.length,
      sold: sold.length,
      givenAway: ofIt.length - sold.length - held.length,
      held: held.length,
      won: decided.filter((result) => result > 0n).length,
      decided: decided.length,
      costMist: total(ofIt.map(({ cost }) => cost.mist)),
      proceedsMist: total(sold.map(({ proceeds }) => proceeds?.mist ?? null)),
      heldAtFloorMist: total(held.map((lot) => resultOf(lot, prices).worthMist)),
      resultMist: total(results.map(({ resultMist }) => resultMist)),
      resultMicroUsd: total(results.map(({ resultMicroUsd }) => resultMicroUsd)),
      suiHeldMicroUsd: total(results.map(({ suiHeldMicroUsd }) => suiHeldMicroUsd)),
    };
  });
}

const usdOf = (mist: bigint | null, suiPicoUsd: bigint | null): bigint | null =>
  mist === null || suiPicoUsd === null ? null : valueMicroUsd(mist, mistDecimals, suiPicoUsd);

const minus = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || other === null ? null : one - other;

const total = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0n);
