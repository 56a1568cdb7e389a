import type { GuildMemberStore } from '../servers/guild-member-store.ts';

/** Discord answers at most 100 ids in one request (documentation, 'Request Guild Members'). */
const idsPerRequest = 100;

/**
 * Which members of a server to ask for next. A round asks for everyone once, from the current position around to it again: answered
 * members are not asked for again after a failure or disconnect, and a new request never restarts a round.
 */
export interface MemberRounds {
  /** Everyone in the server is to be asked for from now on. */
  want(guildId: string): void;
  /** The ids of the next request, the same until they are answered; empty: everyone was answered. */
  next(guildId: string): Promise<readonly string[]>;
  answered(guildId: string, userIds: readonly string[]): void;
  isOpen(guildId: string): boolean;
  /** Servers with an unfinished round. */
  open(): readonly string[];
  forget(guildId: string): void;
}

interface Round {
  /** The last one answered; empty: none yet. */
  after: string;
  /** Where the round began and ends. */
  readonly endsAt: string;
  hasTurned: boolean;
}

/** Lives as long as the process: a disconnect does not end a round. */
export function createMemberRounds({ known }: Pick<GuildMemberStore, 'known'>): MemberRounds {
  const rounds = new Map<string, Round>();
  return {
    want: (guildId) => {
      const after = rounds.get(guildId)?.after ?? '';
      rounds.set(guildId, { after, endsAt: after, hasTurned: false });
    },
    next: async (guildId) => {
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
    answered: (guildId, userIds) => {
      const round = rounds.get(guildId);
      if (round !== undefined) round.after = userIds.at(-1) ?? round.after;
    },
    isOpen: (guildId) => rounds.has(guildId),
    open: () => [...rounds.keys()],
    forget: (guildId) => void rounds.delete(guildId),
  };
}
