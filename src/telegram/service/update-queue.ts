import type { Update } from 'grammy/types';

/** Hands updates of one chat to `handle` one after the other, and those of different chats side by side. */
export interface UpdateQueue {
  /** Resolves when it is handled; rejects with what `handle` throws. */
  push(update: Update): Promise<void>;
}

export function createUpdateQueue(handle: (update: Update) => Promise<void>): UpdateQueue {
  const tails = new Map<number, Promise<void>>();
  return {
    push: (update) => {
      const key = laneOf(update);
      const before = tails.get(key) ?? Promise.resolve();
      const done = before.then(() => handle(update));
      const tail = done.catch(() => {});
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return done;
    },
  };
}

/** The chat; an update without one goes its own way. */
function laneOf(update: Update): number {
  const message = update.message ?? update.callback_query?.message;
  const chat = message?.chat ?? update.my_chat_member?.chat ?? update.chat_member?.chat;
  return chat?.id ?? update.callback_query?.from.id ?? 0;
}
