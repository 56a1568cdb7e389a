import { assert, double, integer, oneof, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counted, decimalsFor, decimalText, wholeNumberOrUnknown } from './decimal-text.ts';

const asIntl = (value: number, min: number, max: number): string =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: min, maximumFractionDigits: max }).format(value);

describe('numbers are written as en-US writes them', () => {
  test.each([0, 5e-7, 0.005, 0.125, 1.005, 1.5, 999.995, 1e3, 1_234_567.891, 2 ** 53, 1e21, 1.7e-300, 6.02e23])(
    '%d',
    (value) => {
      for (const [min, max] of [
        [0, 0],
        [0, 2],
        [2, 2],
        [4, 4],
        [0, 6],
      ] as const) {
        expect(decimalText(value, { min, max })).toBe(asIntl(value, min, max));
      }
    },
  );

  test('for any number, with any count of decimals', () => {
    const number = oneof(
      double({ min: -1e15, max: 1e15, noNaN: true }),
      double({ min: -10, max: 10, noNaN: true }),
      integer({ min: -1e9, max: 1e9 }).map((value) => value / 1000),
    );
    assert(
      property(number, integer({ min: 0, max: 4 }), integer({ min: 0, max: 4 }), (value, min, more) => {
        expect(decimalText(value, { min, max: min + more })).toBe(
          asIntl(value, min, min + more).replace(/^-(?=[0.]+$)/, ''),
        );
      }),
    );
  });

  test('a negative number that rounds to zero has no sign', () => {
    expect(decimalText(-0.004, { max: 2 })).toBe('0');
  });

  test('a small number keeps as many significant figures as asked for', () => {
    expect(decimalText(0.000_012_345_6, { max: decimalsFor(0.000_012_345_6, 4) })).toBe('0.00001235');
    expect(decimalsFor(12_345, 4)).toBe(0);
  });
});

test('counts agree with their nouns', () => {
  expect([counted(0, 'wallet'), counted(1, 'wallet'), counted(1_204, 'wallet')]).toEqual([
    '0 wallets',
    '1 wallet',
    '1,204 wallets',
  ]);
});

test('a count that is not known is not shown as zero', () => {
  expect([0, 1204, null].map(wholeNumberOrUnknown)).toEqual(['0', '1,204', 'Not known']);
});
