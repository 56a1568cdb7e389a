import type { Update } from 'grammy/types';

/** Hands updates of one chat to `handle` one after the other, and those of different chats side by side. */
export interface UpdateQueue {
  /** Resolves when it is handled; rejects with what `handle` throws. */
  push(update: Update): Promise<void>;
}

/** Whoever floods a chat with questions is not answered beyond these; what Telegram itself tells is never left out. */
const questionsMax = 40;

export function createUpdateQueue(handle: (update: Update) => Promise<void>): UpdateQueue {
  const lanes = new Map<number, { tail: Promise<void>; length: number }>();
  return {
    push: async (update) => {
      const key = laneOf(update);
      const lane = lanes.get(key) ?? { tail: Promise.resolve(), length: 0 };
      if (lane.length >= questionsMax && isQuestion(update)) return;
      lanes.set(key, lane);
      lane.length += 1;
      const done = lane.tail.then(() => handle(update));
      lane.tail = done.catch(() => {});
      try {
        await done;
      } finally {
        lane.length -= 1;
        if (lane.length === 0) lanes.delete(key);
      }
    },
  };
}

const isQuestion = ({ message, callback_query: press }: Update): boolean =>
  message?.text !== undefined || press !== undefined;

/** The chat; an update without one goes its own way. */
function laneOf(update: Update): number {
  const message = update.message ?? update.callback_query?.message;
  const chat = message?.chat ?? update.my_chat_member?.chat ?? update.chat_member?.chat;
  return chat?.id ?? update.callback_query?.from.id ?? 0;
}
