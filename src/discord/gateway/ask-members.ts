import { Status } from 'discord.js';

import { createRateGate, type RateGate, type RateGateOptions } from '../../sources/rate-gate.ts';
import type { GuildMemberStore } from '../servers/guild-member-store.ts';
import { storedName, type OrderedMemberDeps } from './member-events.ts';

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

/** Asks Discord for all members who linked a wallet: whether they are there, and their roles. */
export function createMemberAsking(deps: AskingDeps) {
  const gates = new Map<number, RateGate>();
  const gateOf = (shardId: number): RateGate => {
    const gate = gates.get(shardId) ?? createRateGate(memberRequestLimit);
    gates.set(shardId, gate);
    return gate;
  };
  return {
    /**
     * Asks for the rest of the server's round, request by request; servers of a shard take turns. Asks nothing while the shard is
     * disconnected. Throws errors of discord.js and the database; the round then resumes where it was.
     */
    ask: async (guild: AskedGuild, stop: AbortSignal): Promise<void> => {
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
      displayName: storedName(member.displayName, member.id),
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

/** Discord answers at most 100 ids in one request (documentation, 'Request Guild Members'). */
const idsPerRequest = 100;

interface Round {
  /** The last one answered; empty: none yet. */
  after: string;
  /** Where the round began and ends. */
  readonly endsAt: string;
  hasTurned: boolean;
}

/**
 * Which members of a server to ask for next. A round asks for everyone once, from the current position around to it again: answered
 * members are not asked for again after a failure or disconnect, and a new request never restarts a round. Lives as long as the process.
 */
export function createMemberRounds({ known }: Pick<GuildMemberStore, 'known'>) {
  const rounds = new Map<string, Round>();
  return {
    /** Everyone in the server is to be asked for from now on. */
    want: (guildId: string): void => {
      const after = rounds.get(guildId)?.after ?? '';
      rounds.set(guildId, { after, endsAt: after, hasTurned: false });
    },
    /** The ids of the next request, the same until they are answered; empty: everyone was answered. */
    next: async (guildId: string): Promise<readonly string[]> => {
      for (let round = rounds.get(guildId); round !== undefined; round = rounds.get(guildId)) {
        const upTo = round.hasTurned ? round.endsAt : null;
        const userIds = await known(guildId, { after: round.after, upTo, limit: idsPerRequest });
        if (userIds.length > 0) return userIds;
        if (!round.hasTurned && round.endsAt !== '') {
          round.after = '';
          round.hasTurned = true;
        } else if (rounds.get(guildId) === round) {
          rounds.delete(guildId);
        }
      }
      return [];
    },
    answered: (guildId: string, userIds: readonly string[]): void => {
      const round = rounds.get(guildId);
      if (round !== undefined) round.after = userIds.at(-1) ?? round.after;
    },
    isOpen: (guildId: string): boolean => rounds.has(guildId),
    /** Servers with an unfinished round. */
    open: (): readonly string[] => [...rounds.keys()],
    forget: (guildId: string): void => void rounds.delete(guildId),
  };
}
export type MemberRounds = ReturnType<typeof createMemberRounds>;
