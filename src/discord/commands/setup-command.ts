import { ApplicationCommandOptionType, PermissionFlagsBits } from 'discord.js';

import { notTheirsToGiveText, onlyManagersText, setUpText } from './rules/bot-texts.ts';
import {
  problemForDiscord,
  problemOfChannel,
  problemOfPermission,
  problemOfRole,
} from '../servers/rules/guild-problems.ts';
import { actorOf, type Answer, type Asked, type BotDeps, type Command } from './command.ts';
import { describeGuild, panelChannelTypes } from '../servers/describe-guild.ts';
import { postPanel, takePanelAway } from '../servers/panels.ts';

/** Chooses the role and posts the verify panel; a second one moves it. */
export const setupCommand: Command = {
  name: 'setup',
  description: 'Choose the holder role and post the verify panel (Manage Server)',
  isForManagers: true,
  options: [
    {
      type: ApplicationCommandOptionType.Role,
      name: 'role',
      description: 'The role that verified holders get',
      required: true,
    },
    {
      type: ApplicationCommandOptionType.Channel,
      name: 'channel',
      description: 'Where the verify panel stands',
      required: true,
      channel_types: [...panelChannelTypes],
    },
  ],
  answer: setUp,
};

async function setUp(asked: Asked, { register, configuring, renewPanel, log }: BotDeps): Promise<Answer> {
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
