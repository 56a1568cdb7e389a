import { ButtonStyle } from 'discord.js';

import { shortAddress } from '../../shared/sui-address.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { explainMember } from '../roles/explain-member.ts';
import { deleteMember, unlinkWallet as unlink } from '../roles/linking.ts';
import { askForPayoutMessages } from '../roles/payout-messages.ts';
import { walletsMax } from '../roles/rules/findings.ts';
import {
  actorOf,
  type Answer,
  type MemberInteraction,
  type BotDeps,
  button,
  buttonRow,
  type Command,
} from './command.ts';
import {
  confirmDeletionText,
  deletedText,
  keptText,
  notSetUpText,
  noWalletsText,
  unlinkedText,
  walletsText,
} from '../bot-texts.ts';

export const walletsCommand: Command = {
  name: 'wallets',
  description: 'See the wallets you have linked, unlink one, ask for payout messages, or delete your data',
  answer: (interaction, deps) => showWallets(interaction, deps),
};

async function showWallets(
  { guildId, user }: MemberInteraction,
  deps: BotDeps,
  newsOf: (explanation: MemberExplanation) => readonly string[] = () => [],
): Promise<Answer> {
  const explanation = await explainMember(deps, guildId, user.id);
  if (explanation === null) return nothingLinkedAnswer(guildId, deps.guilds);
  const news = newsOf(explanation);
  return {
    content:
      explanation.wallets.length === 0
        ? [...news, noWalletsText].join('\n')
        : walletsText(explanation, deps.publicUrl, news),
    components: walletButtons(
      explanation.wallets.map(({ wallet }) => wallet),
      explanation.wantsPayoutMessages,
    ),
  };
}

/** Discord allows five rows of five buttons; the last row is for payout messages and deletion. */
const buttonsInRow = 5;
const messagesOn = button('payout-messages:on', 'Tell me when I am paid', ButtonStyle.Secondary);
const messagesOff = button('payout-messages:off', 'Stop payout messages', ButtonStyle.Secondary);

function walletButtons(wallets: readonly string[], wantsPayoutMessages: boolean) {
  const unlinks = wallets
    .slice(0, walletsMax)
    .map((wallet) => button(`unlink:${wallet}`, `Unlink ${shortAddress(wallet)}`, ButtonStyle.Secondary));
  const rows = [];
  for (let from = 0; from < unlinks.length; from += buttonsInRow)
    rows.push(buttonRow(...unlinks.slice(from, from + buttonsInRow)));
  const messages = wallets.length === 0 ? [] : [wantsPayoutMessages ? messagesOff : messagesOn];
  return [...rows, buttonRow(...messages, button('ask-deletion', 'Delete my data', ButtonStyle.Danger))];
}

/** For members who have linked nothing: if the server is not set up, /verify would not help. */
export async function nothingLinkedAnswer(guildId: string, guilds: BotDeps['guilds']): Promise<Answer> {
  const guild = await guilds.read(guildId);
  return { content: guild === null || guild.config === null ? notSetUpText : noWalletsText };
}

const memberOf = ({ guildId, user }: MemberInteraction) => ({ guildId, userId: user.id });

export async function unlinkWallet(interaction: MemberInteraction, deps: BotDeps, wallet: string): Promise<Answer> {
  const isUnlinked = await unlink(deps, memberOf(interaction), wallet, actorOf(interaction));
  // The button may be old, and the wallet no longer linked to this member.
  return showWallets(interaction, deps, (left) => (isUnlinked ? [unlinkedText(wallet, left), ''] : []));
}

export async function setPayoutMessages(interaction: MemberInteraction, deps: BotDeps, onOff: string): Promise<Answer> {
  await askForPayoutMessages(deps, memberOf(interaction), onOff === 'on', actorOf(interaction));
  return showWallets(interaction, deps);
}

export const askDeletion = (): Answer => ({
  content: confirmDeletionText,
  components: [
    buttonRow(button('delete', 'Delete my data', ButtonStyle.Danger), button('keep', 'Keep it', ButtonStyle.Secondary)),
  ],
});

export async function deleteData(interaction: MemberInteraction, deps: BotDeps): Promise<Answer> {
  await deleteMember(deps, memberOf(interaction), actorOf(interaction));
  return { content: deletedText };
}

export const keepData = (): Answer => ({ content: keptText });
