import { foreignText } from '../../shared/foreign-text.ts';
import { isUsableDecimals, toNumber } from '../../shared/money.ts';
import { kioskOwnerCapType } from '../../shared/sui-address.ts';
import { counted } from '../../ui/decimal-text.ts';
import type { declaredRoles, LedgerKind } from '../core/ledger-words.ts';
import { abbreviatedType } from './holdings-rows.ts';
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

type DeclaredRole = (typeof declaredRoles)[number];

export const roleNames: Readonly<Record<DeclaredRole, string>> = {
  exchange: 'Exchange',
  marketplace: 'Marketplace',
  team: 'The team',
  other: 'Other',
};

/** Shown after a name. What the team declares is marked as declared, as everywhere (rulings R3). */
export const roleWords: Readonly<Record<DeclaredRole | 'holder', string>> = {
  exchange: 'exchange, declared by the team',
  marketplace: 'marketplace, declared by the team',
  team: 'declared by the team as its own',
  other: 'declared by the team',
  holder: 'holds rocks',
};

interface CoinAmount {
  readonly coinType: string;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly raw: string;
}

export const coinName = ({ coinType, symbol }: Pick<CoinAmount, 'coinType' | 'symbol'>): string =>
  symbol === null ? abbreviatedType(coinType) : foreignText(symbol, 20);

/** `1,200`, without a sign; in base units if the decimals are unknown. */
export function numberText({ raw, decimals }: Pick<CoinAmount, 'raw' | 'decimals'>): string {
  const size = raw.replace(/^-/, '');
  const isKnown = decimals !== null && isUsableDecimals(decimals);
  return isKnown ? formatBalance(toNumber(BigInt(size), decimals)) : `${foreignText(size, 24)} base units`;
}

/** `+1,200 SUI`, `−5 USDC`. */
export const signedAmountText = (amount: CoinAmount): string =>
  `${amount.raw.startsWith('-') ? '−' : '+'}${numberText(amount)} ${coinName(amount)}`;

interface MovedObjects {
  /** null: not known. */
  readonly nftCount: number | null;
  readonly nfts: readonly { readonly collectionType: string | null }[] | null;
}

/** '2 NFTs'. A kiosk moves with its cap, and all that is in it with the kiosk: the ledger does not know how many NFTs that are. */
export function objectTexts({ nftCount, nfts }: MovedObjects): readonly string[] {
  const kiosks = (nfts ?? []).filter(({ collectionType }) => collectionType === kioskOwnerCapType).length;
  const others = (nftCount ?? 0) - kiosks;
  return [
    ...(others > 0 ? [counted(others, 'NFT')] : []),
    ...(kiosks > 0 ? [`${counted(kiosks, 'kiosk')}, contents included`] : []),
  ];
}
