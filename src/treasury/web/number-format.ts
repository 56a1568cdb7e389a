import { microUsdDecimals, toNumber } from '../../shared/money.ts';
import { decimalsFor, decimalText, minusOf, unsignedText } from '../../ui/decimal-text.ts';

/** Shown in place of an unknown figure: never a zero. */
const unknownFigure = '–';

type Figure = number | null;

const orUnknown = (value: Figure, format: (known: number) => string): string =>
  value === null || !Number.isFinite(value) ? unknownFigure : format(value);

/** A positive amount that would round to zero is shown as less than the smallest step: small is not zero. */
const orUnder = (value: number, step: number, format: (known: number) => string): string =>
  value > 0 && value < step / 2 ? `<${format(step)}` : format(value);

const usdText = (value: number, min: number, max: number): string =>
  `${minusOf(value, max)}$${unsignedText(value, { min, max })}`;

/** Whole dollars without cents, everything else with both of them. */
const usdUpToTwo = (value: number): string => usdText(value, 2, 2).replace(/\.00$/, '');

const upTo =
  (max: number) =>
  (value: number): string =>
    decimalText(value, { max });

/** Specification 9: USD totals up to 2 decimals. `$1,247.50`, `$1,200`, `<$0.01`. */
export const formatUsd = (value: Figure): string => orUnknown(value, (known) => orUnder(known, 0.01, usdUpToTwo));

/** The same for a decimal string in 1e-6 USD. */
export const formatMicroUsd = (digits: string | null): string =>
  formatUsd(digits === null ? null : toNumber(BigInt(digits), microUsdDecimals));

/** `+$598.86`, `-$12`, `$0`: a change. */
export const formatUsdChange = (value: Figure): string =>
  orUnknown(value, (known) => `${known >= 0.005 ? '+' : ''}${usdUpToTwo(known)}`);

/** Specification 9: token unit price to 4 decimals, always four. */
export const formatUnitPrice = (value: Figure): string => orUnknown(value, (known) => usdText(known, 4, 4));

/** The price in 4 significant digits where four decimals would hide it, else null. */
export const exactPriceHiddenByRounding = (value: Figure): string | null =>
  value !== null && value > 0 && value < 0.001 ? usdText(value, 0, decimalsFor(value, 4)) : null;

/** Specification 9: average price up to 4 decimals, in SUI without the unit. */
export const formatAveragePrice = (value: Figure): string =>
  orUnknown(value, (known) => orUnder(known, 0.0001, upTo(4)));

/** SUI totals, up to 2 decimals, with the unit. */
export const formatSui = (value: Figure): string =>
  orUnknown(value, (known) => orUnder(known, 0.01, (amount) => `${upTo(2)(amount)} SUI`));

/** A token balance in whole tokens: 2 decimals from a thousand on, 4 from one on, 6 below. */
export function formatBalance(value: Figure): string {
  return orUnknown(value, (known) => {
    if (Math.abs(known) >= 1000) return upTo(2)(known);
    if (Math.abs(known) >= 1) return upTo(4)(known);
    return orUnder(known, 0.000001, upTo(6));
  });
}

export const formatCount = (value: Figure): string => orUnknown(value, upTo(0));

/** `31.4%`: up to one decimal, so that a plan's whole percents stay whole. */
export const formatPercent = (value: Figure): string => orUnknown(value, (known) => `${upTo(1)(known)}%`);

const plusOf = (value: number): string => (value >= 0.05 ? '+' : '');

/** `+62.1%`, `-8%`: a change. */
export const formatChangePercent = (value: Figure): string =>
  orUnknown(value, (known) => `${plusOf(known)}${upTo(1)(known)}%`);

const tickUnits = ['', 'K', 'M', 'B', 'T'] as const;

/** Short enough for a chart's axis: `$1.2K`, `$3.4M`. */
export function formatUsdTick(value: number): string {
  const places = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)) / 3);
  let unit = Math.min(Math.max(places, 0), tickUnits.length - 1);
  // $999.96K is $1M.
  if (unit + 1 < tickUnits.length && unsignedText(value / 1000 ** unit, { max: 1 }) === '1,000') unit += 1;
  return `${usdText(value / 1000 ** unit, 0, 1)}${tickUnits[unit]}`;
}
