import { array, assert, bigInt, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerKind } from './ledger-words.ts';
import {
  balancesByDay,
  type CoinMove,
  countedDecimals,
  type DayPrices,
  dayOf,
  heldInSuiByDay,
  outsideMoneyByDay,
  valueOfDay,
} from './ledger-days.ts';

/** Rulings R8: the value of each day from the ledger, and the same money held in SUI. */

const dayMs = 86_400_000;
const firstDay = 20_000;
const [sui, usdc, meme] = [`0x${'2'.padStart(64, '0')}::sui::SUI`, '0xa::usdc::USDC', '0xb::meme::MEME'] as const;
const decimals: Readonly<Record<string, number>> = { [sui]: 9, [usdc]: 6, [meme]: 0 };
const decimalsOf = new Map(Object.entries(decimals));

const at = (day: number, hour = 12): Date => new Date((firstDay + day) * dayMs + hour * 3_600_000);
const move = (day: number, coinType: string, raw: bigint, rest: Partial<CoinMove> = {}): CoinMove => ({
  at: at(day),
  kind: 'transfer-in',
  coinType,
  raw,
  gasRaw: 0n,
  pricePicoUsd: 1_000_000_000_000n,
  ...rest,
});
/** Daily prices of a coin in USD, from the first day on; undefined: not requested yet, null: the source has none. */
const pricesOf = (byCoin: Readonly<Record<string, readonly (number | null | undefined)[]>>): DayPrices =>
  new Map(
    Object.entries(byCoin).map(([coinType, usd]) => [
      coinType,
      new Map(
        usd.flatMap((price, day): [number, bigint | null][] =>
          price === undefined ? [] : [[firstDay + day, price === null ? null : BigInt(price) * 10n ** 12n]],
        ),
      ),
    ]),
  );

describe('the value of a day', () => {
  const valuesOf = (
    moves: readonly CoinMove[],
    prices: DayPrices,
    days: number,
    openings = new Map<string, bigint>(),
  ) => balancesByDay(openings, moves, firstDay + days - 1).map((day) => valueOfDay(day, prices, decimalsOf));

  it('is the balance at the end of the day, at the prices of that time', () => {
    const moves = [move(0, sui, 5_000_000_000n), move(1, sui, -2_000_000_000n, { at: at(1, 23) })];
    expect(valuesOf(moves, pricesOf({ [sui]: [2, 3, 4] }), 3)).toEqual([10_000_000n, 9_000_000n, 12_000_000n]);
  });

  it('is unknown, never zero, while the price of a held coin is unknown', () => {
    const moves = [move(0, sui, 1_000_000_000n), move(0, usdc, 1_000_000n)];
    const prices = pricesOf({ [sui]: [2, 2, 2], [usdc]: [1, null, undefined] });
    expect(valuesOf(moves, prices, 3)).toEqual([3_000_000n, null, null]);
  });

  it('needs no price of a coin that is no longer held', () => {
    const moves = [move(0, usdc, 1_000_000n), move(1, usdc, -1_000_000n), move(1, sui, 1_000_000_000n)];
    expect(valuesOf(moves, pricesOf({ [sui]: [2, 2], [usdc]: [1] }), 2)).toEqual([1_000_000n, 2_000_000n]);
  });

  it('includes the balance from before the ledger begins', () => {
    const moves = [move(0, sui, 1_000_000_000n)];
    expect(valuesOf(moves, pricesOf({ [sui]: [2] }), 1, new Map([[sui, 3_000_000_000n]]))).toEqual([8_000_000n]);
  });

  it('includes SUI while it is staked, and its reward once it comes back', () => {
    const staking = [-8_100_000_000n, 3_000_000_000n, 5_500_000_000n, -4_000_000_000n].map((raw, day) =>
      move(day + 1, sui, raw, { kind: 'staking', gasRaw: day === 0 ? 100_000_000n : 0n }),
    );
    const values = valuesOf([move(0, sui, 10_000_000_000n), ...staking], pricesOf({ [sui]: [1, 1, 1, 1, 1] }), 5);
    expect(values).toEqual([10_000_000n, 9_900_000n, 9_900_000n, 10_400_000n, 10_400_000n]);
  });

  it('does not exist before the first movement', () => {
    expect(valuesOf([], pricesOf({}), 5)).toEqual([]);
  });
});

