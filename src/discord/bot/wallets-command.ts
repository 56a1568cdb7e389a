import {
  confirmDeletionText,
  deletedText,
  keptText,
  noWalletsText,
  notSetUpText,
  unlinkedText,
  walletsText,
} from '../core/bot-texts.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { deletionButtons, walletButtons } from './buttons.ts';
import { displayNameOf } from './verify-command.ts';

/** /wallets: what is linked, with a button to unlink each. */
export async function showWallets({ guildId, user }: Asked, { roles, guilds }: BotDeps): Promise<Answer> {
  const explanation = await roles.explain(guildId, user.id);
  if (explanation === null) return sayNothingLinked(guildId, guilds);
  return {
    content: explanation.wallets.length === 0 ? noWalletsText : walletsText(explanation),
    components: walletButtons(explanation.wallets.map(({ wallet }) => wallet)),
  };
}

/** To whoever has linked nothing: where nobody has set up the server, /verify would not help. */
export async function sayNothingLinked(guildId: string, guilds: BotDeps['guilds']): Promise<Answer> {
  const guild = await guilds.read(guildId);
  return { content: guild === null || guild.config === null ? notSetUpText : noWalletsText };
}

export async function unlinkWallet(asked: Asked, deps: BotDeps, wallet: string): Promise<Answer> {
  const isUnlinked = await deps.roles.unlinkWallet(asked.guildId, asked.user.id, wallet, actorOf(asked));
  const left = await showWallets(asked, deps);
  // The button may be an old one: what it was for is theirs no more.
  if (!isUnlinked) return left;
  return { ...left, content: `${unlinkedText(wallet)}\n\n${left.content}` };
}

export const askDeletion = (): Answer => ({ content: confirmDeletionText, components: deletionButtons() });

export async function deleteData(asked: Asked, { roles }: BotDeps): Promise<Answer> {
  await roles.deleteMember(asked.guildId, asked.user.id, actorOf(asked));
  return { content: deletedText };
}

export const keepData = (): Answer => ({ content: keptText });

/** As the log of changes names them. */
export const actorOf = (asked: Asked) =>
  ({ kind: 'discord', userId: asked.user.id, name: displayNameOf(asked) }) as const;
