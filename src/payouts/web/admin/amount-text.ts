import { foreignText } from '../../../shared/foreign-text.ts';
import { fromDecimalText, isUsableDecimals, mistDecimals, toDecimalText } from '../../../shared/money.ts';
import { shortType, suiCoinType } from '../../../shared/sui-address.ts';

/** Amounts as the team types and reads them: in whole coins, exact to the last base unit. */

export interface ShownCoin {
  readonly type: string;
  /** What the coin calls itself, which is untrusted text. */
  readonly symbol: string | null;
  /** null: not known. */
  readonly decimals: number | null;
}

export const coinName = ({ type, symbol }: ShownCoin): string =>
  symbol === null ? shortType(type) : foreignText(symbol, 20);

/** `1,234.567891 SUI`; base units where the chain has not said how many decimals there are. null: not known. */
export function amountText(raw: string | null, coin: ShownCoin): string {
  if (raw === null) return 'Not known';
  const { decimals } = coin;
  if (decimals === null || !isUsableDecimals(decimals)) return `${raw} base units of ${coinName(coin)}`;
  const [whole = '', fraction] = toDecimalText(BigInt(raw), decimals).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`} ${coinName(coin)}`;
}

const sui: ShownCoin = { type: suiCoinType, symbol: 'SUI', decimals: mistDecimals };
export const suiText = (mist: string | null): string => amountText(mist, sui);

/** As it stands in the field: without commas, so that it can be read again. */
export const typedAmount = (raw: string, { decimals }: ShownCoin): string =>
  decimals !== null && isUsableDecimals(decimals) ? toDecimalText(BigInt(raw), decimals) : '';

export type ReadAmount = { readonly raw: string } | { readonly problem: string };

const wrong = (problem: string): ReadAmount => ({ problem });
/** No coin has more base units. */
const digitsMax = 31;

/** What was typed, in base units, exactly: nothing is rounded, and what can be read in two ways is refused. */
export function readAmount(text: string, coin: ShownCoin & { readonly decimals: number }): ReadAmount {
  const typed = text.trim();
  if (typed === '') return wrong('Enter an amount.');
  const amount = /^\d+(?:\.\d+)?$/.test(typed) ? fromDecimalText(typed, coin.decimals) : null;
  if (amount === null) return wrong('Write it with digits and one point, as in 1234.5, without commas and signs.');
  const decimals = typed.split('.')[1]?.replace(/0+$/, '').length ?? 0;
  if (decimals > coin.decimals)
    return wrong(`${coinName(coin)} has ${coin.decimals} decimals. This amount has ${decimals}.`);
  if (amount === 0n) return wrong('A payout of 0 pays nobody. Enter an amount.');
  const raw = String(amount);
  return raw.length > digitsMax ? wrong('That is more than any coin has.') : { raw };
}
