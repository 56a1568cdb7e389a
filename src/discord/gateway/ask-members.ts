import { Status } from 'discord.js';

import { createRateGate, type RateGate, type RateGateOptions } from '../../sources/rate-gate.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { displayNameMax, type OrderedMemberDeps } from './member-events.ts';
import type { MemberRounds } from './member-rounds.ts';

/**
 * Discord ends a connection that sends more than 120 times in 60 s, heartbeats included (documentation, topics/gateway, 'Rate
 * Limiting'), and discord.js pauses for a minute after 114. At most 100 in any 60 s: 10,000 members a minute. Short windows, so
 * that a server waits only seconds behind a large one.
 */
const memberRequestLimit: RateGateOptions = { requests: 10, perMs: 6_000 };

/** What asking for members needs of a discord.js server. */
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

interface AskingDeps extends OrderedMemberDeps {
  readonly rounds: MemberRounds;
  /** Time for one request's answer, however many are queued. */
  readonly answerWithinMs: number;
}

export interface MemberAsking {
  /**
   * Asks for the rest of the server's round, request by request; servers of a shard take turns. Asks nothing while the shard is
   * disconnected. Throws errors of discord.js and the database; the round then resumes where it was.
   */
  ask(guild: AskedGuild, stop: AbortSignal): Promise<void>;
}

/** Asks Discord for all members who linked a wallet: whether they are there, and their roles. */
export function createMemberAsking(deps: AskingDeps): MemberAsking {
  const gates = new Map<number, RateGate>();
  const gateOf = (shardId: number): RateGate => {
    const gate = gates.get(shardId) ?? createRateGate(memberRequestLimit);
    gates.set(shardId, gate);
    return gate;
  };
  return {
    ask: async (guild, stop) => {
      for (;;) {
        const userIds = await deps.rounds.next(guild.id);
        if (userIds.length === 0) return;
        await gateOf(guild.shardId).take(stop);
        // discord.js queues what it cannot send, and sends all of it at once when the shard is back.
        if (!canSend(guild)) return;
        const found = await guild.members.fetch({ user: [...userIds], time: deps.answerWithinMs });
        await writeDown(deps, guild.id, userIds, found);
        deps.rounds.answered(guild.id, userIds);
      }
    },
  };
}

const canSend = ({ available, shard: { status } }: AskedGuild): boolean =>
  available && (status === Status.Ready || status === Status.WaitingForGuilds);

/** Members who join after this answer are reported after it. */
const writeDown = (
  { members, roles, order }: OrderedMemberDeps,
  guildId: string,
  asked: readonly string[],
  found: ReadonlyMap<string, FoundMember>,
): Promise<void> =>
  order.next(guildId, async () => {
    const seen = [...found.values()].map((member) => ({
      userId: member.id,
      displayName: cleanText(member.displayName, displayNameMax) || member.id,
      roleIds: [...member.roles.cache.keys()],
    }));
    const { returned } = await members.seen(guildId, seen);
    await members.gone(
      guildId,
      asked.filter((userId) => !found.has(userId)),
    );
    for (const userId of returned) {
      await roles.memberJoined(guildId, userId, found.get(userId)?.displayName ?? userId);
    }
  });
