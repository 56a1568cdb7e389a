import { ChannelType, type Guild, PermissionFlagsBits } from 'discord.js';
import type { DescribedGuild } from './rules/known-guild.ts';

export const panelChannelTypes = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;

/** A server as discord.js knows it, and what the bot may do there. Throws if the bot's own membership cannot be read. */
export async function describeGuild(guild: Guild): Promise<DescribedGuild> {
  const me = guild.members.me ?? (await guild.members.fetchMe());
  const roles = [...guild.roles.cache.values()]
    // @everyone has the server's id.
    .filter(({ id }) => id !== guild.id)
    .map(({ id, name, position, managed }) => ({ id, name, position, isManaged: managed }))
    .sort((left, right) => right.position - left.position);
  const channels = [...guild.channels.cache.values()]
    .filter((channel) => channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement)
    .sort((left, right) => left.rawPosition - right.rawPosition)
    .map((channel) => {
      const allowed = channel.permissionsFor(me);
      const canView = allowed.has(PermissionFlagsBits.ViewChannel);
      return {
        id: channel.id,
        name: channel.name,
        canView,
        canSend: canView && allowed.has(PermissionFlagsBits.SendMessages),
      };
    });
  return {
    guildId: guild.id,
    name: guild.name,
    memberCount: guild.memberCount,
    roles,
    channels,
    botPermissions: me.permissions.bitfield.toString(),
    botTopPosition: me.roles.highest.position,
  };
}
