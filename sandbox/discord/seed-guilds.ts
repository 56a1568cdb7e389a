import type { DiscordServer } from './discord-server.ts';
import type { Guild } from './discord-state.ts';
import { addGuild } from './guild-life.ts';
import { createUser } from './member-life.ts';
import { botRole } from './role-life.ts';

/** Ids of the seeded servers, channels, roles and people. */
export type SeededGuilds = {
  /** 'Rock Mountain': the bot's role is above 'Rock Holder' and may manage roles. */
  guildId: string;
  channels: { welcome: string; verify: string; holders: string };
  roles: { holder: string; moderator: string; bot: string };
  /** Owner of both servers. */
  ownerId: string;
  /** Has 'Moderator' and may manage the server. */
  moderatorId: string;
  /** Members without a role. */
  memberIds: string[];
  /** 'Low Valley': the bot's role is below 'Rock Holder'. */
  low: { guildId: string; channelId: string; holderRoleId: string; botRoleId: string };
};

export function seedGuilds(server: DiscordServer): SeededGuilds {
  return server.ids.whileSeeding(() => {
    const person = (username: string, globalName: string): string => createUser(server, { username, globalName }).id;
    const ownerId = person('olga.summit', 'Olga Summit');
    const moderatorId = person('max.ridge', 'Max Ridge');
    const names = ['Granite Gwen', 'Basalt Ben', 'Marble Mo', 'Slate Sue', 'Quartz Quinn', 'Pumice Pete'];
    const memberIds = names.map((name) => person(name.toLowerCase().replace(' ', '.'), name));
    const roles = [
      { name: 'Rock Holder', color: 0x3ba7f0 },
      { name: 'Moderator', permissions: ['MANAGE_GUILD', 'MANAGE_ROLES', 'MANAGE_MESSAGES'] as const },
    ];
    const everybody = memberIds.map((userId) => ({ userId }));
    const mountain = addGuild(server, {
      name: 'Rock Mountain',
      ownerId,
      roles,
      channels: [{ name: 'welcome' }, { name: 'verify' }, { name: 'holders' }],
      members: [{ userId: moderatorId, roles: ['Moderator'] }, ...everybody],
      bot: { rolesBelow: 1 },
    });
    const valley = addGuild(server, {
      name: 'Low Valley',
      ownerId,
      roles: roles.slice(0, 1),
      channels: [{ name: 'verify' }],
      members: everybody.slice(0, 2),
      bot: { rolesBelow: 0 },
    });
    return {
      guildId: mountain.id,
      channels: {
        welcome: channelId(mountain, 'welcome'),
        verify: channelId(mountain, 'verify'),
        holders: channelId(mountain, 'holders'),
      },
      roles: {
        holder: roleId(mountain, 'Rock Holder'),
        moderator: roleId(mountain, 'Moderator'),
        bot: botRole(server, mountain)?.id ?? '',
      },
      ownerId,
      moderatorId,
      memberIds,
      low: {
        guildId: valley.id,
        channelId: channelId(valley, 'verify'),
        holderRoleId: roleId(valley, 'Rock Holder'),
        botRoleId: botRole(server, valley)?.id ?? '',
      },
    };
  });
}

function channelId(guild: Guild, wanted: string): string {
  return [...guild.channels.values()].find(({ name }) => name === wanted)?.id ?? '';
}

function roleId(guild: Guild, wanted: string): string {
  return [...guild.roles.values()].find(({ name }) => name === wanted)?.id ?? '';
}
