import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from 'discord.js';

import { canonicalWallet, shortAddress } from '../../shared/sui-address.ts';
import { walletsMax } from '../verify/rules/verification-refusals.ts';

/** What a button of ours means; its id carries all of it, so that it works after a restart and in any copy. */
export type ButtonMeaning =
  | { readonly kind: 'verify' }
  | { readonly kind: 'unlink'; readonly wallet: string }
  | { readonly kind: 'ask-deletion' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'keep' };

/** Discord takes five buttons in a row and five rows; the last is for deletion. */
const buttonsInRow = 5;

const verifyId = 'verify';
const unlinkPrefix = 'unlink:';
const plainKinds = ['ask-deletion', 'delete', 'keep'] as const;

/** null: not one of ours, or no longer. */
export function meaningOf(customId: string): ButtonMeaning | null {
  if (customId === verifyId) return { kind: 'verify' };
  const plain = plainKinds.find((kind) => kind === customId);
  if (plain !== undefined) return { kind: plain };
  const wallet = customId.startsWith(unlinkPrefix) ? canonicalWallet(customId.slice(unlinkPrefix.length)) : null;
  return wallet === null ? null : { kind: 'unlink', wallet };
}

const row = (...buttons: readonly ButtonBuilder[]) => new ActionRowBuilder<ButtonBuilder>().addComponents(...buttons);
const button = (customId: string, label: string, style: Exclude<ButtonStyle, ButtonStyle.Link>) =>
  new ButtonBuilder().setCustomId(customId).setLabel(label).setStyle(style);

export const panelButtons = () => [row(button(verifyId, 'Verify', ButtonStyle.Primary))];

export const linkButton = (url: string) => [
  row(new ButtonBuilder().setLabel('Verify with your wallet').setStyle(ButtonStyle.Link).setURL(url)),
];

export function walletButtons(wallets: readonly string[]) {
  const unlinks = wallets
    .slice(0, walletsMax)
    .map((wallet) => button(`${unlinkPrefix}${wallet}`, `Unlink ${shortAddress(wallet)}`, ButtonStyle.Secondary));
  const rows = [];
  for (let from = 0; from < unlinks.length; from += buttonsInRow)
    rows.push(row(...unlinks.slice(from, from + buttonsInRow)));
  return [...rows, row(button('ask-deletion', 'Delete my data', ButtonStyle.Danger))];
}

export const deletionButtons = () => [
  row(button('delete', 'Delete my data', ButtonStyle.Danger), button('keep', 'Keep it', ButtonStyle.Secondary)),
];
