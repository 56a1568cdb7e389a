import { assert, bigInt, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suiCoinType } from '../../../shared/sui-address.ts';
import { amountText } from '../../core/payout-words.ts';
import { readAmount, typedAmount } from './payout-words.ts';

const sui = { type: suiCoinType, symbol: 'SUI', decimals: 9 } as const;
const whole = { type: '0x1::bone::BONE', symbol: null, decimals: 0 } as const;

describe('an amount is typed in whole coins and read to the last base unit', () => {
  test.each([
    ['100', '100000000000'],
    ['0.1', '100000000'],
    ['0.000000001', '1'],
    [' 1.50 ', '1500000000'],
    ['007', '7000000000'],
    // More than a JavaScript number holds.
    ['9007199254740993.000000001', '9007199254740993000000001'],
    ['1.0000000000000', '1000000000'],
  ])('%s SUI is %s MIST', (typed, raw) => {
    expect(readAmount(typed, sui)).toEqual({ raw });
  });

  test.each([
    ['', 'Enter an amount.'],
    ['0', 'A payout of 0 pays nobody. Enter an amount.'],
    ['0.000', 'A payout of 0 pays nobody. Enter an amount.'],
    ['0.0000000001', 'SUI has 9 decimals. This amount has 10.'],
    [`1${'0'.repeat(22)}`, 'That is more than any coin has.'],
    ...['1,5', '1,500.5', '1e3', '-1', '+1', '1.', '.5', '1.2.3', '½', '１', '1 000', 'all', '9'.repeat(101)].map(
      (typed) => [typed, 'Use digits and one point, as in 1234.5, without commas or signs.'],
    ),
  ] as [string, string][])('‘%s’ is refused with one sentence: %s', (typed, problem) => {
    expect(readAmount(typed, sui)).toEqual({ problem });
  });

  test('a coin without decimals takes only whole amounts', () => {
    expect(readAmount('12', whole)).toEqual({ raw: '12' });
    expect(readAmount('1.5', whole)).toEqual({ problem: '0x1::bone::BONE has 0 decimals. This amount has 1.' });
  });

  test('whatever the amount and the coin, the amount shown in the field is read back unchanged', () => {
    assert(
      property(bigInt({ min: 1n, max: 10n ** 30n }), integer({ min: 0, max: 24 }), (amount, decimals) => {
        const coin = { ...sui, decimals };
        expect(readAmount(typedAmount(String(amount), coin), coin)).toEqual({ raw: String(amount) });
      }),
    );
  });
});

test('an amount is shown exactly, and as base units if its decimals are not known', () => {
  expect(amountText('1234567891234', sui)).toBe('1,234.567891234 SUI');
  expect(amountText('1', sui)).toBe('0.000000001 SUI');
  expect(amountText('1234567', { ...sui, decimals: null })).toBe('1234567 base units of SUI');
  expect(amountText('12', { ...sui, decimals: 255 })).toBe('12 base units of SUI');
  expect(amountText(null, sui)).toBe('Not known');
});
