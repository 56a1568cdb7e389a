import { type Client, Events, type Guild } from 'discord.js';

interface GuildListener {
  readonly arrived: (guild: Guild) => void;
  readonly changed: (guild: Guild) => void;
  readonly left: (guild: Guild) => void;
}

/** Servers that come, change and go, as far as discord.js keeps them. */
export function addGuildEvents(client: Client, { arrived, changed, left }: GuildListener): void {
  client.on(Events.GuildCreate, arrived);
  // Of each server after a connect, and of one that is back after an outage.
  client.on(Events.GuildAvailable, arrived);
  client.on(Events.GuildUpdate, (_before, guild) => changed(guild));
  // Not of an outage: discord.js tells that as GuildUnavailable, and after a connect by what has not come.
  client.on(Events.GuildDelete, left);
  client.on(Events.GuildUnavailable, changed);
  client.on(Events.ShardReady, () => {
    for (const guild of client.guilds.cache.values()) if (!guild.available) changed(guild);
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
