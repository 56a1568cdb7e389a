import { cleanText } from '../../shared/clean-text.ts';
import { notSetUpText, verifyText } from '../core/bot-texts.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { linkButton } from './buttons.ts';

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
export const displayNameOf = ({ member, user }: Asked): string =>
  cleanText(member.displayName, displayNameMax) || user.id;
