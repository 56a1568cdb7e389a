import { rockColors } from '../../shared/rock-colors.ts';
import type { RockAnswer, rockSorts, RocksAnswer } from '../rocks-contract.ts';
import type { RockCounts } from './own-collection.ts';
import type { Rock } from './rocks.ts';

/** Rulings R8: the gallery's filters, orders and pages, and the six colors as a market. Pure rules over rocks in memory. */

interface LastSale {
  readonly priceMist: bigint | null;
  readonly happenedAt: Date;
  readonly transactionDigest: string | null;
}

/** A rock with what is known of its past. */
export interface KnownRock extends Rock {
  readonly lastSale: LastSale | null;
  /** Since when its owner has it; null: not known. */
  readonly since: Date | null;
  readonly salesOfWeek: { readonly count: number; readonly volumeMist: bigint };
}

export interface GalleryQuery {
  readonly color: string | null;
  readonly listed: boolean | null;
  /** Canonical. */
  readonly owner: string | null;
  readonly sort: (typeof rockSorts)[number];
}

export function filteredRocks(
  rocks: readonly KnownRock[],
  { color, listed, owner, sort }: GalleryQuery,
): readonly KnownRock[] {
  return rocks
    .filter(
      (rock) =>
        (color === null || rock.color === color) &&
        (listed === null || (rock.listing !== null) === listed) &&
        (owner === null || rock.owner === owner),
    )
    .sort(orders[sort]);
}

type Order = (one: KnownRock, other: KnownRock) => number;

const byNumber: Order = (one, other) => one.number - other.number;

/** `price`: the cheapest first, what is not for sale last. `recent`: the last sold first. */
const orders: Readonly<Record<GalleryQuery['sort'], Order>> = {
  number: byNumber,
  price: (one, other) => {
    const [first, second] = [one.listing?.priceMist, other.listing?.priceMist];
    if (first === second) return byNumber(one, other);
    if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
    return first < second ? -1 : 1;
  },
  recent: (one, other) => {
    const atMs = (rock: KnownRock): number => rock.lastSale?.happenedAt.getTime() ?? -Infinity;
    const [first, second] = [atMs(one), atMs(other)];
    return first === second ? byNumber(one, other) : second - first;
  },
};

/** Of all rocks, as every page gives them. */
export function rockCounts(rocks: readonly KnownRock[], asOf: Date): RockCounts {
  const prices = rocks.flatMap(({ listing }) => (listing === null ? [] : [listing.priceMist]));
  return {
    minted: rocks.length,
    listed: prices.length,
    floorMist: lowest(prices),
    holders: new Set(rocks.flatMap(({ owner }) => owner ?? [])).size,
    asOf,
  };
}

const lowest = (prices: readonly bigint[]): bigint | null =>
  prices.reduce<bigint | null>((low, price) => (low === null || price < low ? price : low), null);

/** The six colors as a market, the most common first. */
export function colorMarkets(rocks: readonly KnownRock[]): RocksAnswer['data']['colors'] {
  return rockColors.map(({ name: color, count: supply }) => {
    const ofColor = rocks.filter((rock) => rock.color === color);
    const prices = ofColor.flatMap(({ listing }) => (listing === null ? [] : [listing.priceMist]));
    return {
      color,
      supply,
      minted: ofColor.length,
      listed: prices.length,
      floorMist: lowest(prices)?.toString() ?? null,
      holders: new Set(ofColor.flatMap(({ owner }) => owner ?? [])).size,
      sales7d: ofColor.reduce((sum, { salesOfWeek }) => sum + salesOfWeek.count, 0),
      volume7dMist: ofColor.reduce((sum, { salesOfWeek }) => sum + salesOfWeek.volumeMist, 0n).toString(),
    };
  });
}

/** A rock as every call shows it; `nameOf` answers the name of an address, null where it has none. */
export function shownRock(rock: KnownRock, nameOf: (address: string) => string | null): RockAnswer {
  const { number, objectId, name, color, imageUrl, owner, place, kioskId, listing, lastSale } = rock;
  return {
    number,
    objectId,
    name,
    color,
    imageUrl,
    owner: owner === null ? null : { address: owner, name: nameOf(owner) },
    place,
    kioskId,
    listing: listing && { priceMist: listing.priceMist.toString(), market: listing.marketName },
    lastSale: lastSale && {
      priceMist: lastSale.priceMist?.toString() ?? null,
      at: lastSale.happenedAt.toISOString(),
      digest: lastSale.transactionDigest,
    },
  };
}
