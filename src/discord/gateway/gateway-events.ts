import { type Client, Events, GatewayDispatchEvents, type Guild } from 'discord.js';
import {
  createMemberRequests,
  onDispatch,
  readyPayload,
  addMemberEvents,
  createMemberEventQueue,
  type GatewayDeps,
  type MemberEventQueue,
} from './member-events.ts';
import type { BotWork } from '../bot.ts';
import { createKeyedWork } from './keyed-work.ts';
import { describeGuild } from '../servers/describe-guild.ts';

/** Discord reports reordered roles and channels in bursts. */
const debounceMs = 250;
/** Servers saved at a time: after a connect Discord sends all of them, and other work needs the database too. */
const savesAtOnce = 4;

/** Stores what the gateway reports about servers and about members who have linked a wallet. */
export function addGatewayEvents(client: Client, deps: GatewayDeps): BotWork {
  const { members, log } = deps;
  const queue = createMemberEventQueue();
  const { membersToRead, saves, counts, leaves, memberReads, stop } = createGuildWork(client, deps, queue);
  const saveAndReadMembers = (guildId: string): void => {
    membersToRead.add(guildId);
    saves.request(guildId);
  };
  const readUnknownRoles = (): void => {
    members.guildsWithUnknownRoles().then(
      (guildIds) => guildIds.forEach(saveAndReadMembers),
      (error: unknown) => log.warn({ err: error }, 'The servers whose members must be requested could not be read'),
    );
  };

  addGuildEvents(client, { arrived: saveAndReadMembers, changed: saves.request, left: leaves.request });
  // Members whose events could not be stored are requested again.
  addMemberEvents(client, deps, queue, { counted: counts.request, missed: saveAndReadMembers });
  const absences = addAbsences(client, deps);
  // No members were requested while the shard was disconnected.
  client.on(Events.ShardResume, (shardId) => {
    for (const guildId of membersToRead)
      if (client.guilds.cache.get(guildId)?.shardId === shardId) memberReads.request(guildId);
  });
  const stopListening = deps.onRolesUnknown(readUnknownRoles);
  return {
    stop: async () => {
      stopListening();
      await Promise.all([queue.settled(), absences.stop(), stop()]);
    },
  };
}

/** One at a time per server; failures are retried. */
function createGuildWork(client: Client, deps: GatewayDeps, queue: MemberEventQueue) {
  const { register, log, pace } = deps;
  const retryMs = pace.rewriteMs;
  const stopped = new AbortController();
  /** Servers whose members still have to be requested. */
  const membersToRead = new Set<string>();
  const readMembers = createMemberRequests(deps, queue);
  const warn = (message: string) => (error: unknown, guildId: string) =>
    log.warn({ err: error, guildId }, `${message}; trying again`);
  const memberReads = createKeyedWork({
    work: async (guildId) => {
      const guild = client.guilds.cache.get(guildId);
      if (guild?.available !== true) return;
      membersToRead.delete(guildId);
      if (!(await readMembers(guild, stopped.signal))) membersToRead.add(guildId);
    },
    onFailure: warn('The members of a server could not be requested'),
    retryMs,
  });
  const saves = createKeyedWork({
    work: async (guildId) => {
      const guild = client.guilds.cache.get(guildId);
      if (guild === undefined) return;
      if (!guild.available) return register.noteOutage(guildId);
      await register.save(await describeGuild(guild));
      // Only after the roles are saved, so that a deleted role is noticed.
      if (membersToRead.has(guildId)) memberReads.request(guildId);
    },
    onFailure: warn('A server could not be saved'),
    retryMs,
    debounceMs,
    atOnce: savesAtOnce,
  });
  // In a raid or a large server, members join and leave constantly: the whole server is not saved that often.
  const counts = createKeyedWork({
    work: async (guildId) => saves.request(guildId),
    onFailure: () => {},
    retryMs,
    debounceMs: pace.countEveryMs,
  });
  const leaves = createKeyedWork({
    work: async (guildId) => {
      if (client.guilds.cache.has(guildId)) return;
      membersToRead.delete(guildId);
      await register.leave(guildId);
    },
    onFailure: warn('Leaving a server could not be saved'),
    retryMs,
  });
  return {
    membersToRead,
    saves,
    counts,
    leaves,
    memberReads,
    stop: async (): Promise<void> => {
      stopped.abort();
      await Promise.all([saves, counts, leaves, memberReads].map((work) => work.stop()));
    },
  };
}

/** Servers that are joined, changed and left, as discord.js reports them. */
function addGuildEvents(
  client: Client,
  listener: Record<'arrived' | 'changed' | 'left', (guildId: string) => void>,
): void {
  const changed = ({ id }: Pick<Guild, 'id'>): void => listener.changed(id);
  const arrived = ({ id }: Guild): void => listener.arrived(id);
  client.on(Events.GuildCreate, arrived);
  // Emitted for each server after a connect, and for a server that is back after an outage.
  client.on(Events.GuildAvailable, arrived);
  client.on(Events.GuildUpdate, (_before, guild) => changed(guild));
  // Not emitted for an outage: discord.js emits GuildUnavailable, or nothing if the outage began before the connect (see ShardReady).
  client.on(Events.GuildDelete, ({ id }) => listener.left(id));
  client.on(Events.GuildUnavailable, changed);
  client.on(Events.ShardReady, (shardId) => {
    for (const guild of client.guilds.cache.values()) if (guild.shardId === shardId && !guild.available) changed(guild);
  });
  client.on(Events.GuildRoleCreate, ({ guild }) => changed(guild));
  client.on(Events.GuildRoleDelete, ({ guild }) => changed(guild));
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

/** Documentation, topics/gateway, 'Sharding'. */
const shardOf = (guildId: string, shardCount: number): number => Number((BigInt(guildId) >> 22n) % BigInt(shardCount));

/** Servers left while disconnected: those of a shard that Discord no longer lists when the shard connects. */
function addAbsences(client: Client, { register, log, pace }: GatewayDeps): BotWork {
  const listedBy = new Map<number, { readonly guildIds: ReadonlySet<string>; readonly shardCount: number }>();
  const absences = createKeyedWork({
    work: async (key) => {
      const shardId = Number(key);
      const listed = listedBy.get(shardId);
      if (listed === undefined) return;
      // Including servers joined since.
      const present = new Set([...listed.guildIds, ...client.guilds.cache.keys()]);
      await register.leaveAllBut(present, (guildId) => shardOf(guildId, listed.shardCount) === shardId);
    },
    onFailure: (error, shardId) =>
      log.warn({ err: error, shardId }, 'Servers that the bot has left could not be saved; trying again'),
    retryMs: pace.rewriteMs,
  });
  // Before discord.js handles it: servers of the shard that it still caches and Discord no longer lists were left meanwhile.
  onDispatch(client, log, GatewayDispatchEvents.Ready, readyPayload, ({ guilds, shard: [shardId, shardCount] }) => {
    const guildIds = new Set(guilds.map(({ id }) => id));
    listedBy.set(shardId, { guildIds, shardCount });
    const left = client.guilds.cache.filter((guild) => guild.shardId === shardId && !guildIds.has(guild.id));
    for (const id of left.keys()) client.guilds.cache.delete(id);
    absences.request(String(shardId));
  });
  return absences;
}
