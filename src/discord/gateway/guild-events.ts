import { type Client, Events, type Guild } from 'discord.js';

interface GuildListener {
  readonly arrived: (guildId: string) => void;
  readonly changed: (guildId: string) => void;
  readonly left: (guildId: string) => void;
}

/** Servers that come, change and go, as discord.js reports them. */
export function addGuildEvents(client: Client, listener: GuildListener): void {
  const changed = ({ id }: Guild): void => listener.changed(id);
  const arrived = ({ id }: Guild): void => listener.arrived(id);
  client.on(Events.GuildCreate, arrived);
  // For each server after a connect, and for one that is back after an outage.
  client.on(Events.GuildAvailable, arrived);
  client.on(Events.GuildUpdate, (_before, guild) => changed(guild));
  // Not for an outage: discord.js reports that as GuildUnavailable, and after a connect it leaves the server out.
  client.on(Events.GuildDelete, ({ id }) => listener.left(id));
  client.on(Events.GuildUnavailable, changed);
  client.on(Events.ShardReady, (shardId) => {
    for (const guild of client.guilds.cache.values()) if (guild.shardId === shardId && !guild.available) changed(guild);
  });
  for (const event of [Events.GuildRoleCreate, Events.GuildRoleDelete] as const) {
    client.on(event, ({ guild }) => changed(guild));
  }
  client.on(Events.GuildRoleUpdate, (_before, { guild }) => changed(guild));
  client.on(Events.ChannelCreate, ({ guild }) => changed(guild));
  client.on(Events.ChannelDelete, (channel) => {
    if (!channel.isDMBased()) changed(channel.guild);
  });
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) changed(channel.guild);
  });
  client.on(Events.GuildMemberUpdate, (_before, { id, guild }) => {
    if (id === client.user?.id) changed(guild);
  });
}
