import { Impossible } from '../world/state.ts';
import type { NewChannel } from './channel-life.ts';
import { placeChannel } from './channel-life.ts';
import type { DiscordServer } from './discord-server.ts';
import type { Guild } from './discord-state.ts';
import { findGuild } from './finding.ts';
import { intents } from './gateway/intents.ts';
import { tellGuild } from './guild-events.ts';
import type { NewMember } from './member-life.ts';
import { createUser, placeMember } from './member-life.ts';
import { bitsOf, everyonePermissions, usualBotPermissions } from './permissions.ts';
import type { PermissionName } from './permissions.ts';
import type { NewRole } from './role-life.ts';
import { botRole, placeRole, removeRole } from './role-life.ts';
import { guildCreateWire, guildWire } from './wire.ts';

type BotPlace = { permissions?: readonly PermissionName[]; rolesBelow?: number };

export type NewGuild = {
  name: string;
  ownerId?: string;
  roles?: readonly NewRole[];
  channels?: readonly NewChannel[];
  members?: readonly NewMember[];
  bot?: BotPlace | 'absent';
};

export function addGuild(server: DiscordServer, wanted: NewGuild): Guild {
  const ownerId = wanted.ownerId ?? createUser(server, { username: `owner-of-${wanted.name.toLowerCase()}` }).id;
  const guild: Guild = {
    id: server.ids.next(),
    name: wanted.name,
    ownerId,
    members: new Map(),
    roles: new Map(),
    channels: new Map(),
    isAvailable: true,
    hasBot: false,
  };
  // @everyone has the server's own id.
  guild.roles.set(guild.id, {
    id: guild.id,
    name: '@everyone',
    position: 0,
    permissions: bitsOf(everyonePermissions),
    color: 0,
    isManaged: false,
    botId: null,
  });
  server.state.guilds.set(guild.id, guild);
  for (const [index, role] of (wanted.roles ?? []).entries()) {
    placeRole(server, guild, { ...role, position: index + 1 });
  }
  for (const channel of wanted.channels ?? []) placeChannel(server, guild, channel);
  placeMember(server, guild, { userId: ownerId });
  for (const member of wanted.members ?? []) placeMember(server, guild, member);
  if (wanted.bot !== 'absent') {
    const rolesBelow = wanted.bot?.rolesBelow ?? wanted.roles?.length ?? 0;
    invite(server, guild, { ...wanted.bot, rolesBelow });
  }
  return guild;
}

/** An invited bot gets the lowest role (Discord's documentation: roles of integrations) unless `rolesBelow` is given. */
function invite(server: DiscordServer, guild: Guild, { permissions, rolesBelow }: BotPlace): void {
  const role = placeRole(server, guild, {
    name: server.bot.globalName ?? server.bot.username,
    permissions: permissions ?? usualBotPermissions,
    position: (rolesBelow ?? 0) + 1,
    botId: server.bot.id,
  });
  placeMember(server, guild, { userId: server.bot.id, roles: [role.id] });
  guild.hasBot = true;
  tellGuild(server, guild, 'GUILD_CREATE', guildCreateWire(guild, server.bot));
}

export function updateGuild(server: DiscordServer, { guildId, name }: { guildId: string; name: string }): void {
  const guild = findGuild(server, guildId);
  guild.name = name;
  tellGuild(server, guild, 'GUILD_UPDATE', guildWire(guild));
}

export function joinGuild(server: DiscordServer, { guildId, ...place }: { guildId: string } & BotPlace): void {
  const guild = findGuild(server, guildId);
  if (guild.hasBot) throw new Impossible(`The bot is already in ${guild.name}`);
  invite(server, guild, place);
}

/** Removes the bot, whether it was kicked or left. */
export function kickBot(server: DiscordServer, { guildId }: { guildId: string }): void {
  const guild = findGuild(server, guildId);
  if (!guild.hasBot) throw new Impossible(`The bot is not in ${guild.name}`);
  guild.members.delete(server.bot.id);
  const role = botRole(server, guild);
  if (role) removeRole(guild, role);
  guild.hasBot = false;
  server.state.commands.delete(guild.id);
  tellGone(server, guild.id);
}

export function deleteGuild(server: DiscordServer, { guildId }: { guildId: string }): void {
  const guild = findGuild(server, guildId);
  for (const id of guild.channels.keys()) server.state.channels.delete(id);
  server.state.guilds.delete(guildId);
  server.state.commands.delete(guildId);
  if (guild.hasBot) tellGone(server, guildId);
}

/** Without `unavailable` it means that the bot is no longer in the server. */
function tellGone({ gateway }: DiscordServer, guildId: string): void {
  gateway.emit({ name: 'GUILD_DELETE', data: { id: guildId }, intent: intents.GUILDS, guildId });
}

export function setAvailable(
  server: DiscordServer,
  { guildId, isAvailable }: { guildId: string; isAvailable: boolean },
): void {
  const guild = findGuild(server, guildId);
  if (guild.isAvailable === isAvailable) return;
  if (!isAvailable) tellGuild(server, guild, 'GUILD_DELETE', { id: guild.id, unavailable: true });
  guild.isAvailable = isAvailable;
  if (isAvailable) tellGuild(server, guild, 'GUILD_CREATE', guildCreateWire(guild, server.bot));
}
