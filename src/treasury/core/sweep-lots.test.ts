import { array, assert, bigInt, boolean, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Lot, lotsOf, resultOf, sweepSums, type Trade } from './sweep-lots.ts';

const collectionType = '0x1::bat::Bat';
const sui = 1_000_000_000n;
const dollar = 1_000_000_000_000n;
const piece = (objectId: string) => ({ objectId, collectionType });

let trades = 0;
const trade = (kind: Trade['kind'], fields: Partial<Trade>): Trade => ({
  digest: `trade ${(trades += 1)}`,
  at: new Date(trades * 3_600_000),
  kind,
  mist: 0n,
  hasOtherCoins: false,
  suiPicoUsd: 2n * dollar,
  came: [],
  left: [],
  ...fields,
});
const buy = (mist: bigint, ...ids: string[]) => trade('nft-purchase', { mist: -mist, came: ids.map(piece) });
const sell = (mist: bigint, ...ids: string[]) => trade('nft-sale', { mist, left: ids.map(piece) });
const amounts = (lots: readonly Lot[]) =>
  lots.map(({ objectId, cost, proceeds }) => [objectId, cost.mist, proceeds?.mist ?? null]);

describe('rulings R8: the result of sweeps, piece by piece', () => {
  test('pieces bought in one transaction share its price to the last unit', () => {
    expect(amounts(lotsOf([buy(10n, 'a', 'b', 'c')]))).toEqual([
      ['a', 4n, null],
      ['b', 3n, null],
      ['c', 3n, null],
    ]);
  });

  test('a piece bought twice is two lots, and the first lot is closed first', () => {
    const lots = lotsOf([buy(10n, 'a'), sell(15n, 'a'), buy(30n, 'a'), sell(20n, 'a')]);
    expect(amounts(lots)).toEqual([
      ['a', 10n, 15n],
      ['a', 30n, 20n],
    ]);
  });

  test('pieces sold from a kiosk are paid when the money is taken out, which all pieces sold since the last time share', () => {
    const bought = [buy(10n, 'a'), buy(10n, 'b'), buy(10n, 'c')];
    const sold = [sell(0n, 'a'), sell(0n, 'b'), sell(40n), sell(0n, 'c')];
    const lots = lotsOf([...bought, ...sold]);
    expect(amounts(lots)).toEqual([
      ['a', 10n, 20n],
      ['b', 10n, 20n],
      ['c', 10n, null],
    ]);
    expect(lots.every(({ isSold }) => isSold)).toBe(true);
  });

  test('money taken out of a kiosk when nothing new was sold adds to the price of the pieces sold before', () => {
    const sold = [sell(0n, 'a'), sell(0n, 'b'), sell(5n), sell(500n), sell(0n, 'c'), sell(30n)];
    const lots = lotsOf([buy(10n, 'a'), buy(10n, 'b'), buy(10n, 'c'), ...sold]);
    expect(amounts(lots)).toEqual([
      ['a', 10n, 253n],
      ['b', 10n, 252n],
      ['c', 10n, 30n],
    ]);
  });

  test('a price paid in two parts is worth the sum of both in USD, each at the price of its time', () => {
    const parts = [
      { ...sell(10n * sui), suiPicoUsd: dollar },
      { ...sell(30n * sui), suiPicoUsd: 2n * dollar },
    ];
    const [lot] = lotsOf([buy(sui, 'a'), sell(0n, 'a'), ...parts]);
    expect(lot?.proceeds).toMatchObject({ mist: 40n * sui, suiPicoUsd: (7n * dollar) / 4n, digest: parts[1]?.digest });
    const [unpriced] = lotsOf([buy(sui, 'a'), sell(0n, 'a'), sell(sui), { ...sell(sui), suiPicoUsd: null }]);
    expect(unpriced?.proceeds).toMatchObject({ mist: 2n * sui, suiPicoUsd: null });
    const [foreign] = lotsOf([buy(sui, 'a'), sell(0n, 'a'), sell(sui), { ...sell(0n), hasOtherCoins: true }]);
    expect(foreign?.proceeds).toMatchObject({ mist: null });
  });

  test('a rock of its own mint that is sold along with a bought piece gets its share of the price', () => {
    expect(amounts(lotsOf([buy(10n, 'a'), sell(50n, 'a', 'never bought')]))).toEqual([['a', 10n, 25n]]);
  });

  test('a price in another coin is unknown in SUI, not zero', () => {
    const bought = { ...buy(1n, 'a'), hasOtherCoins: true };
    const lots = lotsOf([bought, buy(5n, 'b'), { ...sell(0n, 'b'), hasOtherCoins: true }]);
    expect(amounts(lots)).toEqual([
      ['a', null, null],
      ['b', 5n, null],
    ]);
    const [sum] = sweepSums(lots, { suiPicoUsd: dollar, floorMist: new Map() });
    expect(sum).toMatchObject({ costMist: null, proceedsMist: null, resultMist: null, decided: 0, won: 0 });
  });

  test('a piece given away keeps its cost, and is neither won nor lost', () => {
    const lots = lotsOf([buy(10n, 'a'), trade('transfer-out', { left: [piece('a')] })]);
    expect(sweepSums(lots, { suiPicoUsd: dollar, floorMist: new Map() })).toMatchObject([
      { bought: 1, sold: 0, held: 0, givenAway: 1, costMist: 10n, resultMist: -10n, decided: 0 },
    ]);
  });
});

