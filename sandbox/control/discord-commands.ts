import { z } from 'zod';
import type { DiscordControl } from '../discord/discord-control.ts';
import { permissionNames } from '../discord/permissions.ts';
import { Impossible } from '../world/state.ts';
import { command } from './checked-command.ts';
import type { CheckedCommand } from './checked-command.ts';

const id = z.string().regex(/^\d{1,20}$/, 'Not a snowflake');
const name = z.string().min(1).max(100);
const permissions = z.array(z.enum(permissionNames)).max(permissionNames.length);
const roles = z.array(name).max(50);
const channelKind = z.enum(['text', 'voice', 'category', 'announcement']);
const position = z.int().min(1).max(250);
const whole = z.int().min(1).max(1_000_000);

const inGuild = { guildId: id };
const ofMember = { guildId: id, userId: id };
const ofRole = { guildId: id, roleId: id };
const nothing = z.strictObject({});
const forSoLong = z.strictObject({ milliseconds: z.int().min(1).max(900_000) });
const newRole = z.strictObject({
  name,
  permissions: permissions.optional(),
  color: z.int().min(0).max(0xffffff).optional(),
});
const newChannel = z.strictObject({ name, kind: channelKind.optional() });
const newMember = z.strictObject({
  userId: id,
  nick: name.optional(),
  roles: roles.optional(),
  isPending: z.boolean().optional(),
});
const botPlace = { permissions: permissions.optional(), rolesBelow: z.int().min(0).max(250).optional() };
const value = z.union([z.string().max(6000), z.number(), z.boolean()]);

const of = <S extends z.ZodType>(schema: S, run: Parameters<typeof command<DiscordControl, S>>[1]) =>
  command<DiscordControl, S>(schema, run);

const lifeCommands: Readonly<Record<string, CheckedCommand<DiscordControl>>> = {
  'create-user': of(
    z.strictObject({
      username: name,
      globalName: name.optional(),
      id: id.optional(),
      hasClosedDms: z.boolean().optional(),
    }),
    (discord, wanted) => discord.createUser(wanted),
  ),
  'set-dms': of(z.strictObject({ userId: id, isClosed: z.boolean() }), (discord, wanted) => discord.setDms(wanted)),
  'add-guild': of(
    z.strictObject({
      name,
      ownerId: id.optional(),
      roles: z.array(newRole).max(200).optional(),
      channels: z.array(newChannel).max(200).optional(),
      members: z.array(newMember).max(5000).optional(),
      bot: z.union([z.literal('absent'), z.strictObject(botPlace)]).optional(),
    }),
    (discord, wanted) => discord.addGuild(wanted),
  ),
  'update-guild': of(z.strictObject({ ...inGuild, name }), (discord, wanted) => discord.updateGuild(wanted)),
  'join-guild': of(z.strictObject({ ...inGuild, ...botPlace }), (discord, wanted) => discord.joinGuild(wanted)),
  'kick-bot': of(z.strictObject(inGuild), (discord, wanted) => discord.kickBot(wanted)),
  'delete-guild': of(z.strictObject(inGuild), (discord, wanted) => discord.deleteGuild(wanted)),
  'set-available': of(z.strictObject({ ...inGuild, isAvailable: z.boolean() }), (discord, wanted) =>
    discord.setAvailable(wanted),
  ),
  'add-member': of(z.strictObject({ ...inGuild, ...newMember.shape }), (discord, wanted) => discord.addMember(wanted)),
  'add-members': of(
    z.strictObject({ ...inGuild, count: z.int().min(1).max(20_000), name: name.optional(), roles: roles.optional() }),
    (discord, wanted) => discord.addMembers(wanted),
  ),
  'remove-member': of(z.strictObject(ofMember), (discord, wanted) => discord.removeMember(wanted)),
  'update-member': of(
    z.strictObject({ ...ofMember, nick: name.nullable().optional(), isPending: z.boolean().optional() }),
    (discord, wanted) => discord.updateMember(wanted),
  ),
  'give-role': of(z.strictObject({ ...ofMember, roleId: id }), (discord, wanted) => discord.giveRole(wanted)),
  'take-role': of(z.strictObject({ ...ofMember, roleId: id }), (discord, wanted) => discord.takeRole(wanted)),
  'create-role': of(
    z.strictObject({ ...inGuild, ...newRole.shape, position: position.optional() }),
    (discord, wanted) => discord.createRole(wanted),
  ),
  'update-role': of(
    z.strictObject({ ...ofRole, name: name.optional(), permissions: permissions.optional() }),
    (discord, wanted) => discord.updateRole(wanted),
  ),
  'move-role': of(z.strictObject({ ...ofRole, position }), (discord, wanted) => discord.moveRole(wanted)),
  'delete-role': of(z.strictObject(ofRole), (discord, wanted) => discord.deleteRole(wanted)),
  'set-bot-permissions': of(z.strictObject({ ...inGuild, permissions }), (discord, wanted) =>
    discord.setBotPermissions(wanted),
  ),
  'create-channel': of(z.strictObject({ ...inGuild, ...newChannel.shape }), (discord, wanted) =>
    discord.createChannel(wanted),
  ),
  'update-channel': of(z.strictObject({ channelId: id, name }), (discord, wanted) => discord.updateChannel(wanted)),
  'set-overwrite': of(
    z.strictObject({ channelId: id, targetId: id, allow: permissions.optional(), deny: permissions.optional() }),
    (discord, wanted) => discord.setOverwrite(wanted),
  ),
  'delete-channel': of(z.strictObject({ channelId: id }), (discord, wanted) => discord.deleteChannel(wanted)),
};

