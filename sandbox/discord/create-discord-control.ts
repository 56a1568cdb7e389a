import * as channels from './channel-life.ts';
import type { DiscordControl, DiscordCounters, DiscordReadings, DiscordSwitches } from './discord-control.ts';
import type { DiscordServer } from './discord-server.ts';
import { usualInteractionTimes } from './discord-server.ts';
import { createDiscordState } from './discord-state.ts';
import * as components from './component-doings.ts';
import * as doings from './doings.ts';
import { findChannel, findGuild, findMessages, findUser } from './finding.ts';
import { usualSettings } from './gateway/gateway.ts';
import { createMemberChunks } from './gateway/member-chunks.ts';
import * as guilds from './guild-life.ts';
import * as members from './member-life.ts';
import { usualLimits } from './rest-limits.ts';
import { remove } from './messages.ts';
import * as roles from './role-life.ts';
import { seedGuilds } from './seed-guilds.ts';
import { guildCreateWire } from './wire.ts';
import { Impossible } from '../world/state.ts';

/** `address`: where the gateway can be reached, such as ws://127.0.0.1:1234. */
export function createDiscordControl(server: DiscordServer, address: () => string): DiscordControl {
  let seeded = seedGuilds(server);
  server.gateway.attach(
    {
      guilds: () =>
        [...server.state.guilds.values()]
          .filter(({ hasBot }) => hasBot)
          .map((guild) => ({
            id: guild.id,
            created: () => (guild.isAvailable ? guildCreateWire(guild, server.bot) : null),
          })),
      memberChunks: createMemberChunks(server),
    },
    address,
  );
  const switches = switchesOf(server);
  return {
    token: server.token,
    bot: server.bot,
    get seeded() {
      return seeded;
    },
    ...lifeOf(server),
    command: (wanted) => doings.command(server, wanted),
    press: (wanted) => components.press(server, wanted),
    select: (wanted) => components.select(server, wanted),
    submitModal: (wanted) => components.submitModal(server, wanted),
    say: (wanted) => doings.say(server, wanted),
    ...readingsOf(server),
    ...switches,
    reset: () => {
      switches.dropConnections({ isResumable: false });
      server.gateway.setUp(true);
      Object.assign(server.gateway.settings, usualSettings());
      Object.assign(server.settings, usualInteractionTimes);
      server.limits.reset();
      // Global commands belong to the bot, and a running bot does not register them again.
      const commands = server.state.commands.get('global') ?? [];
      server.state = createDiscordState(server.bot);
      server.state.commands.set('global', commands);
      seeded = seedGuilds(server);
      switches.resetCounters();
    },
  };
}

function bind<W, R>(server: DiscordServer, change: (server: DiscordServer, wanted: W) => R): (wanted: W) => R {
  return (wanted) => change(server, wanted);
}

function lifeOf(server: DiscordServer) {
  return {
    createUser: bind(server, members.createUser),
    setDms: bind(server, members.setDms),
    addGuild: bind(server, guilds.addGuild),
    updateGuild: bind(server, guilds.updateGuild),
    joinGuild: bind(server, guilds.joinGuild),
    kickBot: bind(server, guilds.kickBot),
    deleteGuild: bind(server, guilds.deleteGuild),
    setAvailable: bind(server, guilds.setAvailable),
    addMember: bind(server, members.addMember),
    addMembers: bind(server, members.addMembers),
    removeMember: bind(server, members.removeMember),
    updateMember: bind(server, members.updateMember),
    giveRole: (wanted: { guildId: string; userId: string; roleId: string }): void => {
      members.changeRole(server, { ...wanted, has: true });
    },
    takeRole: (wanted: { guildId: string; userId: string; roleId: string }): void => {
      members.changeRole(server, { ...wanted, has: false });
    },
    createRole: bind(server, roles.createRole),
    updateRole: bind(server, roles.updateRole),
    moveRole: bind(server, roles.moveRole),
    deleteRole: bind(server, roles.deleteRole),
    setBotPermissions: bind(server, roles.setBotPermissions),
    createChannel: bind(server, channels.createChannel),
    updateChannel: bind(server, channels.updateChannel),
    setOverwrite: bind(server, channels.setOverwrite),
    deleteChannel: bind(server, channels.deleteChannel),
    deleteMessage: ({ channelId, messageId }: { channelId: string; messageId: string }): void => {
      const message = findMessages(server, channelId)?.find(({ id }) => id === messageId);
      if (!message) throw new Impossible(`There is no message ${messageId}`);
      remove(server, message);
    },
  };
}

