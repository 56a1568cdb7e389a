import { Impossible } from '../world/state.ts';
import type { DiscordServer } from './discord-server.ts';
import type { DiscordUser, Guild, Member } from './discord-state.ts';
import { findGuild, findMember, findRole, findUser } from './finding.ts';
import { intents } from './gateway/intents.ts';
import { tellGuild, tellMember } from './guild-events.ts';
import { userWire } from './wire.ts';

export type NewUser = { username: string; globalName?: string; id?: string; hasClosedDms?: boolean };
export type NewMember = { userId: string; nick?: string; roles?: readonly string[]; isPending?: boolean };
type OfMember<T = unknown> = { guildId: string; userId: string } & T;

export function createUser(server: DiscordServer, wanted: NewUser): DiscordUser {
  const { users } = server.state;
  if (wanted.id !== undefined && users.has(wanted.id)) throw new Impossible(`There is already a person ${wanted.id}`);
  const user: DiscordUser = {
    id: wanted.id ?? server.ids.next(),
    username: wanted.username,
    globalName: wanted.globalName ?? null,
    isBot: false,
    hasClosedDms: wanted.hasClosedDms ?? false,
  };
  users.set(user.id, user);
  return user;
}

export function setDms(server: DiscordServer, { userId, isClosed }: { userId: string; isClosed: boolean }): void {
  findUser(server, userId).hasClosedDms = isClosed;
}

/** By id or by name. */
function roleIdOf(guild: Guild, named: string): string {
  const role = guild.roles.get(named) ?? [...guild.roles.values()].find(({ name }) => name === named);
  if (!role) throw new Impossible(`There is no role ${named} in ${guild.name}`);
  return role.id;
}

/** Adds a member to a server without sending an event. */
export function placeMember(server: DiscordServer, guild: Guild, wanted: NewMember): Member {
  const member: Member = {
    userId: findUser(server, wanted.userId).id,
    nick: wanted.nick ?? null,
    roleIds: (wanted.roles ?? []).map((named) => roleIdOf(guild, named)),
    joinedAtMs: server.now().getTime(),
    isPending: wanted.isPending ?? false,
  };
  guild.members.set(member.userId, member);
  return member;
}

export function addMember(server: DiscordServer, wanted: { guildId: string } & NewMember): Member {
  const guild = findGuild(server, wanted.guildId);
  if (guild.members.has(wanted.userId)) throw new Impossible(`${wanted.userId} is already a member of ${guild.name}`);
  const member = placeMember(server, guild, wanted);
  tellMember(server, guild, member, 'GUILD_MEMBER_ADD');
  return member;
}

export function addMembers(
  server: DiscordServer,
  {
    guildId,
    count,
    name = 'holder',
    roles,
  }: { guildId: string; count: number; name?: string; roles?: readonly string[] },
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const user = createUser(server, { username: `${name}-${index + 1}` });
    addMember(server, { guildId, userId: user.id, ...(roles && { roles }) });
    return user.id;
  });
}

export function removeMember(server: DiscordServer, { guildId, userId }: OfMember): void {
  const guild = findGuild(server, guildId);
  findMember(guild, userId);
  if (userId === server.bot.id) throw new Impossible('Use kickBot to remove the bot');
  guild.members.delete(userId);
  const data = { guild_id: guild.id, user: userWire(findUser(server, userId)) };
  tellGuild(server, guild, 'GUILD_MEMBER_REMOVE', data, intents.GUILD_MEMBERS);
}

export function updateMember(
  server: DiscordServer,
  { guildId, userId, ...changed }: OfMember<Partial<Pick<Member, 'nick' | 'isPending'>>>,
): void {
  const guild = findGuild(server, guildId);
  const member = findMember(guild, userId);
  Object.assign(member, changed);
  tellMember(server, guild, member, 'GUILD_MEMBER_UPDATE');
}

/** Gives or takes a role; sends no event if nothing changes. */
export function changeRole(
  server: DiscordServer,
  { guildId, userId, roleId, has }: OfMember<{ roleId: string; has: boolean }>,
): boolean {
  const guild = findGuild(server, guildId);
  const member = findMember(guild, userId);
  findRole(guild, roleId);
  if (member.roleIds.includes(roleId) === has) return false;
  member.roleIds = has ? [...member.roleIds, roleId] : member.roleIds.filter((id) => id !== roleId);
  tellMember(server, guild, member, 'GUILD_MEMBER_UPDATE');
  return true;
}
