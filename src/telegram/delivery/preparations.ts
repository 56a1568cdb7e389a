import type { ClaimAnswer } from './outbox.ts';
import type { SenderOptions } from './sender.ts';

type Preparation = Extract<ClaimAnswer, { readonly kind: 'picture-first' | 'backlog-first' }>;

/** What has to be done in a chat before its next message; other chats go on meanwhile. */
export interface Preparations {
  begin(preparation: Preparation): void;
  /** Further ones wait. */
  hasRoom(): boolean;
  chatIds(): readonly string[];
}

const atOnceMax = 6;
/** What failed would fail again at once, as often as the database answers. */
const restAfterFailureMs = 5_000;

export function createPreparations({ pictures, backlog, log }: SenderOptions, ring: () => void): Preparations {
  const chats = new Set<string>();
  /** They make room for others meanwhile. */
  const resting = new Set<string>();
  const rest = (chatId: string): void => {
    resting.add(chatId);
    const wake = (): void => {
      resting.delete(chatId);
      ring();
    };
    setTimeout(wake, restAfterFailureMs).unref();
  };
  const work = async (preparation: Preparation): Promise<void> => {
    const { chatId } = preparation;
    try {
      await (preparation.kind === 'picture-first' ? pictures.prepare(preparation.imageUrl) : backlog.compact(chatId));
    } catch (error) {
      log.warn({ err: error, chatId }, 'A message could not be prepared; trying again');
      rest(chatId);
    }
    chats.delete(chatId);
    ring();
  };
  return {
    begin: (preparation) => {
      chats.add(preparation.chatId);
      void work(preparation);
    },
    hasRoom: () => chats.size < atOnceMax,
    chatIds: () => [...chats, ...resting],
  };
}
