import { amountText } from '../../../payouts/core/payout-words.ts';
import { foreignText } from '../../../shared/foreign-text.ts';
import { suiText as priceText } from '../../../shared/money.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { decimalText, wholeNumberText } from '../../../ui/decimal-text.ts';
import { rockColors } from '../../../shared/rock-colors.ts';
import { collection } from '../../content.ts';
import type { ShownEvent, ShownReceipt, ShownRock } from './rocks-answer.ts';

export const suiText = (mist: string): string => priceText(BigInt(mist));

/** null: not known, or none. */
export const suiTextOr = (mist: string | null, none: string): string => (mist === null ? none : suiText(mist));

/** Of a rock that is for sale. */
export const listedAt = ({ priceMist }: NonNullable<ShownRock['listing']>): string =>
  suiTextOr(priceMist, 'For sale, price not known');

/** '$1,247.50': a share of the treasury. A small one is not zero (rulings R3). */
export function usdText(usd: number | null): string {
  if (usd === null) return 'Not known';
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${decimalText(usd, { min: 2, max: 2 })}`;
}

const nameMax = 40;

export const rockTitle = (number: number): string => `Rock #${wholeNumberText(number)}`;

/** 'Rock #1, Powder Blue' */
export const rockInFull = (number: number, color: string | null): string =>
  color === null ? rockTitle(number) : `${rockTitle(number)}, ${color}`;

/** The rock's name on the chain, if it says more than the number. Untrusted text. */
export function ownName({ name, number }: Pick<ShownRock, 'name' | 'number'>): string | null {
  if (name === null) return null;
  const shown = foreignText(name, nameMax);
  return [rockTitle(number), `Sui ${rockTitle(number)}`].includes(shown) ? null : shown;
}

/** '120 of 555 rocks are Azure Pulse, 21.62%.'; null: the color is not known. */
export function rarityText(color: string | null): string | null {
  const known = rockColors.find(({ name }) => name === color);
  return known === undefined
    ? null
    : `${known.count} of ${collection.totalSupply} rocks are ${known.name}, ${known.percent}.`;
}

const places: Readonly<Record<NonNullable<ShownRock['place']>, string>> = {
  wallet: 'In the wallet itself.',
  kiosk: "In a kiosk: the owner's stall on the chain.",
  'personal-kiosk': "In a personal kiosk: the owner's own stall on the chain, which cannot be passed on.",
  escrow: 'At the marketplace, for sale. It still belongs to its seller.',
};

export const placeText = (place: ShownRock['place']): string => (place === null ? 'Not known' : places[place]);

/** The owner's name on the chain, else the short address. */
export const holderText = ({ address, name }: { readonly address: string; readonly name: string | null }): string =>
  name === null ? shortAddress(address) : foreignText(name, nameMax);

const eventNames: Readonly<Record<ShownEvent['kind'], string>> = {
  mint: 'Minted',
  sale: 'Sold',
  'accepted-bid': 'Sold, bid accepted',
  transfer: 'Passed on',
  listing: 'Put up for sale',
  burn: 'Burned',
};

export const eventText = (kind: ShownEvent['kind']): string => eventNames[kind];

export const shareTerms =
  'This is arithmetic, not a claim: a rock is not a share in the treasury. Distributions are discretionary and not guaranteed.';

/** What a payout gave: `0.25 SUI`. */
export const receiptAmount = ({ raw, coin: { symbol, decimals } }: Pick<ShownReceipt, 'raw' | 'coin'>): string =>
  amountText(raw, { symbol, decimals });
