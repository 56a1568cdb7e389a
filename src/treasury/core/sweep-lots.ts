import type { LedgerKind } from './ledger-words.ts';

/** Rulings R8, result of sweeps: every piece that the treasury bought is a lot, until it is sold or given away. */

/** One transaction that moved NFTs of the treasury, or brought what a kiosk had taken for them. */
export interface Trade {
  readonly digest: string;
  readonly at: Date;
  readonly kind: LedgerKind;
  /** What the treasury had more or less of SUI, gas left out. */
  readonly mist: bigint;
  /** Whether any other coin moved: what was paid is then more than `mist` says. */
  readonly hasOtherCoins: boolean;
  /** What SUI cost then; null: not known. */
  readonly suiPicoUsd: bigint | null;
  readonly came: readonly Piece[];
  readonly left: readonly Piece[];
}

interface Piece {
  readonly objectId: string;
  readonly collectionType: string;
}

/** What a piece cost or brought. */
export interface LotSum {
  readonly at: Date;
  readonly digest: string;
  /** null: paid in another coin. */
  readonly mist: bigint | null;
  readonly suiPicoUsd: bigint | null;
}

export interface Lot extends Piece {
  readonly cost: LotSum;
  /** When it left; null: still held. */
  readonly leftAt: Date | null;
  /** false for one that was given away. */
  readonly isSold: boolean;
  /** null: nothing yet, the money waits in a kiosk. */
  readonly proceeds: LotSum | null;
}

type OpenLot = { -readonly [Key in keyof Lot]: Lot[Key] };

/**
 * Lots in the order of their purchase, from trades in the order of the chain. Several pieces of one transaction share its price in equal
 * parts. A piece sold out of a kiosk is paid when the kiosk's profits are taken out: they are for all the pieces sold since the last time.
 */
export function lotsOf(trades: readonly Trade[]): readonly Lot[] {
  const lots: OpenLot[] = [];
  const held = new Map<string, OpenLot>();
  let unpaid: (OpenLot | null)[] = [];
  for (const trade of trades) {
    const left = trade.left.map(({ objectId }) => leave(held, objectId, trade));
    const isPaid = trade.kind === 'nft-sale' && (trade.mist > 0n || trade.hasOtherCoins);
    if (isPaid) pay(left.length > 0 ? left : unpaid, trade);
    if (isPaid && left.length === 0) unpaid = [];
    if (!isPaid && trade.kind === 'nft-sale') unpaid.push(...left);
    if (trade.kind !== 'nft-purchase') continue;
    const costs = equalParts({ ...trade, mist: -trade.mist }, trade.came.length);
    for (const [index, { objectId, collectionType }] of trade.came.entries()) {
      const cost = sumOf(trade, costs[index]);
      const lot = { objectId, collectionType, cost, leftAt: null, isSold: false, proceeds: null };
      lots.push(lot);
      held.set(objectId, lot);
    }
  }
  return lots;
}

/** null: it was never bought. It has its part of the price all the same. */
function leave(held: Map<string, OpenLot>, objectId: string, { at, kind }: Trade): OpenLot | null {
  const lot = held.get(objectId);
  if (lot === undefined) return null;
  held.delete(objectId);
  lot.leftAt = at;
  lot.isSold = kind === 'nft-sale';
  return lot;
}

function pay(lots: readonly (OpenLot | null)[], trade: Trade): void {
  const parts = equalParts(trade, lots.length);
  for (const [index, lot] of lots.entries()) if (lot !== null) lot.proceeds = sumOf(trade, parts[index]);
}

const sumOf = ({ at, digest, suiPicoUsd }: Trade, mist: bigint | null = null): LotSum => ({
  at,
  digest,
  mist,
  suiPicoUsd,
});

/** They add up to the whole: the first ones have what does not divide. Empty: what was paid is not known in SUI. */
function equalParts({ mist, hasOtherCoins }: Pick<Trade, 'mist' | 'hasOtherCoins'>, count: number): readonly bigint[] {
  if (hasOtherCoins) return [];
  const parts = BigInt(count);
  return Array.from({ length: count }, (_, index) => mist / parts + (BigInt(index) < mist % parts ? 1n : 0n));
}
