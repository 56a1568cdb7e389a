import type { Trx } from '../db/transaction.ts';
import type { ServiceRow, ServiceStore } from './service-store.ts';

interface SameBotDeps {
  readonly store: Pick<ServiceStore, 'read' | 'forgetBotUnless'>;
  /** The id of the token's bot; null: there is no token, or it does not contain one. */
  readonly tokenId: string | null;
  /** What is thrown when it is not the one that is known; `knownAs` is the name of that one. */
  readonly otherBot: (knownAs: string | null) => Error;
}

/**
 * Whether the token is of the bot that the groups or servers know: another one is in none of them, and what the platform says of that
 * would have each taken as left.
 */
export function createSameBot({ store, tokenId, otherBot }: SameBotDeps) {
  const isSame = ({ botId }: Pick<ServiceRow, 'botId'>): boolean =>
    botId === null || tokenId === null || botId === tokenId;
  return {
    isSame,
    /** Whether it may begin; throws what to do when it is another bot. */
    check: async (): Promise<boolean> => {
      const known = await store.read();
      if (!isSame(known)) throw otherBot(known.username);
      // Who stops a refused bot allows the other in the same moment: that is no start yet.
      return known.wanted === 'active';
    },
    /** An admin stops a bot that is refused: the next start is meant. */
    allowOther: async (trx: Trx): Promise<void> => {
      if (tokenId !== null) await store.forgetBotUnless(tokenId, trx);
    },
  };
}
export type SameBot = ReturnType<typeof createSameBot>;