describe('rulings R3 for the past: a coin that is not counted today was not counted then', () => {
  const coin = (coinType: string, symbol: string) => ({ coinType, symbol, name: symbol, decimals: 9, iconUrl: null });

  it.each([
    ['without metadata is not counted', null, 1, null],
    ['with the symbol of a known coin is not counted', coin(meme, 'USDC'), 1, null],
    ['that no source ever had a price for is not counted', coin(meme, 'MEME'), null, null],
    ['with metadata and a price is counted', coin(meme, 'MEME'), 1, 9],
    ['whose price was not requested yet is counted', coin(meme, 'MEME'), undefined, 9],
    ['priced only by a source without past prices is counted', coin(meme, 'MEME'), null, 9, [meme]],
    ['priced by such a source, with a known symbol, is not counted', coin(meme, 'USDC'), null, null, [meme]],
  ])('a coin %s', (_what, metadata, price, expected, countedNow = []) => {
    const prices = price === undefined ? new Map() : pricesOf({ [meme]: [null, price] });
    const moves = [move(0, meme, 1n, { pricePicoUsd: null })];
    const found = countedDecimals(new Map([[meme, { metadata }]]), moves, prices, countedNow);
    expect(found.get(meme)).toBe(expected);
  });

  it('the value is unknown while the metadata of a held coin was not read yet', () => {
    const [day] = balancesByDay(new Map(), [move(0, meme, 1n)], firstDay);
    expect(day && valueOfDay(day, pricesOf({ [meme]: [1] }), new Map())).toBeNull();
  });
});

describe('the same money held in SUI', () => {
  const heldOf = (moves: readonly CoinMove[], suiUsd: readonly (number | null)[]) => {
    const prices = pricesOf({ [sui]: suiUsd }).get(sui);
    const held = heldInSuiByDay(
      outsideMoneyByDay(moves, decimalsOf),
      firstDay + suiUsd.length - 1,
      (day) => prices?.get(day) ?? null,
    );
    return suiUsd.map((_price, day) => held.get(firstDay + day));
  };

  it('money in buys SUI at the price of its day, money out sells it, and swaps do not count', () => {
    const moves = [
      move(0, usdc, 10_000_000n),
      move(1, sui, -4_000_000_000n, { kind: 'swap' }),
      move(2, usdc, -6_000_000n, { kind: 'payout' }),
    ];
    // 10 USD are 5 SUI at 2; 6 USD are 2 SUI at 3.
    expect(heldOf(moves, [2, 4, 3, 1])).toEqual([10_000_000n, 20_000_000n, 9_000_000n, 3_000_000n]);
  });

  it('gas is not money from outside', () => {
    const moves = [
      move(0, sui, 1_000_000_000n),
      move(1, sui, -5_000_000n, { kind: 'transfer-out', gasRaw: 5_000_000n }),
    ];
    expect(heldOf(moves, [1, 1])).toEqual([1_000_000n, 1_000_000n]);
  });

  it('is unknown from the first money of unknown value on', () => {
    const moves = [move(0, usdc, 1_000_000n), move(1, meme, 1n, { pricePicoUsd: null })];
    expect(heldOf(moves, [2, 2, 2])).toEqual([1_000_000n, null, null]);
  });

  it('a day without a SUI price is only a gap, unless money moved on it', () => {
    expect(heldOf([move(0, usdc, 2_000_000n)], [2, null, 4])).toEqual([2_000_000n, null, 4_000_000n]);
    expect(heldOf([move(0, usdc, 2_000_000n), move(1, usdc, 1_000_000n)], [2, null, 4])).toEqual([
      2_000_000n,
      null,
      null,
    ]);
  });
});

