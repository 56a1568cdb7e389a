import { microUsdDecimals, toNumber } from '../../shared/money.ts';
import { counted, decimalsFor, unsignedText } from '../../ui/decimal-text.ts';

/** Shown in place of an unknown figure: never a zero. */
const unknownFigure = '–';

type Figure = number | null;

interface Style {
  /** Digits after the point: at least, by default none, and at most. */
  readonly min?: number;
  readonly max: number;
  readonly unitBefore?: string;
  readonly unitAfter?: string;
  /** '+' before what is more than zero as shown. */
  readonly signed?: boolean;
  /** A positive amount that would round to zero is shown as less than the smallest step: small is not zero. */
  readonly neverZero?: boolean;
}

function format(value: Figure, style: Style): string {
  const { min = 0, max, unitBefore = '', unitAfter = '', signed = false, neverZero = false } = style;
  if (value === null || !Number.isFinite(value)) return unknownFigure;
  const digits = unsignedText(value, { min, max });
  const isZero = !/[1-9]/.test(digits);
  if (isZero && neverZero && value > 0) return `<${unitBefore}${unsignedText(10 ** -max, { max })}${unitAfter}`;
  const plus = signed ? '+' : '';
  const sign = value < 0 ? '−' : plus;
  return `${isZero ? '' : sign}${unitBefore}${digits}${unitAfter}`;
}

/** Both cents, or none where they are zero. */
const withoutZeroCents = (text: string): string => text.replace(/\.00$/, '');

const usd = { min: 2, max: 2, unitBefore: '$' };

/** Specification 9: USD totals up to 2 decimals. `$1,247.50`, `$1,200`, `<$0.01`. */
export const formatUsd = (value: Figure): string => withoutZeroCents(format(value, { ...usd, neverZero: true }));

/** The same for a decimal string in 1e-6 USD. */
export const formatMicroUsd = (digits: string | null): string =>
  formatUsd(digits === null ? null : toNumber(BigInt(digits), microUsdDecimals));

/** Value at the end of a month; coins without a price are said beside it, so that an unknown value is no zero (rulings R3). */
export function closingText(of: {
  readonly closingMicroUsd: string | null;
  readonly unpricedCoins: number | null;
}): string {
  const unpriced = of.unpricedCoins ?? 0;
  return `${formatMicroUsd(of.closingMicroUsd)}${unpriced > 0 ? ` and ${counted(unpriced, 'coin')} without a price` : ''}`;
}

/** `+$598.86`, `−$12`, `$0`: a change. */
export const formatUsdChange = (value: Figure): string => withoutZeroCents(format(value, { ...usd, signed: true }));

/** Specification 9: token unit price to 4 decimals, always four. */
export const formatUnitPrice = (value: Figure): string => format(value, { min: 4, max: 4, unitBefore: '$' });

/** The price in 4 significant digits where four decimals would hide it, else null. */
export const exactPriceHiddenByRounding = (value: Figure): string | null =>
  value !== null && value > 0 && value < 0.001 ? format(value, { max: decimalsFor(value, 4), unitBefore: '$' }) : null;

/** A price that readers recalculate with: four decimals, or 4 significant digits where those would hide it. */
export const formatStatedPrice = (value: Figure): string => exactPriceHiddenByRounding(value) ?? formatUnitPrice(value);

/** Specification 9: average price up to 4 decimals, in SUI without the unit. */
export const formatAveragePrice = (value: Figure): string => format(value, { max: 4, neverZero: true });

/** SUI totals, up to 2 decimals, with the unit. */
export const formatSui = (value: Figure): string => format(value, { max: 2, unitAfter: ' SUI', neverZero: true });

/** A token balance in whole tokens: 2 decimals from a thousand on, 4 from one on, 6 below. */
export function formatBalance(value: Figure): string {
  const size = Math.abs(value ?? 0);
  if (size >= 1000) return format(value, { max: 2 });
  if (size >= 1) return format(value, { max: 4 });
  return format(value, { max: 6, neverZero: true });
}

export const formatCount = (value: Figure): string => format(value, { max: 0 });

/** `31.4%`: up to one decimal, so that a plan's whole percents stay whole. */
export const formatPercent = (value: Figure): string => format(value, { max: 1, unitAfter: '%' });

/** `+62.1%`, `−8%`: a change. */
export const formatChangePercent = (value: Figure): string => format(value, { max: 1, unitAfter: '%', signed: true });

const tickUnits = ['', 'K', 'M', 'B', 'T'] as const;

/** Short enough for a chart's axis: `$1.2K`, `$3.4M`. */
export function formatUsdTick(value: number): string {
  const places = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)) / 3);
  let unit = Math.min(Math.max(places, 0), tickUnits.length - 1);
  // $999.96K is $1M.
  if (unit + 1 < tickUnits.length && unsignedText(value / 1000 ** unit, { max: 1 }) === '1,000') unit += 1;
  return format(value / 1000 ** unit, { max: 1, unitBefore: '$', unitAfter: tickUnits[unit] ?? '' });
}
