import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from 'discord.js';

import { shortAddress } from '../../shared/sui-address.ts';
import { walletsMax } from '../verify/rules/verification-texts.ts';

/** Discord takes five buttons in a row and five rows; the last is for payout messages and deletion. */
const buttonsInRow = 5;

const row = (...buttons: readonly ButtonBuilder[]) => new ActionRowBuilder<ButtonBuilder>().addComponents(...buttons);
/** A button's id carries all of its meaning (interactions.ts), so that it works after a restart and in any copy. */
const button = (customId: string, label: string, style: Exclude<ButtonStyle, ButtonStyle.Link>) =>
  new ButtonBuilder().setCustomId(customId).setLabel(label).setStyle(style);

export const panelButtons = () => [row(button('verify', 'Verify', ButtonStyle.Primary))];

export const linkButton = (url: string) => [
  row(new ButtonBuilder().setLabel('Verify with your wallet').setStyle(ButtonStyle.Link).setURL(url)),
];

const messagesOn = button('payout-messages:on', 'Tell me when I am paid', ButtonStyle.Secondary);
const messagesOff = button('payout-messages:off', 'Stop payout messages', ButtonStyle.Secondary);

export function walletButtons(wallets: readonly string[], wantsPayoutMessages: boolean) {
  const unlinks = wallets
    .slice(0, walletsMax)
    .map((wallet) => button(`unlink:${wallet}`, `Unlink ${shortAddress(wallet)}`, ButtonStyle.Secondary));
  const rows = [];
  for (let from = 0; from < unlinks.length; from += buttonsInRow)
    rows.push(row(...unlinks.slice(from, from + buttonsInRow)));
  const messages = wallets.length === 0 ? [] : [wantsPayoutMessages ? messagesOff : messagesOn];
  return [...rows, row(...messages, button('ask-deletion', 'Delete my data', ButtonStyle.Danger))];
}

export const deletionButtons = () => [
  row(button('delete', 'Delete my data', ButtonStyle.Danger), button('keep', 'Keep it', ButtonStyle.Secondary)),
];
