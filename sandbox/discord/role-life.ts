import { Impossible } from '../world/state.ts';
import type { DiscordServer } from './discord-server.ts';
import type { Guild, Role } from './discord-state.ts';
import { byHeight, findGuild, findRole } from './finding.ts';
import { tellGuild } from './guild-events.ts';
import { bitsOf } from './permissions.ts';
import type { PermissionName } from './permissions.ts';
import { roleWire } from './wire.ts';

export type NewRole = { name: string; permissions?: readonly PermissionName[]; color?: number };

type Placed = NewRole & { position?: number; botId?: string };

/** Adds a role without sending an event; by default just above @everyone, as in Discord. */
export function placeRole(server: DiscordServer, guild: Guild, wanted: Placed): Role {
  const role: Role = {
    id: server.ids.next(),
    name: wanted.name,
    position: 0,
    permissions: bitsOf(wanted.permissions ?? []),
    color: wanted.color ?? 0,
    isManaged: wanted.botId !== undefined,
    botId: wanted.botId ?? null,
  };
  guild.roles.set(role.id, role);
  arrange(guild, role, wanted.position ?? 1);
  return role;
}

/** Gives every role its own position; returns those that moved. */
function arrange(guild: Guild, role: Role, position: number): Role[] {
  const others = [...guild.roles.values()].filter(({ id }) => id !== guild.id && id !== role.id).toSorted(byHeight);
  const lowestFirst = others.toReversed().toSpliced(Math.max(0, position - 1), 0, role);
  const moved = lowestFirst.filter((each, index) => each.position !== index + 1);
  lowestFirst.forEach((each, index) => {
    each.position = index + 1;
  });
  return moved;
}

type OfRole<T = unknown> = { guildId: string; roleId: string } & T;

function tellRole(server: DiscordServer, guild: Guild, role: Role, name: 'CREATE' | 'UPDATE'): void {
  tellGuild(server, guild, `GUILD_ROLE_${name}`, { guild_id: guild.id, role: roleWire(role) });
}

export function createRole(server: DiscordServer, wanted: { guildId: string } & Omit<Placed, 'botId'>): Role {
  const guild = findGuild(server, wanted.guildId);
  const role = placeRole(server, guild, wanted);
  tellRole(server, guild, role, 'CREATE');
  return role;
}

export function updateRole(
  server: DiscordServer,
  wanted: OfRole<{ name?: string; permissions?: readonly PermissionName[] }>,
): Role {
  const guild = findGuild(server, wanted.guildId);
  const role = findRole(guild, wanted.roleId);
  if (wanted.name !== undefined) role.name = wanted.name;
  if (wanted.permissions) role.permissions = bitsOf(wanted.permissions);
  tellRole(server, guild, role, 'UPDATE');
  return role;
}

export function moveRole(server: DiscordServer, { guildId, roleId, position }: OfRole<{ position: number }>): void {
  const guild = findGuild(server, guildId);
  if (roleId === guild.id) throw new Impossible('@everyone stays at the bottom');
  for (const moved of arrange(guild, findRole(guild, roleId), position)) tellRole(server, guild, moved, 'UPDATE');
}

export function deleteRole(server: DiscordServer, { guildId, roleId }: OfRole): void {
  const guild = findGuild(server, guildId);
  const role = findRole(guild, roleId);
  if (role.isManaged || role.id === guild.id) throw new Impossible(`${role.name} cannot be deleted`);
  removeRole(guild, role);
  // Discord sends an event for the role, but none for the members who had it.
  tellGuild(server, guild, 'GUILD_ROLE_DELETE', { guild_id: guild.id, role_id: role.id });
}

export function removeRole(guild: Guild, role: Role): void {
  guild.roles.delete(role.id);
  for (const member of guild.members.values()) member.roleIds = member.roleIds.filter((id) => id !== role.id);
  for (const channel of guild.channels.values()) {
    channel.overwrites = channel.overwrites.filter(({ id }) => id !== role.id);
  }
}

export function botRole({ bot }: DiscordServer, guild: Guild): Role | null {
  return [...guild.roles.values()].find(({ botId }) => botId === bot.id) ?? null;
}

export function setBotPermissions(
  server: DiscordServer,
  { guildId, permissions }: { guildId: string; permissions: readonly PermissionName[] },
): void {
  const role = botRole(server, findGuild(server, guildId));
  if (!role) throw new Impossible('The bot is not in this server');
  updateRole(server, { guildId, roleId: role.id, permissions });
}