test('a piece that was given away and comes back is held again; one that was sold stays sold', () => {
  const back = (...ids: string[]) => trade('transfer-in', { came: ids.map(piece) });
  const away = (id: string) => trade('transfer-out', { left: [piece(id)] });
  const lots = lotsOf([buy(10n, 'a'), buy(10n, 'b'), away('a'), sell(20n, 'b'), back('a', 'b', 'never bought')]);
  expect(lots.map(({ leftAt }) => leftAt === null)).toEqual([true, false]);
  const [again] = lotsOf([buy(10n, 'a'), away('a'), back('a'), sell(30n, 'a')]);
  expect(again).toMatchObject({ isSold: true, proceeds: { mist: 30n } });
});

describe('the same SUI simply held', () => {
  const prices = { suiPicoUsd: 3n * dollar, floorMist: new Map([[collectionType, 12n * sui]]) };

  test('is what the cost would have gained in USD until the sale, or until now', () => {
    const [sold, held] = lotsOf([
      { ...buy(10n * sui, 'a'), suiPicoUsd: 2n * dollar },
      { ...buy(10n * sui, 'b'), suiPicoUsd: 2n * dollar },
      { ...sell(15n * sui, 'a'), suiPicoUsd: 1n * dollar },
    ]);
    if (sold === undefined || held === undefined) throw new Error('Two lots were bought');
    expect(resultOf(sold, prices)).toEqual({
      worthMist: 15n * sui,
      resultMist: 5n * sui,
      resultMicroUsd: -5_000_000n,
      suiHeldMicroUsd: -10_000_000n,
    });
    expect(resultOf(held, prices)).toEqual({
      worthMist: 12n * sui,
      resultMist: 2n * sui,
      resultMicroUsd: 16_000_000n,
      suiHeldMicroUsd: 10_000_000n,
    });
  });

  test('is unknown without a floor or a price', () => {
    const lots = lotsOf([buy(10n * sui, 'a')]);
    const [sum] = sweepSums(lots, { suiPicoUsd: null, floorMist: new Map() });
    expect(sum).toMatchObject({ costMist: 10n * sui, heldAtFloorMist: null, resultMist: null, suiHeldMicroUsd: null });
  });
});

/** The history of one piece, from which its trades are made. */
const story = record({
  cost: bigInt({ min: 1n, max: 10n ** 12n }),
  end: constantFrom('held', 'sold', 'given away'),
  proceeds: bigInt({ min: 1n, max: 10n ** 12n }),
  boughtFirst: integer({ min: 0, max: 1_000 }),
  keptFor: integer({ min: 1, max: 1_000 }),
  suiPrice: option(bigInt({ min: 1n, max: 10n ** 14n })),
  isOfBats: boolean(),
});

test('in a thousand random histories, each lot matches the history of its piece, and the sums match the lots', () => {
  const check = property(array(story, { maxLength: 30 }), (stories) => {
    const histories = stories.map((each, at) => ({
      ...each,
      objectId: `piece ${at}`,
      type: each.isOfBats ? 'bats' : 'worms',
    }));
    const happened = histories
      .flatMap(({ objectId, type, cost, end, proceeds, boughtFirst, keptFor, suiPrice: suiPicoUsd }) => {
        const pieces = [{ objectId, collectionType: type }];
        const bought = { at: boughtFirst, trade: trade('nft-purchase', { mist: -cost, came: pieces, suiPicoUsd }) };
        const at = boughtFirst + keptFor;
        if (end === 'held') return [bought];
        const gone = { left: pieces, suiPicoUsd };
        return [
          bought,
          { at, trade: end === 'sold' ? trade('nft-sale', { ...gone, mist: proceeds }) : trade('transfer-out', gone) },
        ];
      })
      .sort((one, other) => one.at - other.at);
    const lots = lotsOf(happened.map(({ trade: each }) => each));
    const shown = new Map(
      lots.map(({ objectId, cost, proceeds }) => [objectId, { cost: cost.mist, proceeds: proceeds?.mist }]),
    );
    for (const { objectId, cost, end, proceeds } of histories) {
      expect(shown.get(objectId)).toEqual({ cost, proceeds: end === 'sold' ? proceeds : undefined });
    }
    expect(lots).toHaveLength(histories.length);
    const prices = { suiPicoUsd: dollar, floorMist: new Map([['bats', 7n]]) };
    for (const sum of sweepSums(lots, prices)) {
      const ofIt = histories.filter(({ type }) => type === sum.collectionType);
      const heldCount = ofIt.filter(({ end }) => end === 'held').length;
      let result: bigint | null = sum.collectionType === 'bats' ? 7n * BigInt(heldCount) : heldCount > 0 ? null : 0n;
      for (const { end, proceeds, cost } of ofIt)
        if (result !== null) result += (end === 'sold' ? proceeds : 0n) - cost;
      expect({ bought: sum.bought, held: sum.held, result: sum.resultMist }).toEqual({
        bought: ofIt.length,
        held: heldCount,
        result,
      });
      expect(sum.won).toBe(ofIt.filter(({ end, proceeds, cost }) => end === 'sold' && proceeds > cost).length);
    }
  });
  assert(check, { numRuns: 1_000 });
});
