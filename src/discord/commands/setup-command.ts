import { PermissionFlagsBits } from 'discord.js';

import { notTheirsToGiveText, onlyManagersText, setUpText } from './rules/bot-texts.ts';
import {
  problemForDiscord,
  problemOfChannel,
  problemOfPermission,
  problemOfRole,
} from '../servers/rules/guild-problems.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { describeGuild } from '../servers/describe-guild.ts';
import { actorOf } from './wallets-command.ts';
import { postPanel, takePanelAway } from '../servers/panels.ts';

/** /setup role: channel: — chooses the role and posts the verify panel; a second one moves it. */
export async function setUp(asked: Asked, { register, configuring, renewPanel, log }: BotDeps): Promise<Answer> {
  // Registered for Manage Server alone; a server can grant commands to others, so it is checked here as well.
  if (!asked.memberPermissions.has(PermissionFlagsBits.ManageGuild)) return { content: onlyManagersText };
  if (!asked.isChatInputCommand()) return { content: onlyManagersText };
  const { guild, guildId } = asked;
  const { id: roleId, position } = asked.options.getRole('role', true);
  if (!mayGive(asked, position)) return { content: notTheirsToGiveText(roleId) };
  const channelId = asked.options.getChannel('channel', true).id;
  const described = await describeGuild(guild);
  const problems = [
    problemOfRole(described, roleId),
    problemOfPermission(described),
    problemOfChannel(described, channelId),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return { content: [nothingChanged, ...problems.map(problemForDiscord)].join('\n') };

  await register.save(described);
  const postedName = await configuring.nftNameOf(guildId);
  const panel = await postPanel(guild, channelId, postedName);
  if (panel === null) return { content: `${nothingChanged}\n${postRefused(channelId)}` };
  try {
    const { before, roleBefore, nftName } = await configuring.setUp({
      guildId,
      roleId,
      channelId,
      panel,
      actor: actorOf(asked),
    });
    // Saved in the dashboard meanwhile: the name may be new.
    if (nftName !== postedName) renewPanel(guildId);
    if (before !== null) {
      await takePanelAway(guild, before).catch((error: unknown) =>
        log.warn({ err: error, guildId }, 'The previous verify panel could not be deleted'),
      );
    }
    const leftRoleId = described.roles.some(({ id }) => id === roleBefore) ? roleBefore : null;
    return { content: setUpText({ roleId, channelId, nftName, leftRoleId }) };
  } catch (error) {
    await takePanelAway(guild, panel).catch(() => {});
    throw error;
  }
}

/**
 * In Discord only the owner may give a role that is not below their own: the bot does not do it in a member's stead. The permissions of
 * their roles count: `memberPermissions` are those of the channel, where this bit is 'Manage Permissions' (documentation,
 * topics/permissions).
 */
const mayGive = ({ guild, member }: Asked, position: number): boolean =>
  guild.ownerId === member.id ||
  (member.permissions.has(PermissionFlagsBits.ManageRoles) && position < member.roles.highest.position);

const nothingChanged = 'Nothing was changed:';
const postRefused = (channelId: string): string =>
  `Discord did not let the bot post in <#${channelId}>. In the settings of that channel → Permissions, allow the bot's role to View Channel and Send Messages, then use /setup again.`;