const doingCommands: Readonly<Record<string, CheckedCommand<DiscordControl>>> = {
  command: of(
    z.strictObject({
      userId: id,
      channelId: id.optional(),
      name,
      subcommand: name.optional(),
      options: z.record(z.string(), value).optional(),
    }),
    (discord, wanted) => discord.command(wanted),
  ),
  press: of(z.strictObject({ userId: id, messageId: id, button: name }), (discord, wanted) => discord.press(wanted)),
  select: of(
    z.strictObject({ userId: id, messageId: id, customId: name, values: z.array(z.string().max(100)).max(25) }),
    (discord, wanted) => discord.select(wanted),
  ),
  'submit-modal': of(
    z.strictObject({ interactionId: id, values: z.record(z.string(), z.string().max(4000)) }),
    (discord, wanted) => discord.submitModal(wanted),
  ),
  say: of(
    z.strictObject({ userId: id, channelId: id.optional(), content: z.string().min(1).max(2000) }),
    (discord, wanted) => discord.say(wanted),
  ),
};

const switchCommands: Readonly<Record<string, CheckedCommand<DiscordControl>>> = {
  'drop-connections': of(
    z.strictObject({ isResumable: z.boolean().optional(), code: z.int().min(1000).max(4999).optional() }),
    (discord, wanted) => discord.dropConnections(wanted),
  ),
  'ask-to-reconnect': of(nothing, (discord) => discord.askToReconnect()),
  'set-gateway': of(z.strictObject({ isUp: z.boolean() }), (discord, wanted) => discord.setGateway(wanted)),
  'set-heartbeats': of(
    z.strictObject({ intervalMs: z.int().min(20).max(600_000).optional(), acknowledges: z.boolean().optional() }),
    (discord, wanted) => discord.setHeartbeats(wanted),
  ),
  'set-privileged-intents': of(
    z.strictObject({
      members: z.boolean().optional(),
      presences: z.boolean().optional(),
      messageContent: z.boolean().optional(),
    }),
    (discord, wanted) => discord.setPrivilegedIntents(wanted),
  ),
  'set-limits': of(
    z
      .strictObject({
        enforced: z.boolean().optional(),
        globalPerSecond: whole.optional(),
        memberRolesPer10Seconds: whole.optional(),
        messagesPer5Seconds: whole.optional(),
        othersPerSecond: whole.optional(),
        invalidPer10Minutes: whole.optional(),
      })
      .nullable(),
    (discord, wanted) => discord.setLimits(wanted),
  ),
  'limit-globally': of(forSoLong, (discord, wanted) => discord.limitGlobally(wanted)),
  'set-interaction-deadline': of(forSoLong, (discord, wanted) => discord.setInteractionDeadline(wanted)),
  'set-interaction-token-life': of(forSoLong, (discord, wanted) => discord.setInteractionTokenLife(wanted)),
  'reset-counters': of(nothing, (discord) => discord.resetCounters()),
  reset: of(nothing, (discord) => discord.reset()),
};

/** `POST /control/discord/<name>`. */
export const discordCommands: Readonly<Record<string, CheckedCommand<DiscordControl>>> = {
  ...lifeCommands,
  ...doingCommands,
  ...switchCommands,
};

type Reading = (discord: DiscordControl, query: URLSearchParams) => unknown;

function asked(query: URLSearchParams, what: string): string {
  const given = query.get(what) ?? '';
  if (!/^\d{1,20}$/.test(given)) throw new Impossible(`Missing parameter: ?${what}=`);
  return given;
}

const readings: Readonly<Record<string, Reading>> = {
  seeded: (discord) => discord.seeded,
  users: (discord) => discord.users(),
  guilds: (discord) =>
    discord.guilds().map(({ id: guildId, name: title, hasBot }) => ({ id: guildId, name: title, hasBot })),
  guild: (discord, query) => discord.guild(asked(query, 'guildId')),
  'bot-role': (discord, query) => discord.botRole(asked(query, 'guildId')),
  'members-with-role': (discord, query) =>
    discord.membersWithRole({ guildId: asked(query, 'guildId'), roleId: asked(query, 'roleId') }),
  history: (discord, query) => discord.history(asked(query, 'channelId')),
  sees: (discord, query) => {
    const userId = asked(query, 'userId');
    return discord.sees(query.has('channelId') ? { userId, channelId: asked(query, 'channelId') } : { userId });
  },
  'direct-messages': (discord, query) => discord.directMessages(asked(query, 'userId')),
  interaction: (discord, query) => discord.interaction(asked(query, 'interactionId')),
  interactions: (discord) => discord.interactions(),
  'role-changes': (discord) => discord.roleChanges(),
  commands: (discord, query) => discord.commands(query.get('guildId') ?? undefined),
  counters: (discord) => discord.counters(),
  calls: (discord) => discord.calls(),
  gateway: (discord) => discord.gateway(),
};

/** `GET /control/discord/<name>`; undefined if the name is unknown. */
export function readDiscord(discord: DiscordControl, name: string, query: URLSearchParams): unknown {
  return Object.hasOwn(readings, name) ? readings[name]?.(discord, query) : undefined;
}
