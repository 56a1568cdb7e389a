import type { DiscordGuild } from '../contract.ts';
import { guildProblems, type Installation, problemOfRole } from './guild-problems.ts';
import type { KnownGuild } from './known-guild.ts';

/** A server as the dashboard shows it (specification 3, rulings R5). Names are untrusted text. */
export function presentGuild(guild: KnownGuild, installation: Installation): DiscordGuild {
  const { guildId, name, memberCount, config, roles, channels, verifiedCount, hasWaitingRemoval } = guild;
  return {
    id: guildId,
    name,
    memberCount,
    ...(config !== null && {
      config: {
        roleId: config.roleId,
        ...(config.channelId !== null && { channelId: config.channelId }),
        nftContract: config.nftContract,
        nftName: config.nftName,
        graceMinutes: config.graceMinutes,
        version: config.version,
      },
    }),
    roles: roles.map((role) => ({
      id: role.id,
      name: role.name,
      canBeGiven: problemOfRole(guild, role.id) === null,
    })),
    channels: channels.map(({ id, name: channelName, canView, canSend }) => ({
      id,
      name: channelName,
      canPost: canView && canSend,
    })),
    problems: [...guildProblems(guild, installation)],
    verifiedCount,
    hasWaitingRemoval,
  };
}
