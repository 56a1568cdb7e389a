import { answeredWithin } from '../../db/outage.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { readGuildFigures } from '../admin/statistics-store.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { linkButton } from './buttons.ts';
import { type Command, displayNameOf } from './command.ts';
import { helpText, notSetUpText, statsText, verifyText, whyText } from './rules/bot-texts.ts';
import { setupCommand } from './setup-command.ts';
import { sayNothingLinked, walletsCommand } from './wallets-command.ts';

/** Discord's own limit (documentation, resources/user). */
const userNameMax = 32;

/** /verify and the panel's button: a link for this member alone. */
export const verifyCommand: Command = {
  name: 'verify',
  description: 'Link a wallet and get the holder role',
  answer: async (asked, { guilds, links, publicUrl }) => {
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
  },
};

/** Repeated questions get the same answer for this long: each check reads the chain. */
const freshMs = 30_000;
/** An unresponsive database must not keep anyone waiting. */
const databaseWithinMs = 3_000;

/** Checks now, and says what was found and what follows. */
const whyCommand: Command = {
  name: 'why',
  description: 'Why you have the holder role, or do not: every wallet and the last check',
  answer: async ({ guildId, user, createdTimestamp }, { roles, guilds }) => {
    const known = await answeredWithin(roles.explain(guildId, user.id), databaseWithinMs);
    if (known === null) return sayNothingLinked(guildId, guilds);
    const explanation = isFresh(known, createdTimestamp) ? known : await roles.checkNow(guildId, user.id, 'asked');
    return { content: whyText(explanation) };
  },
};

const isFresh = ({ answer, answeredAt, wallets }: MemberExplanation, nowMs: number): boolean =>
  answer !== null &&
  answer !== 'unknown' &&
  // A wallet may have been linked since.
  wallets.every((wallet) => wallet.answer !== null) &&
  answeredAt !== null &&
  nowMs - Date.parse(answeredAt) < freshMs;

/** Figures of the server, from the database alone. */
const statsCommand: Command = {
  name: 'stats',
  description: 'How many members are verified here, and when they were last checked',
  answer: async ({ guildId }, { db }) => {
    const found = await readGuildFigures(db, guildId);
    return { content: found === null ? notSetUpText : statsText(found.nftName, found) };
  },
};

const helpCommand: Command = {
  name: 'help',
  description: 'What this bot does and what it keeps',
  answer: (_asked, { publicUrl }) => ({ content: helpText(publicUrl, commands) }),
};

/** The bot's commands (rulings R5), in the order of /help. A new one is a line here; a larger one has a file of its own. */
export const commands: readonly Command[] = [
  verifyCommand,
  walletsCommand,
  whyCommand,
  setupCommand,
  statsCommand,
  helpCommand,
];
