import { Status } from 'discord.js';

import { createRateGate, type RateGate, type RateGateOptions } from '../../sources/rate-gate.ts';
import { storedName } from '../commands/command.ts';
import type { GatewayDeps, MemberOrder } from './member-events.ts';

/**
 * Discord ends a connection that sends more than 120 times in 60 s, heartbeats included (documentation, topics/gateway, 'Rate
 * Limiting'), and discord.js pauses for a minute after 114. At most 100 in any 60 s: 10,000 members a minute. Short windows, so
 * that a server waits only seconds behind a large one.
 */
const memberRequestLimit: RateGateOptions = { requests: 10, perMs: 6_000 };

export interface AskedGuild {
  readonly id: string;
  readonly shardId: number;
  readonly available: boolean;
  readonly shard: { readonly status: Status };
  readonly members: {
    fetch(wanted: { user: string[]; time: number }): Promise<ReadonlyMap<string, FoundMember>>;
  };
}

interface FoundMember {
  readonly id: string;
  readonly displayName: string;
  readonly roles: { readonly cache: { keys(): Iterable<string> } };
}

type AskingDeps = Pick<GatewayDeps, 'members' | 'pace'> & {
  readonly roles: Pick<GatewayDeps['roles'], 'memberJoined'>;
};

/** Discord answers at most 100 ids in one request (documentation, 'Request Guild Members'). */
const idsPerRequest = 100;

/**
 * Asks Discord for all members of a server who linked a wallet: whether they are there, and their roles. Request by request; servers of a
 * shard take turns. False: the shard is not connected, so that not everyone was asked for. Throws errors of discord.js and the database.
 */
export function createMemberAsking(
  deps: AskingDeps,
  order: MemberOrder,
): (guild: AskedGuild, stop: AbortSignal) => Promise<boolean> {
  const gates = new Map<number, RateGate>();
  const gateOf = (shardId: number): RateGate => {
    const gate = gates.get(shardId) ?? createRateGate(memberRequestLimit);
    gates.set(shardId, gate);
    return gate;
  };
  return async (guild, stop) => {
    const known = await deps.members.known(guild.id);
    for (let from = 0; from < known.length; from += idsPerRequest) {
      const userIds = known.slice(from, from + idsPerRequest);
      await gateOf(guild.shardId).take(stop);
      // discord.js queues what it cannot send, and sends all of it at once when the shard is back.
      if (!canSend(guild)) return false;
      const found = await guild.members.fetch({ user: userIds, time: deps.pace.membersWithinMs });
      await order.next(guild.id, () => writeDown(deps, guild.id, userIds, found));
    }
    return true;
  };
}

const canSend = ({ available, shard: { status } }: AskedGuild): boolean =>
  available && (status === Status.Ready || status === Status.WaitingForGuilds);

/** Members who join after this answer are reported after it. */
async function writeDown(
  { members, roles }: AskingDeps,
  guildId: string,
  asked: readonly string[],
  found: ReadonlyMap<string, FoundMember>,
): Promise<void> {
  const seen = [...found.values()].map((member) => ({
    userId: member.id,
    displayName: storedName(member.displayName, member.id),
    roleIds: [...member.roles.cache.keys()],
  }));
  const { returned } = await members.seen(guildId, seen);
  await members.gone(
    guildId,
    asked.filter((userId) => !found.has(userId)),
  );
  for (const { userId, displayName } of seen)
    if (returned.includes(userId)) await roles.memberJoined(guildId, userId, displayName);
}
