import { rockColors } from '../../shared/rock-colors.ts';
import { type RockAnswer, type rockSorts, type RocksAnswer, rocksPageSize } from '../rocks-contract.ts';
import type { RockCounts } from './own-collection.ts';
import type { Rock } from './rocks.ts';

/** Rulings R8: the gallery's filters, orders and pages, and the six colors as a market. Pure rules over rocks in memory. */

interface LastSale {
  readonly priceMist: bigint | null;
  readonly happenedAt: Date;
  readonly transactionDigest: string | null;
}

export interface KnownRock extends Rock {
  readonly lastSale: LastSale | null;
  /** When its owner got it; null: not known. */
  readonly since: Date | null;
  /** `volumeMist` null: no price of these sales is known. */
  readonly salesOfWeek: { readonly count: number; readonly volumeMist: bigint | null };
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

export function galleryPage(rocks: readonly KnownRock[], query: GalleryQuery, page: number) {
  const found = filteredRocks(rocks, query);
  const start = (page - 1) * rocksPageSize;
  return { total: found.length, rocks: found.slice(start, start + rocksPageSize) };
}

type Order = (one: KnownRock, other: KnownRock) => number;

const byNumber: Order = (one, other) => one.number - other.number;

/** `price`: cheapest first, then those for sale at an unknown price, unlisted last. `recent`: latest sale first. */
const orders: Readonly<Record<GalleryQuery['sort'], Order>> = {
  number: byNumber,
  price: (one, other) => {
    const first = one.listing?.priceMist ?? null;
    const second = other.listing?.priceMist ?? null;
    if (first === second) return Number(!one.listing) - Number(!other.listing) || byNumber(one, other);
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second ? -1 : 1;
  },
  recent: (one, other) => {
    const atMs = (rock: KnownRock): number => rock.lastSale?.happenedAt.getTime() ?? -Infinity;
    return atMs(one) === atMs(other) ? byNumber(one, other) : atMs(other) - atMs(one);
  },
};

/** The counts over all rocks, the same on every page. */
export function rockCounts(rocks: readonly KnownRock[], asOf: Date, areOwnersRead: boolean): RockCounts {
  return {
    minted: rocks.length,
    listed: listedOf(rocks),
    floorMist: floorOf(rocks),
    holders: areOwnersRead ? holdersOf(rocks) : null,
    asOf,
  };
}

const holdersOf = (rocks: readonly KnownRock[]): number => new Set(rocks.flatMap(({ owner }) => owner ?? [])).size;

const listedOf = (rocks: readonly KnownRock[]): number => rocks.filter(({ listing }) => listing !== null).length;

const floorOf = (rocks: readonly KnownRock[]): bigint | null =>
  rocks
    .flatMap(({ listing }) => listing?.priceMist ?? [])
    .reduce<bigint | null>((low, price) => (low === null || price < low ? price : low), null);

type ColorMarket = RocksAnswer['colors'][number];

interface ReadSoFar {
  readonly isHistoryComplete: boolean;
  readonly areOwnersRead: boolean;
}

/** The market figures of the six colors, most common color first. The week's sales are unknown while the past is still being read. */
export function colorMarkets(
  rocks: readonly KnownRock[],
  { isHistoryComplete, areOwnersRead }: ReadSoFar,
): ColorMarket[] {
  return rockColors.map(({ name: color, count: supply }) => {
    const ofColor = rocks.filter((rock) => rock.color === color);
    return {
      color,
      supply,
      minted: ofColor.length,
      listed: listedOf(ofColor),
      floorMist: floorOf(ofColor)?.toString() ?? null,
      holders: areOwnersRead ? holdersOf(ofColor) : null,
      ...(isHistoryComplete ? weekOf(ofColor) : unknownWeek),
    };
  });
}

type Week = Pick<ColorMarket, 'sales7d' | 'volume7dMist'>;
const unknownWeek: Week = { sales7d: null, volume7dMist: null };

/** The volume sums the known prices. If there were sales but none with a known price, it is unknown. */
function weekOf(rocks: readonly KnownRock[]): Week {
  const sold = rocks.map(({ salesOfWeek }) => salesOfWeek).filter(({ count }) => count > 0);
  const volumes = sold.flatMap(({ volumeMist }) => volumeMist ?? []);
  const isUnknown = sold.length > 0 && volumes.length === 0;
  return {
    sales7d: sold.reduce((sum, { count }) => sum + count, 0),
    volume7dMist: isUnknown ? null : volumes.reduce((sum, volume) => sum + volume, 0n).toString(),
  };
}

/** A rock as all calls show it. `nameOf` returns the name of an address, or null. */
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
    listing: listing && { priceMist: listing.priceMist?.toString() ?? null, market: listing.marketName },
    lastSale: lastSale && {
      priceMist: lastSale.priceMist?.toString() ?? null,
      at: lastSale.happenedAt.toISOString(),
      digest: lastSale.transactionDigest,
    },
  };
}