function readingsOf(server: DiscordServer): DiscordReadings {
  return {
    user: (userId) => findUser(server, userId),
    users: () => [...server.state.users.values()],
    guild: (guildId) => findGuild(server, guildId),
    guilds: () => [...server.state.guilds.values()],
    channel: (channelId) => findChannel(server, channelId),
    botRole: (guildId) => roles.botRole(server, findGuild(server, guildId)),
    membersWithRole: ({ guildId, roleId }) =>
      [...findGuild(server, guildId).members.values()]
        .filter(({ roleIds }) => roleIds.includes(roleId))
        .map(({ userId }) => userId),
    history: (channelId) => findMessages(server, channelId) ?? findChannel(server, channelId).messages,
    sees: ({ userId, channelId }) => doings.sees(server, userId, channelId),
    directMessages: (userId) => server.state.directChannelOf.get(findUser(server, userId).id)?.messages ?? [],
    interaction: (interactionId) => {
      const found = server.state.interactions.get(interactionId);
      if (!found) throw new Impossible(`There is no interaction ${interactionId}`);
      return found;
    },
    interactions: () => [...server.state.interactions.values()],
    roleChanges: () => server.state.roleChanges,
    commands: (guildId) => server.state.commands.get(guildId ?? 'global') ?? [],
    counters: (): DiscordCounters => ({
      routes: Object.fromEntries(server.callsByRoute),
      statuses: Object.fromEntries(server.refusalsByStatus),
      codes: Object.fromEntries(server.refusalsByCode),
      overLimit: { ...server.limits.refusals },
      invalidRequests: server.limits.invalidRequests(),
      busiestSecond: server.limits.busiestSecond(),
    }),
    calls: () => server.calls,
    gateway: () => server.gateway.read(),
  };
}

function switchesOf(server: DiscordServer): Omit<DiscordSwitches, 'reset'> {
  const { gateway, limits } = server;
  return {
    dropConnections: ({ isResumable = true, code } = {}) => gateway.drop({ isResumable, code: code ?? null }),
    askToReconnect: () => gateway.askToReconnect(),
    setGateway: ({ isUp }) => gateway.setUp(isUp),
    setHeartbeats: ({ intervalMs, acknowledges }) => {
      if (intervalMs !== undefined) gateway.settings.heartbeatIntervalMs = intervalMs;
      if (acknowledges !== undefined) gateway.settings.acknowledgesHeartbeats = acknowledges;
    },
    setMemberAnswers: ({ guildId, answered }) => {
      if (answered === null) gateway.settings.memberAnswers.delete(guildId);
      else gateway.settings.memberAnswers.set(guildId, answered);
    },
    setSharding: (wanted) => void Object.assign(gateway.settings.sharding, wanted),
    setPrivilegedIntents: (wanted) => {
      Object.assign(gateway.settings.privileged, wanted);
    },
    setLimits: (wanted) => Object.assign(limits.settings, wanted ?? usualLimits),
    limitGlobally: ({ milliseconds }) => limits.shutGlobally(milliseconds),
    setInteractionDeadline: ({ milliseconds }) => {
      server.settings.interactionDeadlineMs = milliseconds;
    },
    setInteractionTokenLife: ({ milliseconds }) => {
      server.settings.interactionTokenLifeMs = milliseconds;
    },
    resetCounters: () => {
      server.calls = [];
      server.callsByRoute.clear();
      server.refusalsByStatus.clear();
      server.refusalsByCode.clear();
      server.state.roleChanges = [];
      limits.resetCounters();
      gateway.resetCounts();
    },
    stop: () => gateway.drop({ isResumable: false, code: null }),
  };
}
