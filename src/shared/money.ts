/**
 * The one place where money is calculated (rulings R3). Amounts are integers until the last step:
 * - a balance is an integer of base units plus the coin's decimals (SUI: MIST, 9 decimals);
 * - a price is an integer of 1e-12 USD for one whole coin (pico-USD);
 * - a value is an integer of 1e-6 USD (micro-USD).
 *
 * Rounding: a row is rounded once, half up, when its value becomes micro-USD. Totals are sums of rounded rows, so a
 * reader who adds the rows gets exactly the total. Numbers are made only by `toNumber`, for display and the wire.
 */
export const mistDecimals = 9;
export const microUsdDecimals = 6;
export const picoUsdDecimals = 12;

/** The chain allows 255 decimals; no real coin has more than 18. Beyond this bound a coin is treated as unreadable. */
export const decimalsMax = 24;

/** Longer digit strings from outside are refused, because they would cost time. A u256 has 78 digits. */
const textLengthMax = 100;
const exponentMax = 100;

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Whether a coin with this many decimals can be valued. */
export const isUsableDecimals = (decimals: number): boolean =>
  Number.isInteger(decimals) && decimals >= 0 && decimals <= decimalsMax;

const divideHalfUp = (dividend: bigint, divisor: bigint): bigint => {
  const sign = dividend < 0n ? -1n : 1n;
  return sign * ((sign * dividend * 2n + divisor) / (divisor * 2n));
};

/**
 * Value in micro-USD of `rawBalance` base units at `pricePicoUsd` for one whole coin.
 * Throws RangeError for decimals outside 0..24: the caller must have listed such a coin apart.
 */
export const valueMicroUsd = (rawBalance: bigint, decimals: number, pricePicoUsd: bigint): bigint => {
  if (!isUsableDecimals(decimals)) throw new RangeError(`A coin with ${decimals} decimals cannot be valued`);
  return divideHalfUp(rawBalance * pricePicoUsd, powerOfTen(decimals + picoUsdDecimals - microUsdDecimals));
};

/** The reverse: base units that `microUsd` buys at `pricePicoUsd` (above zero) for one whole coin. */
export const rawForMicroUsd = (microUsd: bigint, decimals: number, pricePicoUsd: bigint): bigint =>
  divideHalfUp(microUsd * powerOfTen(decimals + picoUsdDecimals - microUsdDecimals), pricePicoUsd);

/** `part` of `whole` in per cent with two decimals, half up; null: `whole` is zero. */
export const percentOf = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : Number(divideHalfUp(part * 10_000n, whole)) / 100;

/** One of `count` equal parts, half up: value per rock. */
export const shareOf = (amount: bigint, count: number): bigint => divideHalfUp(amount, BigInt(count));

/** Exact decimal notation without exponent and without trailing zeros: `toDecimalText(1500n, 3)` is `1.5`. */
export const toDecimalText = (amount: bigint, decimals: number): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
};

/** `1,234.5`: a comma every three digits of the whole part of a decimal text. */
export const withCommas = (decimal: string): string => {
  const [whole = '', fraction] = decimal.split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

export const roundTo = (amount: bigint, step: bigint): bigint => ((2n * amount + step) / (2n * step)) * step;

const mistPerSui = powerOfTen(mistDecimals);
const significantMax = 4;

/** Specification 9: rounded to 2 decimals above 1 SUI; rulings R4: otherwise up to 4 significant digits. */
const roundedMist = (mist: bigint): bigint => {
  if (mist > mistPerSui) return roundTo(mist, mistPerSui / 100n);
  const surplusDigits = mist.toString().length - significantMax;
  return surplusDigits <= 0 ? mist : roundTo(mist, powerOfTen(surplusDigits));
};

/** MIST from a SUI price in an answer. */
export const mistOf = (sui: number): bigint => fromDecimalText(String(sui), mistDecimals) ?? 0n;

/** A price, the same in messages and on pages: `14.56`, without the unit. */
export const suiNumber = (mist: bigint): string =>
  mist < 0n ? `−${suiNumber(-mist)}` : withCommas(toDecimalText(roundedMist(mist), mistDecimals));

/** `14.56 SUI`. */
export const suiText = (mist: bigint): string => `${suiNumber(mist)} SUI`;

/** '1 rock', '1,204 rocks'. */
export const counted = (count: number, one: string): string =>
  `${withCommas(String(count))} ${one}${count === 1 ? '' : 's'}`;

/** The nearest JavaScript number: only as the last step before display, never before a sum. */
export const toNumber = (amount: bigint, decimals: number): number => Number(toDecimalText(amount, decimals));

/**
 * Reads a decimal number (`12.5`, `1e-9`) as an integer with `decimals` decimals, rounded half up; null: the text is not a
 * finite decimal number, or is absurdly long. Prices come as JSON numbers and strings; both pass through here.
 */
export const fromDecimalText = (text: string, decimals: number): bigint | null => {
  const match = text.length <= textLengthMax ? /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text) : null;
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > exponentMax) return null;
  const shift = decimals + exponent - fraction.length;
  const digits = BigInt(whole + fraction);
  const amount = shift >= 0 ? digits * powerOfTen(shift) : divideHalfUp(digits, powerOfTen(-shift));
  return sign === '-' ? -amount : amount;
};

/** A JavaScript number in plain decimal notation, for files read by people and spreadsheets: `1e-7` becomes `0.0000001`. */
export const plainDecimalText = (value: number): string => {
  const amount = fromDecimalText(String(value), decimalsMax);
  return amount === null ? '' : toDecimalText(amount, decimalsMax);
};
