import { type Client, Events } from 'discord.js';

import type { BotLog } from '../../bot-service/bot-runner.ts';
import { createKeyedWork } from './keyed-work.ts';
import type { BotWork } from './run-gateway.ts';
import { createMemberAsking, type MemberAsking } from './ask-members.ts';
import { describeGuild } from '../servers/describe-guild.ts';
import type { GuildRegister } from '../servers/guild-register.ts';
import { addGuildEvents } from './guild-events.ts';
import { addMemberEvents, createMemberOrder, type MemberDeps } from './member-events.ts';
import type { MemberRounds } from './member-rounds.ts';
import { addShardPresence } from './shard-presence.ts';

export interface GatewayEventDeps extends MemberDeps {
  readonly register: GuildRegister;
  readonly rounds: MemberRounds;
  readonly log: BotLog;
  /** Calls `look` when it may be unknown who has the role in a server. Returns how to stop. */
  readonly onUnseen: (look: () => void) => () => void;
  /** Delay before failed writes and requests are retried. */
  readonly retryMs: number;
  /** Discord's time to answer one request for members. */
  readonly membersWithinMs: number;
}

/** Joins and reorderings come in bursts. */
const gatherMs = 250;
/** Servers saved at a time: after a connect Discord sends all of them, and others need the database as well. */
const savesAtOnce = 4;

/** Stores what the gateway reports of servers and of members who have linked a wallet. */
export function addGatewayEvents(client: Client, deps: GatewayEventDeps): BotWork {
  const { members, rounds, log } = deps;
  const order = createMemberOrder();
  const asking = createMemberAsking({ ...deps, order, answerWithinMs: deps.membersWithinMs });
  const { saves, leaves, looks, stop } = createGuildWork(client, deps, asking);
  const look = (guildId: string): void => {
    rounds.want(guildId);
    saves.ask(guildId);
  };
  const lookAtUnseen = (): void => {
    members.unseen().then(
      (guildIds) => guildIds.forEach(look),
      (error: unknown) => log.warn({ err: error }, 'The members to ask for could not be read'),
    );
  };

  addGuildEvents(client, {
    arrived: look,
    changed: (guildId) => saves.ask(guildId),
    left: (guildId) => leaves.ask(guildId),
  });
  const memberEvents = addMemberEvents(client, {
    ...deps,
    order,
    counted: (guildId) => saves.ask(guildId),
    // What could not be stored is requested again.
    missed: look,
  });
  const presence = addShardPresence(client, deps);
  // Nothing was requested while the shard was away.
  client.on(Events.ShardResume, (shardId) => {
    for (const guildId of rounds.open()) if (client.guilds.cache.get(guildId)?.shardId === shardId) looks.ask(guildId);
  });
  const stopLooking = deps.onUnseen(lookAtUnseen);
  return {
    stop: async () => {
      stopLooking();
      await Promise.all([memberEvents.stop(), presence.stop(), stop()]);
    },
  };
}

/** One at a time per server; failures are retried. */
function createGuildWork(client: Client, { register, rounds, log, retryMs }: GatewayEventDeps, asking: MemberAsking) {
  const stopped = new AbortController();
  const warn = (message: string) => (error: unknown, guildId: string) =>
    log.warn({ err: error, guildId }, `${message}; trying again`);
  const looks = createKeyedWork({
    work: async (guildId) => {
      const guild = client.guilds.cache.get(guildId);
      if (guild?.available === true) await asking.ask(guild, stopped.signal);
    },
    onFailure: warn('The members of a server could not be asked for'),
    retryMs,
  });
  const saves = createKeyedWork({
    work: async (guildId) => {
      const guild = client.guilds.cache.get(guildId);
      if (guild === undefined) return;
      if (!guild.available) return register.noteOutage(guildId);
      await register.save(await describeGuild(guild));
      // Only after the roles are saved, so that a deleted role is noticed.
      if (rounds.isOpen(guildId)) looks.ask(guildId);
    },
    onFailure: warn('A server could not be saved'),
    retryMs,
    gatherMs,
    atOnce: savesAtOnce,
  });
  const leaves = createKeyedWork({
    work: async (guildId) => {
      if (client.guilds.cache.has(guildId)) return;
      rounds.forget(guildId);
      await register.leave(guildId);
    },
    onFailure: warn('Leaving a server could not be saved'),
    retryMs,
  });
  return {
    saves,
    leaves,
    looks,
    stop: async () => {
      stopped.abort();
      await Promise.all([saves, leaves, looks].map((work) => work.stop()));
    },
  };
}
