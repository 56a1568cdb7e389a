import { foreignText } from '../../shared/foreign-text.ts';
import { isUsableDecimals, toNumber } from '../../shared/money.ts';
import type { LedgerKind } from '../ledger-contract.ts';
import { shortType } from './holdings-rows.ts';
import { formatBalance } from './number-format.ts';

export const kindNames: Readonly<Record<LedgerKind, string>> = {
  'mint-income': 'Mint income',
  'nft-purchase': 'NFTs bought',
  'nft-sale': 'NFTs sold',
  swap: 'Swap',
  'transfer-in': 'Received',
  'transfer-out': 'Sent',
  payout: 'Payout',
  fee: 'Network fee',
  staking: 'Staking',
  other: 'Other',
};

interface CoinAmount {
  readonly coinType: string;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly raw: string;
}

export const coinName = ({ coinType, symbol }: Pick<CoinAmount, 'coinType' | 'symbol'>): string =>
  symbol === null ? shortType(coinType) : foreignText(symbol, 20);

/** `1,200 SUI`, without a sign; base units where the chain has not said how many decimals there are. */
export function amountText(amount: CoinAmount): string {
  const size = amount.raw.replace(/^-/, '');
  const { decimals } = amount;
  const isKnown = decimals !== null && isUsableDecimals(decimals);
  const number = isKnown ? formatBalance(toNumber(BigInt(size), decimals)) : `${foreignText(size, 24)} base units`;
  return `${number} ${coinName(amount)}`;
}

/** `+1,200 SUI`, `−5 USDC`. */
export const signedAmountText = (amount: CoinAmount): string =>
  `${amount.raw.startsWith('-') ? '−' : '+'}${amountText(amount)}`;
