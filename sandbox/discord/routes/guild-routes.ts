import type { DiscordServer } from '../discord-server.ts';
import { findUser, isBelow, may } from '../finding.ts';
import { changeRole } from '../member-life.ts';
import { invalidForm, refusal } from '../refusal.ts';
import { channelWire, guildWire, memberWire, roleWire } from '../wire.ts';
import type { Call, Reply, Route } from './route.ts';
import { done, guildOf, itself, memberOf, ok, roleOf } from './route.ts';

const keptRoleChanges = 100_000;

/** Servers with their roles, channels and members, for a bot that is in them. */
export const guildRoutes: Route[] = [
  {
    method: 'GET',
    path: '/guilds/{guild_id}',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      const guild = guildOf(server, call);
      const counts = { approximate_member_count: guild.members.size, approximate_presence_count: 1 };
      return ok({ ...guildWire(guild), ...(call.query.get('with_counts') === 'true' && counts) });
    },
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/roles',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => ok([...guildOf(server, call).roles.values()].map(roleWire)),
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/roles/{role_id}',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => ok(roleWire(roleOf(guildOf(server, call), call.params['role_id']))),
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/channels',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => ok([...guildOf(server, call).channels.values()].map(channelWire)),
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/members',
    access: 'bot',
    bucket: 'other',
    run: listMembers,
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/members/search',
    access: 'bot',
    bucket: 'other',
    run: searchMembers,
  },
  {
    method: 'GET',
    path: '/guilds/{guild_id}/members/{user_id}',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      const guild = guildOf(server, call);
      const userId = call.params['user_id'] ?? '';
      if (!server.state.users.has(userId)) throw refusal('unknownUser');
      return ok(memberWire(memberOf(guild, userId), findUser(server, userId)));
    },
  },
  {
    method: 'PUT',
    path: '/guilds/{guild_id}/members/{user_id}/roles/{role_id}',
    access: 'bot',
    bucket: 'member-roles',
    run: (server, call) => setRole(server, call, true),
  },
  {
    method: 'DELETE',
    path: '/guilds/{guild_id}/members/{user_id}/roles/{role_id}',
    access: 'bot',
    bucket: 'member-roles',
    run: (server, call) => setRole(server, call, false),
  },
];

/** Discord answers 50013 both for a missing permission and for the role hierarchy. */
function setRole(server: DiscordServer, { params, reason, ...call }: Call, has: boolean): Reply {
  const guild = guildOf(server, { params, reason, ...call });
  const member = memberOf(guild, params['user_id']);
  const role = roleOf(guild, params['role_id']);
  const bot = itself(server, guild);
  if (role.id === guild.id || role.isManaged) throw refusal('missingPermissions');
  if (!may(guild, bot, ['MANAGE_ROLES']) || !isBelow(guild, bot, role)) throw refusal('missingPermissions');
  const change = { guildId: guild.id, userId: member.userId, roleId: role.id };
  if (changeRole(server, { ...change, has })) {
    const { roleChanges } = server.state;
    roleChanges.push({ ...change, kind: has ? 'given' : 'taken', reason, atMs: server.now().getTime() });
    if (roleChanges.length > keptRoleChanges) roleChanges.shift();
  }
  return done;
}

function limitOf({ query }: Call): number {
  const limit = Number(query.get('limit') ?? 1);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw invalidForm(['limit'], 'NUMBER_TYPE_MAX', 'int value should be between 1 and 1000.');
}

/** Ordered by id, after `after`. Needs the privileged members intent, as on the gateway. */
function listMembers(server: DiscordServer, call: Call): Reply {
  const guild = guildOf(server, call);
  if (!server.gateway.settings.privileged.members) throw refusal('missingAccess');
  const after = call.query.get('after') ?? '0';
  const limit = limitOf(call);
  const sorted = [...guild.members.values()]
    .map((member) => ({ member, id: BigInt(member.userId) }))
    .filter(({ id }) => id > BigInt(after))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return ok(sorted.slice(0, limit).map(({ member }) => memberWire(member, findUser(server, member.userId))));
}

function searchMembers(server: DiscordServer, call: Call): Reply {
  const guild = guildOf(server, call);
  const query = (call.query.get('query') ?? '').toLowerCase();
  if (query === '') throw invalidForm(['query'], 'BASE_TYPE_REQUIRED', 'This field is required');
  const found = [...guild.members.values()].filter((member) => {
    const { username, globalName } = findUser(server, member.userId);
    return [username, globalName, member.nick].some((name) => name?.toLowerCase().startsWith(query));
  });
  return ok(found.slice(0, limitOf(call)).map((member) => memberWire(member, findUser(server, member.userId))));
}
