import type { DiscordServer } from './discord-server.ts';
import type { Channel, ChannelKind, Guild } from './discord-state.ts';
import { findChannel, findGuild } from './finding.ts';
import { tellGuild } from './guild-events.ts';
import { bitsOf } from './permissions.ts';
import type { PermissionName } from './permissions.ts';
import { channelWire } from './wire.ts';

export type NewChannel = { name: string; kind?: ChannelKind };

/** Adds a channel to a server without sending an event. */
export function placeChannel({ ids, state }: DiscordServer, guild: Guild, { name, kind }: NewChannel): Channel {
  const channel: Channel = {
    id: ids.next(),
    guildId: guild.id,
    name,
    kind: kind ?? 'text',
    position: guild.channels.size,
    parentId: null,
    overwrites: [],
    messages: [],
  };
  guild.channels.set(channel.id, channel);
  state.channels.set(channel.id, channel);
  return channel;
}

export function createChannel(server: DiscordServer, wanted: { guildId: string } & NewChannel): Channel {
  const guild = findGuild(server, wanted.guildId);
  const channel = placeChannel(server, guild, wanted);
  tellGuild(server, guild, 'CHANNEL_CREATE', channelWire(channel));
  return channel;
}

export function updateChannel(server: DiscordServer, { channelId, name }: { channelId: string; name: string }): void {
  const channel = findChannel(server, channelId);
  channel.name = name;
  tellGuild(server, findGuild(server, channel.guildId), 'CHANNEL_UPDATE', channelWire(channel));
}

export function setOverwrite(
  server: DiscordServer,
  {
    channelId,
    targetId,
    allow = [],
    deny = [],
  }: {
    channelId: string;
    targetId: string;
    allow?: readonly PermissionName[];
    deny?: readonly PermissionName[];
  },
): void {
  const channel = findChannel(server, channelId);
  const guild = findGuild(server, channel.guildId);
  const kind = guild.roles.has(targetId) ? 'role' : 'member';
  const others = channel.overwrites.filter(({ id }) => id !== targetId);
  const wanted = { id: targetId, kind, allow: bitsOf(allow), deny: bitsOf(deny) } as const;
  channel.overwrites = allow.length + deny.length === 0 ? others : [...others, wanted];
  tellGuild(server, guild, 'CHANNEL_UPDATE', channelWire(channel));
}

export function deleteChannel(server: DiscordServer, { channelId }: { channelId: string }): void {
  const channel = findChannel(server, channelId);
  const guild = findGuild(server, channel.guildId);
  guild.channels.delete(channelId);
  server.state.channels.delete(channelId);
  tellGuild(server, guild, 'CHANNEL_DELETE', channelWire(channel));
}
