import type { GuildMemberStore } from '../servers/guild-member-store.ts';

/** Discord answers at most 100 ids in one request (documentation, 'Request Guild Members'). */
const idsPerRequest = 100;

/**
 * Who of a server's members is to be asked for next. A round asks for everybody once, from where the asking stands and round to there
 * again: what was answered is not asked again, whatever fails or breaks off in between, and a new wish never throws a round back.
 */
export interface MemberRounds {
  /** Everybody of the server is to be asked for from now on. */
  want(guildId: string): void;
  /** The ids of the next request, the same again until they are answered; none: everybody was answered. */
  next(guildId: string): Promise<readonly string[]>;
  answered(guildId: string, userIds: readonly string[]): void;
  isOpen(guildId: string): boolean;
  /** Servers whose round is not over. */
  open(): readonly string[];
  forget(guildId: string): void;
}

interface Round {
  /** The last one who was answered; empty: none yet. */
  after: string;
  /** Where the round began: there it ends. */
  readonly endsAt: string;
  hasTurned: boolean;
}

/** Lives as long as the process: a connection that breaks off during a round does not end it. */
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
