import { answeredWithin } from '../../db/outage.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { deletionButtons, linkButton, walletButtons } from './buttons.ts';
import {
  confirmDeletionText,
  deletedText,
  keptText,
  notSetUpText,
  noWalletsText,
  statsText,
  unlinkedText,
  verifyText,
  walletsText,
  whyText,
} from './rules/bot-texts.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { cleanText } from '../../shared/clean-text.ts';

const displayNameMax = 100;
/** Discord's own limit (documentation, resources/user). */
const userNameMax = 32;

/** /verify and the panel's button: a link for this member alone. */
export async function verify(asked: Asked, { guilds, links, publicUrl }: BotDeps): Promise<Answer> {
  const guild = await guilds.read(asked.guildId);
  if (guild === null || guild.config === null) return { content: notSetUpText };
  const { url, expiresAt } = await links.makeLink({
    guildId: asked.guildId,
    userId: asked.user.id,
    displayName: displayNameOf(asked),
    userName: cleanText(asked.user.username, userNameMax),
  });
  const { roles, config } = guild;
  const hasRole = roles.some(({ id }) => id === config.roleId);
  return { content: verifyText(publicUrl, expiresAt, hasRole), components: linkButton(url) };
}

/** Text of a stranger, cleaned. */
const displayNameOf = ({ member, user }: Asked): string => cleanText(member.displayName, displayNameMax) || user.id;

/** /wallets: what is linked, with a button to unlink each. */
export async function showWallets({ guildId, user }: Asked, { roles, guilds }: BotDeps): Promise<Answer> {
  const explanation = await roles.explain(guildId, user.id);
  if (explanation === null) return sayNothingLinked(guildId, guilds);
  return {
    content: explanation.wallets.length === 0 ? noWalletsText : walletsText(explanation),
    components: walletButtons(explanation.wallets.map(({ wallet }) => wallet)),
  };
}

/** For members who have linked nothing: if the server is not set up, /verify would not help. */
async function sayNothingLinked(guildId: string, guilds: BotDeps['guilds']): Promise<Answer> {
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

export const askDeletion = (): Answer => ({ content: confirmDeletionText, components: deletionButtons() });

export async function deleteData(asked: Asked, { roles }: BotDeps): Promise<Answer> {
  await roles.deleteMember(asked.guildId, asked.user.id, actorOf(asked));
  return { content: deletedText };
}

export const keepData = (): Answer => ({ content: keptText });

/** As the log of changes names them. */
export const actorOf = (asked: Asked) =>
  ({ kind: 'discord', userId: asked.user.id, name: displayNameOf(asked) }) as const;

/** /stats: figures of the server, from the database alone. */
export async function showStats({ guildId }: Asked, { figures }: BotDeps): Promise<Answer> {
  const found = await figures(guildId);
  return { content: found === null ? notSetUpText : statsText(found.nftName, found) };
}

/** Repeated questions get the same answer for this long: each check reads the chain. */
const freshMs = 30_000;
/** An unresponsive database must not keep anyone waiting. */
const databaseWithinMs = 3_000;

/** /why: checks now, and says what was found and what follows. */
export async function why({ guildId, user, createdTimestamp }: Asked, { roles, guilds }: BotDeps): Promise<Answer> {
  const known = await answeredWithin(roles.explain(guildId, user.id), databaseWithinMs);
  if (known === null) return sayNothingLinked(guildId, guilds);
  const explanation = isFresh(known, createdTimestamp) ? known : await roles.checkNow(guildId, user.id, 'asked');
  return { content: whyText(explanation) };
}

const isFresh = ({ answer, answeredAt, wallets }: MemberExplanation, nowMs: number): boolean =>
  answer !== null &&
  answer !== 'unknown' &&
  // A wallet may have been linked since.
  wallets.every((wallet) => wallet.answer !== null) &&
  answeredAt !== null &&
  nowMs - Date.parse(answeredAt) < freshMs;
