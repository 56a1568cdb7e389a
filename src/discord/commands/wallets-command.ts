import { deletionButtons, walletButtons } from './buttons.ts';
import { actorOf, type Answer, type Asked, type BotDeps, type Command } from './command.ts';
import {
  confirmDeletionText,
  deletedText,
  keptText,
  notSetUpText,
  noWalletsText,
  unlinkedText,
  walletsText,
} from './rules/bot-texts.ts';

/** What is linked, with a button to unlink each. */
export const walletsCommand: Command = {
  name: 'wallets',
  description: 'See the wallets you have linked, unlink one, ask for payout messages, or delete your data',
  answer: showWallets,
};

async function showWallets({ guildId, user }: Asked, { roles, guilds, publicUrl }: BotDeps): Promise<Answer> {
  const explanation = await roles.explain(guildId, user.id);
  if (explanation === null) return sayNothingLinked(guildId, guilds);
  return {
    content: explanation.wallets.length === 0 ? noWalletsText : walletsText(explanation, publicUrl),
    components: walletButtons(
      explanation.wallets.map(({ wallet }) => wallet),
      explanation.wantsPayoutMessages,
    ),
  };
}

/** For members who have linked nothing: if the server is not set up, /verify would not help. */
export async function sayNothingLinked(guildId: string, guilds: BotDeps['guilds']): Promise<Answer> {
  const guild = await guilds.read(guildId);
  return { content: guild === null || guild.config === null ? notSetUpText : noWalletsText };
}

export async function unlinkWallet(asked: Asked, deps: BotDeps, wallet: string): Promise<Answer> {
  const isUnlinked = await deps.roles.unlinkWallet(asked.guildId, asked.user.id, wallet, actorOf(asked));
  const left = await showWallets(asked, deps);
  // The button may be an old one: the wallet is no longer theirs.
  if (!isUnlinked) return left;
  return { ...left, content: `${unlinkedText(wallet)}\n\n${left.content}` };
}

export async function setPayoutMessages(asked: Asked, deps: BotDeps, wanted: string): Promise<Answer> {
  const member = { guildId: asked.guildId, userId: asked.user.id };
  await deps.roles.askForPayoutMessages(member, wanted === 'on', actorOf(asked));
  return showWallets(asked, deps);
}

export const askDeletion = (): Answer => ({ content: confirmDeletionText, components: deletionButtons() });

export async function deleteData(asked: Asked, { roles }: BotDeps): Promise<Answer> {
  await roles.deleteMember(asked.guildId, asked.user.id, actorOf(asked));
  return { content: deletedText };
}

export const keepData = (): Answer => ({ content: keptText });
