import type { Update } from 'grammy/types';

import { createFloodRule, readAsked } from './flood-rule.ts';

/**
 * Hands updates of one chat to `handle` one after the other, and those of different chats side by side. Questions that change
 * nothing go a way of their own: an admin's command does not wait behind them. Some are left out, see FloodRule.
 */
export interface UpdateQueue {
  /** Resolves when it is handled or left out; rejects with what `handle` throws. */
  push(update: Update): Promise<void>;
}

export interface UpdateQueueDeps {
  readonly handle: (update: Update, isQuestion: boolean) => Promise<void>;
  /** Whether that person was an admin of the group when last heard of. */
  readonly isKnownAdmin: (chatId: number, userId: number) => boolean;
  readonly nowMs: () => number;
}

/** What many people together ask of one chat; a known admin's wishes get in beyond. */
const waitingMax = 20;

export function createUpdateQueue({ handle, isKnownAdmin, nowMs }: UpdateQueueDeps): UpdateQueue {
  const lanes = new Map<string, { tail: Promise<void>; length: number }>();
  const rule = createFloodRule();
  return {
    push: async (update) => {
      const asked = readAsked(update);
      const isAdmin = asked.isAnonymousAdmin || isKnownAdmin(asked.chatId, asked.personId);
      const isQuestion = asked.kind === 'fact' && !isAdmin;
      const key = `${asked.chatId} ${isQuestion ? 'question' : ''}`;
      const lane = lanes.get(key) ?? { tail: Promise.resolve(), length: 0 };
      const isFull = lane.length >= waitingMax && !isAdmin && asked.kind !== 'event';
      if (isFull || !rule.admits(asked, nowMs(), isAdmin)) return;
      lanes.set(key, lane);
      lane.length += 1;
      const done = lane.tail.then(() => handle(update, isQuestion));
      lane.tail = done.catch(() => {});
      try {
        await done;
      } catch (error) {
        rule.forget(asked);
        throw error;
      } finally {
        lane.length -= 1;
        if (lane.length === 0) lanes.delete(key);
      }
    },
  };
}
