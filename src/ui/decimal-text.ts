import { fromDecimalText, toDecimalText, withCommas } from '../shared/money.ts';

/**
 * Numbers as en-US writes them: `1,234.5`. By hand, because the first use of `Intl` loads the browser's whole locale
 * data, 20 to 40 ms on a desktop and a noticeable pause on a phone, for commas and points.
 */

/** The value without its sign in units of `10 ** -decimals`, halves rounded up. Exact: no binary fractions involved. */
const stepsIn = (value: number, decimals: number): bigint => fromDecimalText(String(Math.abs(value)), decimals) ?? 0n;

interface Decimals {
  /** Digits after the point that are shown even when they are zero. */
  readonly min?: number;
  readonly max: number;
}

/** The value without its sign, rounded to `max` decimals, with a comma every three digits. */
export function unsignedText(value: number, { min = 0, max }: Decimals): string {
  const [whole = '', fraction = ''] = toDecimalText(stepsIn(value, max), max).split('.');
  const shown = fraction.padEnd(min, '0');
  return withCommas(shown === '' ? whole : `${whole}.${shown}`);
}

/** '-' for a negative value that does not round to zero. */
const minusOf = (value: number, decimals: number): string => (value < 0 && stepsIn(value, decimals) > 0n ? '-' : '');

/** `1,234.5`, `-0.13`. */
export const decimalText = (value: number, decimals: Decimals): string =>
  minusOf(value, decimals.max) + unsignedText(value, decimals);

/** `1,204`. */
export const wholeNumberText = (count: number): string => decimalText(count, { max: 0 });
/** null: not known. */
export const wholeNumberOrUnknown = (count: number | null): string =>
  count === null ? 'Not known' : wholeNumberText(count);

/** '1 member', '1,204 members'. */
export const counted = (count: number, one: string): string =>
  `${wholeNumberText(count)} ${one}${count === 1 ? '' : 's'}`;

/** The count of decimals that shows `figures` significant figures of a value other than zero. */
export const decimalsFor = (value: number, figures: number): number =>
  Math.max(0, figures - 1 - Number(Math.abs(value).toExponential().split('e')[1]));
