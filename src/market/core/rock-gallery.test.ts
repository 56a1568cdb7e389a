import { describe, expect, test } from 'vitest';

import { colorMarkets, filteredRocks, type KnownRock, rockCounts, shownRock } from './rock-gallery.ts';

const known = (number: number, given: Partial<KnownRock> = {}): KnownRock => ({
  objectId: `0x${number}`,
  number,
  name: null,
  imageUrl: null,
  color: 'Azure Pulse',
  owner: '0xa',
  place: 'wallet',
  kioskId: null,
  listing: null,
  readAt: new Date('2026-11-20T00:00:00Z'),
  lastSale: null,
  since: null,
  salesOfWeek: { count: 0, volumeMist: 0n },
  ...given,
});
const forSale = (priceMist: bigint | null) => ({ listing: { priceMist, marketName: 'tradeport' } });
const soldAt = (day: number) => ({
  lastSale: { priceMist: 5n, happenedAt: new Date(Date.UTC(2026, 10, day)), transactionDigest: null },
});

describe('the gallery', () => {
  const rocks = [
    known(1, soldAt(3)),
    known(2, forSale(30n)),
    known(3, { ...forSale(9n), ...soldAt(9), color: 'Frosted Mist', owner: '0xb' }),
    known(4, { color: null }),
  ];
  const everything = { color: null, listed: null, owner: null, sort: 'number' } as const;
  const all = { isHistoryComplete: true, areOwnersRead: true };
  const numbers = (query: Partial<Parameters<typeof filteredRocks>[1]>) =>
    filteredRocks(rocks, { ...everything, ...query }).map(({ number }) => number);

  test('filters by color, by being for sale, and by owner', () => {
    expect(numbers({})).toEqual([1, 2, 3, 4]);
    expect(numbers({ color: 'Azure Pulse' })).toEqual([1, 2]);
    expect(numbers({ listed: true })).toEqual([2, 3]);
    expect(numbers({ listed: false })).toEqual([1, 4]);
    expect(numbers({ owner: '0xb', color: 'Frosted Mist' })).toEqual([3]);
  });

  test('orders by price, cheapest first and unlisted last, and by the latest sale', () => {
    expect(numbers({ sort: 'price' })).toEqual([3, 2, 1, 4]);
    expect(numbers({ sort: 'recent' })).toEqual([3, 1, 2, 4]);
  });

  test('counts a listing at an unknown price, shows no price for it and sorts it after those with one and before the unlisted', () => {
    const unpriced = known(5, forSale(null));
    expect(rockCounts([...rocks, unpriced], new Date(0), true)).toMatchObject({ listed: 3, floorMist: 9n });
    expect(rockCounts([unpriced], new Date(0), true)).toMatchObject({ listed: 1, floorMist: null });
    expect(shownRock(unpriced, () => null).listing).toEqual({ priceMist: null, market: 'tradeport' });
    const byPrice = { ...everything, sort: 'price' } as const;
    expect(filteredRocks([unpriced, ...rocks], byPrice).map(({ number }) => number)).toEqual([3, 2, 5, 1, 4]);
  });

  test("has market figures for each color: minted, listed, floor, holders, and the week's sales", () => {
    const sold = known(5, { salesOfWeek: { count: 2, volumeMist: 14n }, ...forSale(8n), owner: '0xc' });
    const azure = colorMarkets([...rocks, sold], all).find(({ color }) => color === 'Azure Pulse');
    expect(azure).toEqual({
      color: 'Azure Pulse',
      supply: 120,
      minted: 3,
      listed: 2,
      floorMist: '8',
      holders: 2,
      sales7d: 2,
      volume7dMist: '14',
    });
    expect(colorMarkets([], all)).toHaveLength(6);
  });

  test("does not know the week's sales while the past is being read, nor a volume without any known price", () => {
    const week = (isHistoryComplete: boolean, ...volumes: readonly (bigint | null)[]) => {
      const sold = volumes.map((volumeMist, at) => known(at + 1, { salesOfWeek: { count: 1, volumeMist } }));
      const azure = colorMarkets([...sold, known(9)], { ...all, isHistoryComplete }).find(
        ({ color }) => color === 'Azure Pulse',
      );
      return [azure?.sales7d, azure?.volume7dMist];
    };
    expect(week(false, 5n)).toEqual([null, null]);
    expect(week(true, null, null)).toEqual([2, null]);
    expect(week(true, null, 5n)).toEqual([2, '5']);
    expect(week(true)).toEqual([0, '0']);
  });

  test('shows amounts as digits, and owners with their on-chain name', () => {
    const shown = shownRock(known(2, forSale(2n ** 63n)), () => 'gwen.sui');
    expect(shown).toMatchObject({
      owner: { address: '0xa', name: 'gwen.sui' },
      listing: { priceMist: '9223372036854775808', market: 'tradeport' },
    });
  });
});
