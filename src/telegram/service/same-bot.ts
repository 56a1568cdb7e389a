import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { otherBot } from '../adapters/bot-api.ts';
import type { ServiceStore } from '../adapters/service-store.ts';

interface SameBotDeps {
  readonly store: Pick<ServiceStore, 'read' | 'forgetBotUnless'>;
  /** null: there is none, and nothing begins. */
  readonly botToken: string | null;
}

type Known = Pick<Awaited<ReturnType<ServiceStore['read']>>, 'botId' | 'username'>;

/**
 * Whether the token is of the bot that the groups know: another one is in none of them, and Telegram's 'chat not found' would have
 * each taken as left. A token begins with the bot's id (Bot API, Authorizing your bot).
 */
export function createSameBot({ store, botToken }: SameBotDeps) {
  const tokenId = /^(\d+):/.exec(botToken ?? '')?.[1] ?? null;
  const isSame = ({ botId }: Pick<Known, 'botId'>): boolean => botId === null || tokenId === null || botId === tokenId;
  return {
    isSame,
    /** Throws Unavailable with what to do. */
    check: async (): Promise<void> => {
      const known = await store.read();
      if (!isSame(known)) throw otherBot(known.username);
    },
    /** An admin stops a bot that is refused: the next start is meant. */
    allowOther: async (opened: OpenTransaction): Promise<void> => {
      if (tokenId !== null) await store.forgetBotUnless(tokenId, opened);
    },
  };
}
export type SameBot = ReturnType<typeof createSameBot>;
