import { cleanText } from '../../shared/clean-text.ts';
import { linkButton } from './buttons.ts';
import { type Command, displayNameOf } from './command.ts';
import { notSetUpText, verifyText } from './rules/bot-texts.ts';

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
