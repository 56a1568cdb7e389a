import { mistDecimals, valueMicroUsd } from '../../shared/money.ts';
import { sumIfAllKnown } from './ledger-days.ts';
import type { LedgerKind } from './ledger-words.ts';

/**
 * Rulings R8, result of sweeps: every NFT that the treasury bought is a lot until it is sold or given away. Gives the result of each
 * NFT and each collection, beside that of the same SUI simply held.
 */

/** One transaction that moved NFTs of the treasury, or took sale profits out of a kiosk. */
export interface Trade {
  readonly digest: string;
  readonly at: Date;
  readonly kind: LedgerKind;
  /** The treasury's SUI change without gas. */
  readonly mist: bigint;
  /** Whether any other coin moved: the price is then more than `mist`. */
  readonly hasOtherCoins: boolean;
  /** The price of SUI then; null: unknown. */
  readonly suiPicoUsd: bigint | null;
  readonly came: readonly Nft[];
  readonly left: readonly Nft[];
}

interface Nft {
  readonly objectId: string;
  readonly collectionType: string;
}

/** What an NFT cost or brought; if it was paid in several parts, their sum, as of the last one. */
interface LotSum {
  readonly at: Date;
  readonly digest: string;
  /** null: paid in another coin. */
  readonly mist: bigint | null;
  readonly suiPicoUsd: bigint | null;
}

export interface Lot extends Nft {
  readonly cost: LotSum;
  /** When it left; null: still held. */
  readonly leftAt: Date | null;
  /** false if it was given away. */
  readonly isSold: boolean;
  /** null: not sold, or the money still waits in a kiosk. */
  readonly proceeds: LotSum | null;
}

type OpenLot = { -readonly [Key in keyof Lot]: Lot[Key] };
/** null: an NFT that was never bought. */
type Left = readonly (OpenLot | null)[];

/**
 * Lots in the order of their purchase, from trades in the order of the chain. NFTs of one transaction share its price equally. NFTs
 * sold from a kiosk are paid when profits are taken out: all NFTs sold since the last time share them or, if there are none, those of
 * the last time. The ledger does not know which kiosk profits came from. An NFT that was given away and comes back is held again.
 */
export function lotsOf(trades: readonly Trade[]): readonly Lot[] {
  const lots: OpenLot[] = [];
  const latest = new Map<string, OpenLot>();
  let unpaid: Left = [];
  let paidLast: Left = [];
  for (const trade of trades) {
    const left = trade.left.map(({ objectId }) => leave(latest.get(objectId), trade));
    const isSale = trade.kind === 'nft-sale';
    const isPaid = trade.mist > 0n || trade.hasOtherCoins;
    if (isSale && !isPaid) unpaid = [...unpaid, ...left];
    if (isSale && isPaid) {
      const isFromKiosk = left.length === 0;
      if (isFromKiosk && unpaid.length > 0) {
        paidLast = unpaid;
        unpaid = [];
      }
      pay(isFromKiosk ? paidLast : left, trade);
    }
    if (trade.kind === 'nft-purchase') {
      for (const lot of bought(trade)) {
        lots.push(lot);
        latest.set(lot.objectId, lot);
      }
    } else {
      for (const { objectId } of trade.came) comeBack(latest.get(objectId));
    }
  }
  return lots;
}

function bought(trade: Trade): readonly OpenLot[] {
  const costs = equalParts({ ...trade, mist: -trade.mist }, trade.came.length);
  return trade.came.map(({ objectId, collectionType }, index) => {
    const cost = sumOf(trade, costs[index]);
    return { objectId, collectionType, cost, leftAt: null, isSold: false, proceeds: null };
  });
}

/** null: the NFT has no open lot. It still gets its share of the price. */
function leave(lot: OpenLot | undefined, { at, kind }: Trade): OpenLot | null {
  if (lot === undefined || lot.leftAt !== null) return null;
  lot.leftAt = at;
  lot.isSold = kind === 'nft-sale';
  return lot;
}

function comeBack(lot: OpenLot | undefined): void {
  if (lot !== undefined && !lot.isSold) lot.leftAt = null;
}

function pay(lots: Left, trade: Trade): void {
  const parts = equalParts(trade, lots.length);
  for (const [index, lot] of lots.entries()) {
    if (lot !== null) lot.proceeds = plus(lot.proceeds, sumOf(trade, parts[index]));
  }
}

function plus(earlier: LotSum | null, later: LotSum): LotSum {
  if (earlier === null) return later;
  if (earlier.mist === null || later.mist === null) return { ...later, mist: null, suiPicoUsd: null };
  const mist = earlier.mist + later.mist;
  if (earlier.suiPicoUsd === null || later.suiPicoUsd === null || mist === 0n)
    return { ...later, mist, suiPicoUsd: null };
  // Each amount at the price of its time.
  const suiPicoUsd = (earlier.mist * earlier.suiPicoUsd + later.mist * later.suiPicoUsd) / mist;
  return { ...later, mist, suiPicoUsd };
}

const sumOf = ({ at, digest, suiPicoUsd }: Trade, mist: bigint | null = null): LotSum => ({
  at,
  digest,
  mist,
  suiPicoUsd,
});

/** Parts that add up to the whole; the first ones get the remainder. Empty: the price is unknown in SUI. */
function equalParts({ mist, hasOtherCoins }: Pick<Trade, 'mist' | 'hasOtherCoins'>, count: number): readonly bigint[] {
  if (hasOtherCoins) return [];
  const parts = BigInt(count);
  return Array.from({ length: count }, (_, index) => mist / parts + (BigInt(index) < mist % parts ? 1n : 0n));
}

/** Prices for NFTs that are still held. */
export interface SweepPrices {
  readonly suiPicoUsd: bigint | null;
  /** By collection; absent: unknown. */
  readonly floorMist: ReadonlyMap<string, bigint>;
}

/** Of one NFT. null: unknown. */
export interface LotResult {
  /** What it brought, or its floor while it is held; 0 if it was given away. */
  readonly worthMist: bigint | null;
  readonly resultMist: bigint | null;
  readonly resultMicroUsd: bigint | null;
  /** What its cost in SUI would have gained or lost in USD until then, if kept as SUI. */
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

export type SweepSum = ReturnType<typeof sweepSums>[number];

/** Most recently bought collection first. One NFT with an unknown amount makes the sum unknown. */
export function sweepSums(lots: readonly Lot[], prices: SweepPrices) {
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
      /** NFTs sold for more than they cost. */
      won: decided.filter((result) => result > 0n).length,
      /** NFTs sold with both amounts known. */
      decided: decided.length,
      costMist: sumIfAllKnown(ofIt.map(({ cost }) => cost.mist)),
      proceedsMist: sumIfAllKnown(sold.map(({ proceeds }) => proceeds?.mist ?? null)),
      heldAtFloorMist: sumIfAllKnown(held.map((lot) => resultOf(lot, prices).worthMist)),
      resultMist: sumIfAllKnown(results.map(({ resultMist }) => resultMist)),
      resultMicroUsd: sumIfAllKnown(results.map(({ resultMicroUsd }) => resultMicroUsd)),
      suiHeldMicroUsd: sumIfAllKnown(results.map(({ suiHeldMicroUsd }) => suiHeldMicroUsd)),
    };
  });
}

const usdOf = (mist: bigint | null, suiPicoUsd: bigint | null): bigint | null =>
  mist === null || suiPicoUsd === null ? null : valueMicroUsd(mist, mistDecimals, suiPicoUsd);

const minus = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || other === null ? null : one - other;
