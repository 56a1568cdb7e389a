import { type Client, GatewayDispatchEvents, type Guild } from 'discord.js';

import type { BotLog } from '../../platform/bot-service/bot-turn.ts';
import { createKeyedWork } from '../service/keyed-work.ts';
import type { BotWork } from '../service/run-gateway.ts';
import { describeGuild } from './describe-guild.ts';
import { readyPayload } from './gateway-payloads.ts';
import type { GuildDesk } from './guild-desk.ts';
import { addGuildEvents } from './guild-events.ts';
import { hearDispatch } from './hear-dispatch.ts';
import {
  addMemberEvents,
  createMemberOrder,
  lookAtMembers,
  type MemberDeps,
  type OrderedMemberDeps,
} from './member-events.ts';

export interface GatewayEventDeps extends MemberDeps {
  readonly desk: GuildDesk;
  readonly log: BotLog;
  /** Runs when it may be that nobody knows who has the role in a server. Answers how to stop. */
  readonly onUnseen: (look: () => void) => () => void;
  /** After so long what could not be written down, or asked for, is tried again. */
  readonly retryMs: number;
}

/** Joins and reorderings come in bursts. */
const gatherMs = 250;

/** Writes down what the gateway tells of servers and of members who have linked a wallet. */
export function addGatewayEvents(client: Client, deps: GatewayEventDeps): BotWork {
  const { members, log } = deps;
  const present = new Set<string>();
  const order = createMemberOrder();
  const { saves, leaves, looks, absences } = createGuildWork(client, { ...deps, order }, present);
  const lookAtUnseen = (): void => {
    members.unseen().then(
      (guildIds) => guildIds.forEach((guildId) => looks.ask(guildId)),
      (error: unknown) => log.warn({ err: error }, 'It could not be read which members are to be asked for'),
    );
  };
  const arrived = ({ id }: Guild): void => {
    saves.ask(id);
    looks.ask(id);
  };

  addGuildEvents(client, { arrived, changed: ({ id }) => saves.ask(id), left: ({ id }) => leaves.ask(id) });
  const memberEvents = addMemberEvents(client, {
    ...deps,
    order,
    counted: (guildId) => saves.ask(guildId),
    // What could not be written down is asked for anew.
    missed: (guildId) => looks.ask(guildId),
  });
  // Before discord.js has handled it: what it still keeps and Discord no longer names was left meanwhile.
  hearDispatch(client, log, GatewayDispatchEvents.Ready, readyPayload, ({ guilds }) => {
    present.clear();
    for (const { id } of guilds) present.add(id);
    for (const id of [...client.guilds.cache.keys()].filter((each) => !present.has(each))) {
      client.guilds.cache.delete(id);
    }
    absences.ask('all');
  });
  const stopLooking = deps.onUnseen(lookAtUnseen);
  return {
    stop: async () => {
      stopLooking();
      await Promise.all([memberEvents.stop(), saves.stop(), leaves.stop(), looks.stop(), absences.stop()]);
    },
  };
}

/** By server, one at a time; what fails is tried again. `present`: the servers that Discord named after the last connect. */
function createGuildWork(client: Client, deps: GatewayEventDeps & OrderedMemberDeps, present: ReadonlySet<string>) {
  const { desk, log, retryMs } = deps;
  const warn = (message: string) => (error: unknown, guildId: string) =>
    log.warn({ err: error, guildId }, `${message}; trying again`);
  return {
    saves: createKeyedWork({
      work: async (guildId) => {
        const guild = client.guilds.cache.get(guildId);
        if (guild === undefined) return;
        if (guild.available) await desk.save(await describeGuild(guild));
        else await desk.noteOutage(guildId);
      },
      onFailure: warn('A server could not be written down'),
      retryMs,
      gatherMs,
    }),
    leaves: createKeyedWork({
      work: async (guildId) => {
        if (!client.guilds.cache.has(guildId)) await desk.leave(guildId);
      },
      onFailure: warn('A server that was left could not be written down'),
      retryMs,
    }),
    absences: createKeyedWork({
      // With those that came since.
      work: () => desk.leaveAllBut([...present, ...client.guilds.cache.keys()]),
      onFailure: warn('Servers that were left meanwhile could not be written down'),
      retryMs,
    }),
    looks: createKeyedWork({
      work: async (guildId) => {
        const guild = client.guilds.cache.get(guildId);
        if (guild?.available !== true) return;
        // Which roles there are comes first: nobody misses one that is gone.
        await desk.save(await describeGuild(guild));
        await lookAtMembers(deps, guild);
      },
      onFailure: warn('The members of a server could not be asked for'),
      retryMs,
      gatherMs,
    }),
  };
}
