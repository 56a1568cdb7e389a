import { array, assert, bigInt, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decimalsMax,
  fromDecimalText,
  isUsableDecimals,
  percentOf,
  plainDecimalText,
  toDecimalText,
  toNumber,
  valueMicroUsd,
} from './money.ts';

const balance = bigInt({ min: 0n, max: 10n ** 30n });
const decimals = integer({ min: 0, max: decimalsMax });
const price = bigInt({ min: 0n, max: 10n ** 18n });

describe('a value in micro-USD', () => {
  test.each([
    { what: '1 SUI at 3.50 USD', raw: 1_000_000_000n, decimals: 9, price: 3_500_000_000_000n, micro: 3_500_000n },
    { what: '0.5 USDC at 1 USD', raw: 500_000n, decimals: 6, price: 1_000_000_000_000n, micro: 500_000n },
    { what: 'a coin without decimals', raw: 7n, decimals: 0, price: 2_000_000_000_000n, micro: 14_000_000n },
    { what: 'half a micro-USD, rounded up', raw: 1n, decimals: 0, price: 500_000n, micro: 1n },
    { what: 'just under half, rounded down', raw: 1n, decimals: 0, price: 499_999n, micro: 0n },
    { what: 'a meme coin at 1e-12 USD', raw: 10n ** 30n, decimals: 9, price: 1n, micro: 10n ** 15n },
  ])('of $what', ({ raw, decimals: places, price: pico, micro }) => {
    expect(valueMicroUsd(raw, places, pico)).toBe(micro);
  });

  test('is within half a micro-USD of the exact product, at any size', () => {
    assert(
      property(balance, decimals, price, (raw, places, pico) => {
        const scale = 10n ** BigInt(places + 6);
        const error = valueMicroUsd(raw, places, pico) * scale - raw * pico;
        expect(error * 2n <= scale && error * 2n > -scale).toBe(true);
      }),
    );
  });

  test('of a balance in parts differs from that of the whole only by the rounding of each part', () => {
    assert(
      property(array(balance, { maxLength: 20 }), decimals, price, (parts, places, pico) => {
        const sumOfValues = parts.reduce((sum, part) => sum + valueMicroUsd(part, places, pico), 0n);
        const valueOfSum = valueMicroUsd(
          parts.reduce((sum, part) => sum + part, 0n),
          places,
          pico,
        );
        const difference = sumOfValues - valueOfSum;
        expect(difference <= BigInt(parts.length) && -difference <= BigInt(parts.length)).toBe(true);
      }),
    );
  });

  test.each([25, 255, -1, 1.5, Number.NaN])('is refused for %s decimals', (places) => {
    expect(isUsableDecimals(places)).toBe(false);
    expect(() => valueMicroUsd(1n, places, 1n)).toThrow(RangeError);
  });
});

describe('decimal text', () => {
  test('is exact in both directions', () => {
    assert(
      property(bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), decimals, (amount, places) => {
        expect(fromDecimalText(toDecimalText(amount, places), places)).toBe(amount);
      }),
    );
  });

  test('adds up without drift where floating point would not', () => {
    const tenth = fromDecimalText('0.1', 6) ?? 0n;
    expect(toNumber(tenth * 3n, 6)).toBe(0.3);
    expect(0.1 + 0.1 + 0.1).not.toBe(0.3);
  });

  test.each([
    ['1e-9', 12, 1_000n],
    ['1.5E+3', 0, 1_500n],
    ['3.4999999999999', 12, 3_500_000_000_000n],
    ['-2.5', 0, -3n],
    ['0', 9, 0n],
  ])('%s with %i decimals', (text, places, amount) => {
    expect(fromDecimalText(text, places)).toBe(amount);
  });

  test.each(['', 'NaN', 'Infinity', '1,5', '0x10', '.5', '1e999', `1${'0'.repeat(200)}`])(
    '%s is not an amount',
    (text) => {
      expect(fromDecimalText(text, 9)).toBeNull();
    },
  );

  test('writes every JavaScript number without an exponent', () => {
    expect(plainDecimalText(1e-7)).toBe('0.0000001');
    expect(plainDecimalText(1e21)).toBe('1000000000000000000000');
    expect(plainDecimalText(1234.5)).toBe('1234.5');
    expect(plainDecimalText(Number.NaN)).toBe('');
  });
});

describe('a percentage', () => {
  test('has two decimals and is null if the whole is zero', () => {
    expect(percentOf(1n, 3n)).toBe(33.33);
    expect(percentOf(2n, 3n)).toBe(66.67);
    expect(percentOf(5n, 0n)).toBeNull();
  });
});