describe('random ledgers', () => {
  const kinds: readonly LedgerKind[] = ['mint-income', 'transfer-in', 'transfer-out', 'payout', 'swap', 'fee', 'other'];
  const days = 8;
  const anyMove = record({
    day: integer({ min: 0, max: days - 1 }),
    hour: integer({ min: 0, max: 23 }),
    coinType: constantFrom(sui, usdc, meme),
    raw: bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    kind: constantFrom(...kinds),
    price: option(bigInt({ min: 1n, max: 10n ** 15n }), { freq: 20 }),
  });
  const anyPrices = array(option(bigInt({ min: 1n, max: 10n ** 15n }), { freq: 8 }), {
    minLength: days,
    maxLength: days,
  });

  /** Rounds halves away from zero. */
  const rounded = (top: bigint, bottom: bigint): bigint => {
    const size = top < 0n ? -top : top;
    const whole = size / bottom + ((size % bottom) * 2n >= bottom ? 1n : 0n);
    return top < 0n ? -whole : whole;
  };
  const microUsd = (raw: bigint, coinType: string, pico: bigint): bigint =>
    rounded(raw * pico, 10n ** BigInt((decimals[coinType] ?? 0) + 6));

  it('agree with a naive recalculation on every day', () => {
    assert(
      property(array(anyMove, { maxLength: 30 }), anyPrices, anyPrices, anyPrices, (drawn, ...drawnPrices) => {
        const sorted = drawn.toSorted((one, other) => one.day * 24 + one.hour - (other.day * 24 + other.hour));
        const moves = sorted.map(({ day, hour, coinType, raw, kind, price }) =>
          move(day, coinType, raw, { at: at(day, hour), kind, pricePicoUsd: price }),
        );
        const coins = [sui, usdc, meme];
        const prices: DayPrices = new Map(
          coins.map((coinType, nth) => [
            coinType,
            new Map((drawnPrices[nth] ?? []).map((price, day) => [firstDay + day, price])),
          ]),
        );
        const found = new Map(
          balancesByDay(new Map(), moves, firstDay + days - 1).map((day) => [
            day.day,
            valueOfDay(day, prices, decimalsOf),
          ]),
        );
        const suiPrice = (day: number): bigint | null => prices.get(sui)?.get(day) ?? null;
        const held = heldInSuiByDay(outsideMoneyByDay(moves, decimalsOf), firstDay + days - 1, suiPrice);
        for (let day = firstDay; day < firstDay + days; day += 1) {
          const until = moves.filter((each) => dayOf(each.at) <= day);
          if (until.length === 0) expect(found.has(day)).toBe(false);
          else expect(found.get(day), `day ${day - firstDay}`).toBe(naiveValue(until, day, prices));
          const money = until.filter(({ kind }) =>
            ['mint-income', 'transfer-in', 'transfer-out', 'payout'].includes(kind),
          );
          if (money.length > 0)
            expect(held.get(day), `held on day ${day - firstDay}`).toBe(naiveHeld(money, day, suiPrice));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  function naiveValue(until: readonly CoinMove[], day: number, prices: DayPrices): bigint | null {
    let sum = 0n;
    for (const coinType of [sui, usdc, meme]) {
      const raw = until.filter((each) => each.coinType === coinType).reduce((total, each) => total + each.raw, 0n);
      const price = prices.get(coinType)?.get(day) ?? null;
      if (raw > 0n && price === null) return null;
      if (raw > 0n && price !== null) sum += microUsd(raw, coinType, price);
    }
    return sum;
  }

  function naiveHeld(money: readonly CoinMove[], day: number, suiPrice: (day: number) => bigint | null): bigint | null {
    let mist = 0n;
    for (let each = firstDay; each <= day; each += 1) {
      const ofDay = money.filter((one) => dayOf(one.at) === each && one.raw !== 0n);
      if (ofDay.some(({ pricePicoUsd }) => pricePicoUsd === null)) return null;
      const usd = ofDay.reduce((sum, one) => sum + microUsd(one.raw, one.coinType, one.pricePicoUsd ?? 0n), 0n);
      const price = suiPrice(each);
      if (usd !== 0n && price === null) return null;
      if (usd !== 0n && price !== null) mist += rounded(usd * 10n ** 15n, price);
    }
    const now = suiPrice(day);
    return now === null ? null : microUsd(mist, sui, now);
  }
});
