import type { DiscordGuild } from '../../contract.ts';
import { forDiscord } from '../../bot-texts.ts';
import type { KnownGuild } from './known-guild.ts';

/** Something that keeps the bot from working in a server, with the exact fix (rulings R5). Codes are stable. */
type GuildProblem = DiscordGuild['problems'][number];

type Described = Pick<KnownGuild, 'guildId' | 'roles' | 'channels' | 'botPermissions' | 'botTopPosition'>;

/** Discord's permission bits (documentation, topics/permissions). */
const administrator = 1n << 3n;
const manageRoles = 1n << 28n;

/**
 * What blocks the configured setup; for a server that is not configured, only an outage. `hasMarketKey`: MARKET_API_USER and
 * MARKET_API_KEY are set.
 */
export function guildProblems(guild: KnownGuild, hasMarketKey: boolean): readonly GuildProblem[] {
  const outage = guild.isInOutage ? serverOutage : null;
  if (guild.config === null) return outage === null ? [] : [outage];
  const { roleId, channelId } = guild.config;
  const roleProblem = roleId === '' ? noRole : problemOfRole(guild, roleId);
  const permission = problemOfPermission(guild);
  const channel = channelId === null ? null : problemOfChannel(guild, channelId);
  const problems = [outage, roleProblem, permission, channel, hasMarketKey ? null : noMarketKey];
  return problems.filter((problem) => problem !== null);
}

const serverOutage: GuildProblem = {
  code: 'server-outage',
  message: 'Discord reports an outage of this server, so the bot cannot reach it.',
  fix: 'Nothing to do: the bot continues by itself once the server is back.',
};

const noRole: GuildProblem = {
  code: 'no-role',
  message: 'No role is chosen yet: verified holders get none.',
  fix: 'In the server, use /setup with the role and the channel.',
};

/** A piece that is for sale may be only at the marketplace: without the key no one can be said to hold nothing (rulings R5). */
const noMarketKey: GuildProblem = {
  code: 'marketplace-key-missing',
  message: 'There is no marketplace key: holders get the role, but those who sell keep it.',
  fix: 'Set MARKET_API_USER and MARKET_API_KEY and restart the product.',
};

export function problemOfRole(guild: Described, roleId: string): GuildProblem | null {
  if (roleId === guild.guildId) {
    return {
      code: 'role-is-everyone',
      message: '@everyone is not a role that can be given: every member has it.',
      fix: 'Create a role just for holders and choose it with /setup.',
    };
  }
  const role = guild.roles.find(({ id }) => id === roleId);
  if (role === undefined) {
    return {
      code: 'role-missing',
      message: 'The role for holders was deleted.',
      fix: 'Create a role for holders and choose it with /setup.',
    };
  }
  if (role.isManaged) {
    return {
      code: 'role-managed',
      message: `The role "${role.name}" belongs to a bot, an integration or boosters: nobody can give it.`,
      fix: 'Create a role just for holders and choose it with /setup.',
    };
  }
  if (role.position < guild.botTopPosition) return null;
  return {
    code: 'role-too-high',
    message: `The role "${role.name}" is above or level with the bot's highest role, so the bot cannot give or take it.`,
    fix: `In Server Settings → Roles, drag the bot's role above "${role.name}".`,
  };
}

export function problemOfPermission({ botPermissions }: Pick<Described, 'botPermissions'>): GuildProblem | null {
  if ((BigInt(botPermissions) & (administrator | manageRoles)) !== 0n) return null;
  return {
    code: 'no-manage-roles',
    message: 'The bot may not manage roles.',
    fix: "In Server Settings → Roles → the bot's role → Permissions, switch on Manage Roles.",
  };
}

export function problemOfChannel({ channels }: Pick<Described, 'channels'>, channelId: string): GuildProblem | null {
  const channel = channels.find(({ id }) => id === channelId);
  if (channel === undefined) {
    return {
      code: 'channel-missing',
      message: 'The channel of the verify panel was deleted.',
      fix: 'Use /setup with a channel that exists.',
    };
  }
  if (!channel.canView) {
    return {
      code: 'channel-hidden',
      message: `The bot cannot see the channel #${channel.name}.`,
      fix: `In the settings of #${channel.name} → Permissions, add the bot's role and allow View Channel and Send Messages.`,
    };
  }
  if (channel.canSend) return null;
  return {
    code: 'channel-read-only',
    message: `The bot cannot post in the channel #${channel.name}.`,
    fix: `In the settings of #${channel.name} → Permissions, allow the bot's role to Send Messages.`,
  };
}

/** The same, escaped for Discord: names of roles and channels are foreign text. */
export const problemForDiscord = ({ message, fix }: GuildProblem): string =>
  `${forDiscord(message)} ${forDiscord(fix)}`;
