import {
  ApplicationCommandOptionType,
  ButtonBuilder,
  ButtonStyle,
  PermissionFlagsBits,
  DiscordAPIError,
  type Guild,
  RESTJSONErrorCodes,
} from 'discord.js';

import {
  notTheirsToGiveText,
  onlyManagersText,
  setUpText,
  helpText,
  notSetUpText,
  statsText,
  verifyText,
  whyText,
  panelText,
} from '../bot-texts.ts';
import {
  problemForDiscord,
  problemOfChannel,
  problemOfPermission,
  problemOfRole,
} from '../servers/rules/guild-problems.ts';
import {
  actorOf,
  type Answer,
  type MemberInteraction,
  type BotDeps,
  buttonRow,
  type Command,
  displayNameOf,
  button,
} from './command.ts';
import { describeGuild, panelChannelTypes } from '../servers/describe-guild.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { readGuildFigures } from '../admin/statistics-store.ts';
import { checkAndExplain } from '../roles/explain-member.ts';
import { nothingLinkedAnswer, walletsCommand } from './wallets-command.ts';
import type { Panel } from '../servers/guild-config-store.ts';
import { hasChosenRole } from '../servers/rules/known-guild.ts';

/** Chooses the role and posts the verify panel; a second /setup moves it. */
const setupCommand: Command = {
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
      description: 'Where the verify panel is posted',
      required: true,
      channel_types: [...panelChannelTypes],
    },
  ],
  answer: setUp,
};

async function setUp(interaction: MemberInteraction, { register, configuring, log }: BotDeps): Promise<Answer> {
  // Registered for Manage Server only, but a server can grant commands to others, so it is checked here too.
  if (!interaction.memberPermissions.has(PermissionFlagsBits.ManageGuild) || !interaction.isChatInputCommand())
    return { content: onlyManagersText };
  const { guild, guildId } = interaction;
  const { id: roleId, position } = interaction.options.getRole('role', true);
  if (!mayGive(interaction, position)) return { content: notTheirsToGiveText(roleId) };
  const channelId = interaction.options.getChannel('channel', true).id;
  const described = await describeGuild(guild);
  const problems = [
    problemOfRole(described, roleId),
    problemOfPermission(described),
    problemOfChannel(described, channelId),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return { content: [nothingChanged, ...problems.map(problemForDiscord)].join('\n') };

  await register.save(described);
  const panel = await postPanel(guild, channelId);
  if (panel === null) return { content: `${nothingChanged}\n${postRefused(channelId)}` };
  try {
    const wanted = { guildId, roleId, channelId, panel, actor: actorOf(interaction) };
    const { before, nftName } = await configuring.setUp(wanted);
    if (before !== undefined) {
      await deletePanel(guild, before).catch((error: unknown) =>
        log.warn({ err: error, guildId }, 'The previous verify panel could not be deleted'),
      );
    }
    const roleBefore = described.roles.find(({ id }) => id === before?.roleId && id !== roleId);
    const leftRoleId = roleBefore?.id ?? null;
    return { content: setUpText({ roleId, channelId, nftName, leftRoleId }) };
  } catch (error) {
    await deletePanel(guild, panel).catch(() => {});
    throw error;
  }
}

/**
 * Only the owner may give a role that is not below their own, so the bot does not do it for other members. The permissions of their
 * roles count: `memberPermissions` are those in the channel, where this bit means 'Manage Permissions' (documentation,
 * topics/permissions).
 */
const mayGive = ({ guild, member }: MemberInteraction, position: number): boolean =>
  guild.ownerId === member.id ||
  (member.permissions.has(PermissionFlagsBits.ManageRoles) && position < member.roles.highest.position);

const nothingChanged = 'Nothing was changed:';
const postRefused = (channelId: string): string =>
  `Discord did not let the bot post in <#${channelId}>. In the settings of that channel → Permissions, allow the bot's role to View Channel and Send Messages, then use /setup again.`;

/** Discord's own limit (documentation, resources/user). */
const userNameMax = 32;

export const verifyCommand: Command = {
  name: 'verify',
  description: 'Link a wallet and get the holder role',
  answer: async (interaction, { guilds, links, publicUrl }) => {
    const guild = await guilds.read(interaction.guildId);
    if (guild === null || guild.config === null) return { content: notSetUpText };
    const { url, expiresAt } = await links.makeLink({
      guildId: interaction.guildId,
      userId: interaction.user.id,
      displayName: displayNameOf(interaction),
      userName: cleanText(interaction.user.username, userNameMax),
    });
    const link = new ButtonBuilder().setLabel('Verify with your wallet').setStyle(ButtonStyle.Link).setURL(url);
    return { content: verifyText(publicUrl, expiresAt, hasChosenRole(guild)), components: [buttonRow(link)] };
  },
};

const whyCommand: Command = {
  name: 'why',
  description: 'Why you have the holder role, or do not: every wallet and the last check',
  answer: async ({ guildId, user }, deps) => {
    const explanation = await checkAndExplain(deps, guildId, user.id, 'asked');
    return explanation === null ? nothingLinkedAnswer(guildId, deps.guilds) : { content: whyText(explanation) };
  },
};

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
  answer: (_interaction, { publicUrl }) => ({ content: helpText(publicUrl, commands) }),
};

/** The bot's commands (rulings R5), in the order of /help. A new command is a line here; a larger one has its own file. */
export const commands: readonly Command[] = [
  verifyCommand,
  walletsCommand,
  whyCommand,
  setupCommand,
  statsCommand,
  helpCommand,
];

const outOfReach = new Set<string | number>([
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
]);

/** null: Discord did not let the bot post there. */
async function postPanel(guild: Guild, channelId: string): Promise<Panel | null> {
  const channel = guild.channels.cache.get(channelId);
  if (channel === undefined || !channel.isTextBased()) return null;
  try {
    const components = [buttonRow(button('verify', 'Verify', ButtonStyle.Primary))];
    const { id } = await channel.send({ content: panelText, components });
    return { panelChannelId: channelId, panelMessageId: id };
  } catch (error) {
    if (error instanceof DiscordAPIError && outOfReach.has(error.code)) return null;
    throw error;
  }
}

/** A panel that is gone or out of reach counts as deleted. */
async function deletePanel(
  guild: Guild,
  { panelChannelId, panelMessageId }: { readonly [Key in keyof Panel]: string | null },
): Promise<void> {
  const channel = guild.channels.cache.get(panelChannelId ?? '');
  if (channel?.isTextBased() !== true || panelMessageId === null) return;
  await channel.messages.delete(panelMessageId).catch((error: unknown) => {
    if (!(error instanceof DiscordAPIError)) throw error;
  });
}
