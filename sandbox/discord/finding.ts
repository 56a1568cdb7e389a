import { Impossible } from '../world/state.ts';
import type { DiscordServer } from './discord-server.ts';
import type { Channel, DirectChannel, DiscordUser, Guild, Member, Role, StoredMessage } from './discord-state.ts';
import { bitsOf, permissionBits } from './permissions.ts';
import type { PermissionName } from './permissions.ts';

/** These functions throw Impossible when the thing does not exist. */

export function findUser({ state }: DiscordServer, userId: string): DiscordUser {
  return state.users.get(userId) ?? missing('person', userId);
}

export function findGuild({ state }: DiscordServer, guildId: string): Guild {
  return state.guilds.get(guildId) ?? missing('server', guildId);
}

export function findRole(guild: Guild, roleId: string): Role {
  return guild.roles.get(roleId) ?? missing('role', roleId);
}

export function findMember(guild: Guild, userId: string): Member {
  return guild.members.get(userId) ?? missing('member', userId);
}

export function findChannel({ state }: DiscordServer, channelId: string): Channel {
  return state.channels.get(channelId) ?? missing('channel', channelId);
}

function missing(what: string, id: string): never {
  throw new Impossible(`There is no ${what} ${id}`);
}

/** The messages of a server's channel, or of a person's direct messages. */
export function findMessages({ state }: DiscordServer, channelId: string): StoredMessage[] | null {
  return (state.channels.get(channelId) ?? state.directChannels.get(channelId))?.messages ?? null;
}

/** The person's direct messages with the bot, created on first use. */
export function directChannel(server: DiscordServer, userId: string): DirectChannel {
  const { state, ids } = server;
  const known = state.directChannelOf.get(userId);
  if (known) return known;
  const made = { id: ids.next(), userId, messages: [] };
  state.directChannelOf.set(userId, made);
  state.directChannels.set(made.id, made);
  return made;
}

const everything = (1n << 53n) - 1n;

/** A member's permissions, in a channel if one is given (documentation: 'Permission Hierarchy'). */
export function permissionsOf(guild: Guild, member: Member, channel?: Channel): bigint {
  if (guild.ownerId === member.userId) return everything;
  const roleIds = [guild.id, ...member.roleIds];
  const ofServer = roleIds.reduce((bits, id) => bits | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  if ((ofServer & permissionBits.ADMINISTRATOR) !== 0n) return everything;
  if (!channel) return ofServer;
  const everyone = channel.overwrites.filter(({ id }) => id === guild.id);
  const ofRoles = channel.overwrites.filter(({ id, kind }) => kind === 'role' && member.roleIds.includes(id));
  const own = channel.overwrites.filter(({ id }) => id === member.userId);
  const bits = [everyone, ofRoles, own].reduce((before, group) => {
    const denied = group.reduce((sum, { deny }) => sum | deny, 0n);
    const allowed = group.reduce((sum, { allow }) => sum | allow, 0n);
    return (before & ~denied) | allowed;
  }, ofServer);
  // Members who cannot see a channel can do nothing in it.
  return (bits & permissionBits.VIEW_CHANNEL) === 0n ? 0n : bits;
}

export function may(guild: Guild, member: Member, names: readonly PermissionName[], channel?: Channel): boolean {
  const wanted = bitsOf(names);
  return (permissionsOf(guild, member, channel) & wanted) === wanted;
}

/** Highest first: by position, then the older role. */
export function byHeight(one: Role, other: Role): number {
  return other.position - one.position || (BigInt(one.id) < BigInt(other.id) ? -1 : 1);
}

/** Whether a role is below the member's highest role. */
export function isBelow(guild: Guild, member: Member, role: Role): boolean {
  const highest = member.roleIds.flatMap((id) => guild.roles.get(id) ?? []).toSorted(byHeight)[0];
  return highest !== undefined && highest.id !== role.id && byHeight(highest, role) < 0;
}
