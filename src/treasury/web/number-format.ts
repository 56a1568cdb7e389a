// One fixed locale: the prerendered page and every browser must write the same characters.
const locale = 'en-US';

const usdUpToTwo = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});
const usdFour = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
});
const usdExact = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumSignificantDigits: 4 });
const upToTwo = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const upToFour = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
const upToSix = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const upToOne = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const compactUsd = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** What stands where a figure is not known: never a zero. */
const unknownFigure = '–';

type Figure = number | null;

const orUnknown = (value: Figure, format: (known: number) => string): string =>
  value === null || !Number.isFinite(value) ? unknownFigure : format(value);

/** A positive amount that would round to nothing is shown as 'under the smallest step': unknown or small is not zero. */
const orUnder = (value: number, step: number, format: (known: number) => string): string =>
  value > 0 && value < step / 2 ? `<${format(step)}` : format(value);

/** Specification 9: USD totals up to 2 decimals. `$1,247.50`, `$1,200`, `<$0.01`. */
export const formatUsd = (value: Figure): string =>
  orUnknown(value, (known) => orUnder(known, 0.01, (amount) => usdUpToTwo.format(amount)));

/** Specification 9: token unit price to 4 decimals, always four. */
export const formatUnitPrice = (value: Figure): string => orUnknown(value, (known) => usdFour.format(known));

/** The price in 4 significant digits where four decimals would hide it, else null. */
export const exactPriceHiddenByRounding = (value: Figure): string | null =>
  value !== null && value > 0 && value < 0.001 ? usdExact.format(value) : null;

/** Specification 9: average price up to 4 decimals, in SUI without the unit. */
export const formatAveragePrice = (value: Figure): string =>
  orUnknown(value, (known) => orUnder(known, 0.0001, (amount) => upToFour.format(amount)));

/** SUI totals, up to 2 decimals, with the unit. */
export const formatSui = (value: Figure): string =>
  orUnknown(value, (known) => orUnder(known, 0.01, (amount) => `${upToTwo.format(amount)} SUI`));

/** A token balance in whole tokens: 2 decimals from a thousand on, 4 from one on, 6 below. */
export function formatBalance(value: Figure): string {
  return orUnknown(value, (known) => {
    if (Math.abs(known) >= 1000) return upToTwo.format(known);
    if (Math.abs(known) >= 1) return upToFour.format(known);
    return orUnder(known, 0.000001, (amount) => upToSix.format(amount));
  });
}

export const formatCount = (value: Figure): string => orUnknown(value, (known) => whole.format(known));

/** `31.4%`: up to one decimal, so that a plan's whole percents stay whole. */
export const formatPercent = (value: Figure): string => orUnknown(value, (known) => `${upToOne.format(known)}%`);

/** `+62.1%`, `-8%`: a change. */
export const formatChangePercent = (value: Figure): string => orUnknown(value, (known) => `${signed.format(known)}%`);

/** Short enough for a chart's axis: `$1.2K`, `$3.4M`. */
export const formatUsdTick = (value: number): string => compactUsd.format(value);
