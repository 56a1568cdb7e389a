import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suiText } from '../../shared/money.ts';
import { againstFloorText, averageMist, shareOfFloorText, suiRangeText, usdText } from './price-text.ts';

const sui = 1_000_000_000n;

describe('Specification 9: prices above 1 SUI are rounded to 2 decimals; rulings R4: others to 4 significant digits', () => {
  test.each([
    [14_560_000_000n, '14.56 SUI'],
    [13n * sui, '13 SUI'],
    [84_200_000_000n, '84.2 SUI'],
    [1_004_999_999n, '1 SUI'],
    [1_005_000_000n, '1.01 SUI'],
    [1_247_505_000_000n, '1,247.51 SUI'],
    [1_234_567n * sui, '1,234,567 SUI'],
    [sui, '1 SUI'],
    [999_999_999n, '1 SUI'],
    [999_949_999n, '0.9999 SUI'],
    [123_456_789n, '0.1235 SUI'],
    [12_345n, '0.00001235 SUI'],
    [10_000n, '0.00001 SUI'],
    [1n, '0.000000001 SUI'],
    [0n, '0 SUI'],
    [-5n * sui, '−5 SUI'],
  ])('%d MIST are %s', (mist, text) => expect(suiText(mist)).toBe(text));

  test('every price is shorter than 40 characters, and only zero reads as zero', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n }), (mist) => {
        expect(suiText(mist).length).toBeLessThan(40);
        expect(suiText(mist)).not.toBe('0 SUI');
      }),
    ));

  test('a range of one price is that price', () => {
    expect(suiRangeText(sui, sui)).toBe('1 SUI');
    expect(suiRangeText(10n * sui, 10_001_000_000n)).toBe('10 SUI');
    expect(suiRangeText(11_500_000_000n, 20n * sui)).toBe('11.5 to 20 SUI');
  });
});

describe('Rulings R4: the price in USD, while it is known', () => {
  test.each([
    [14_560_000_000n, '3.5', '$50.96'],
    [10n * sui, '3', '$30.00'],
    [300n * sui, '3.5', '$1,050'],
    [1000n * sui, '1', '$1,000'],
    [sui / 1000n, '3.5', 'under $0.01'],
    [sui, null, null],
    [sui, '0', null],
    [sui, '-2', null],
    [sui, 'nonsense', null],
    [0n, '3.5', null],
  ])('%d MIST at %s', (mist, usdPerSui, text) => expect(usdText(mist, usdPerSui)).toBe(text));
});

describe('Rulings R4: change against the floor', () => {
  test.each([
    [14_560_000_000n, 13n * sui, '12% above floor (13 SUI)'],
    [11_960_000_000n, 13n * sui, '8% below floor (13 SUI)'],
    [13n * sui, 13n * sui, 'At the floor (13 SUI)'],
    [13_010_000_000n, 13n * sui, 'Just above floor (13 SUI)'],
    [12_990_000_000n, 13n * sui, 'Just below floor (13 SUI)'],
    [1n, 13n * sui, '99% below floor (13 SUI)'],
    [0n, 13n * sui, '100% below floor (13 SUI)'],
    [20_000n * sui, sui, '1,999,900% above floor (1 SUI)'],
    [null, 13n * sui, null],
    [sui, null, null],
    [sui, 0n, null],
  ])('%s at a floor of %s', (price, floor, text) => expect(againstFloorText(price, floor)).toBe(text));

  test('a bid is shown as a share of the floor, all of it only if it equals the floor, and never as 0%', () => {
    expect(shareOfFloorText(13n * sui, 13n * sui)).toBe('100% of floor (13 SUI)');
    expect(shareOfFloorText(12_990_000_000n, 13n * sui)).toBe('Just below floor (13 SUI)');
    expect(shareOfFloorText(13_010_000_000n, 13n * sui)).toBe('Just above floor (13 SUI)');
    expect(shareOfFloorText(11_050_000_000n, 13n * sui)).toBe('85% of floor (13 SUI)');
    expect(shareOfFloorText(1n, 13n * sui)).toBe('Under 1% of floor (13 SUI)');
    expect(shareOfFloorText(11_050_000_000n, null)).toBeNull();
  });
});

test('an average is rounded half up; without prices there is none', () => {
  expect(averageMist([1n, 2n])).toBe(2n);
  expect(averageMist([])).toBeNull();
});
