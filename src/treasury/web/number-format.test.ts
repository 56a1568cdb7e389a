import { describe, expect, it } from 'vitest';
import {
  closingText,
  exactPriceHiddenByRounding,
  formatAveragePrice,
  formatBalance,
  formatChangePercent,
  formatCount,
  formatPercent,
  formatStatedPrice,
  formatSui,
  formatUnitPrice,
  formatUsd,
  formatUsdChange,
  formatUsdTick,
} from './number-format.ts';

describe('Specification 9: USD totals up to 2 decimals', () => {
  it.each([
    [1247.5, '$1,247.50'],
    [1200, '$1,200'],
    [0, '$0'],
    [0.004, '<$0.01'],
    [0.005, '$0.01'],
    [12_345_678_901.239, '$12,345,678,901.24'],
    [-5, '−$5'],
  ])('%d is %s', (value, text) => expect(formatUsd(value)).toBe(text));
});

describe('Rulings R3: the value at the end of a month says what has no price, so that unknown is not zero', () => {
  it.each([
    ['1247500000', 0, '$1,247.50'],
    ['0', 1, '$0 and 1 coin without a price'],
    ['1247500000', 1200, '$1,247.50 and 1,200 coins without a price'],
    [null, null, '–'],
  ])('%s with %s is %s', (closingMicroUsd, unpricedCoins, text) =>
    expect(closingText({ closingMicroUsd, unpricedCoins })).toBe(text),
  );
});

describe('A change in USD has a sign, unless it is zero as shown', () => {
  it.each([
    [598.86, '+$598.86'],
    [-12, '−$12'],
    [0.005, '+$0.01'],
    [0.004, '$0'],
    [-0.004, '$0'],
    [0, '$0'],
  ])('%d is %s', (value, text) => expect(formatUsdChange(value)).toBe(text));
});

describe('Specification 9: token unit price to 4 decimals', () => {
  it.each([
    [3.20456, '$3.2046'],
    [1, '$1.0000'],
    [0.00001234, '$0.0000'],
    [97_123.5, '$97,123.5000'],
  ])('%d is %s', (value, text) => expect(formatUnitPrice(value)).toBe(text));

  it('names the exact price where four decimals hide it', () => {
    expect(exactPriceHiddenByRounding(0.00001234)).toBe('$0.00001234');
    expect(exactPriceHiddenByRounding(0.25)).toBeNull();
    expect(exactPriceHiddenByRounding(0)).toBeNull();
  });

  it('shows no small price on a statement as zero', () => {
    expect(formatStatedPrice(0.00001234)).toBe('$0.00001234');
    expect(formatStatedPrice(3.20456)).toBe('$3.2046');
    expect(formatStatedPrice(null)).toBe('–');
  });
});

describe('Specification 9: average price up to 4 decimals', () => {
  it.each([
    [10, '10'],
    [10.5, '10.5'],
    [0.123456, '0.1235'],
    [0.00001, '<0.0001'],
    [1234.5, '1,234.5'],
  ])('%d is %s', (value, text) => expect(formatAveragePrice(value)).toBe(text));
});

describe('SUI totals and balances', () => {
  it('shows SUI up to 2 decimals with its unit', () => {
    expect(formatSui(8420.3)).toBe('8,420.3 SUI');
    expect(formatSui(0.001)).toBe('<0.01 SUI');
  });

  it.each([
    [1_234_567.891_23, '1,234,567.89'],
    [12.345_678, '12.3457'],
    [0.001_234_567, '0.001235'],
    [0.000_000_1, '<0.000001'],
  ])('balance %d is %s', (value, text) => expect(formatBalance(value)).toBe(text));
});

describe('Counts and percents', () => {
  it('separates thousands and keeps one decimal of a percent', () => {
    expect(formatCount(1234)).toBe('1,234');
    expect(formatPercent(40)).toBe('40%');
    expect(formatPercent(31.44)).toBe('31.4%');
    expect(formatChangePercent(62.13)).toBe('+62.1%');
    expect(formatChangePercent(-8)).toBe('−8%');
    expect(formatChangePercent(0.04)).toBe('0%');
    expect(formatChangePercent(-0.04)).toBe('0%');
  });
});

describe('An axis of the chart', () => {
  it.each([
    [0, '$0'],
    [12.34, '$12.3'],
    [950, '$950'],
    [1234, '$1.2K'],
    [999_960, '$1M'],
    [3_400_000, '$3.4M'],
    [-2500, '−$2.5K'],
    [7e15, '$7,000T'],
  ])('%d is %s', (value, text) => expect(formatUsdTick(value)).toBe(text));
});

describe('Rulings R3: unknown is never zero', () => {
  it.each([formatUsd, formatUnitPrice, formatAveragePrice, formatSui, formatBalance, formatCount, formatPercent])(
    'a missing figure is a dash',
    (format) => {
      expect(format(null)).toBe('–');
      expect(format(Number.NaN)).toBe('–');
    },
  );
});
