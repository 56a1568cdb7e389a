import { setTimeout as delay } from 'node:timers/promises';

import type { Update } from 'grammy/types';

/** So many ids are remembered; Telegram repeats what it got no answer for soon, or not at all. */
const rememberedMax = 2_000;
/** Telegram opens few connections: one chat that is slow to answer must not keep them all. */
const answerWithinMs = 10_000;

/**
 * Takes each update once, however often its call is repeated: a repetition waits for the first, and gets its outcome. One that
 * failed is forgotten, because Telegram then brings it again to be handled. Resolves after ten seconds in any case.
 */
export function takeOnce(take: (update: Update) => Promise<void>): (update: Update) => Promise<void> {
  const taken = new Map<number, Promise<void>>();
  return async (update) => {
    const { update_id: id } = update;
    const known = taken.get(id);
    const done = known ?? take(update);
    if (known === undefined) {
      taken.set(id, done);
      done.catch(() => taken.delete(id));
      const [oldest = id] = taken.keys();
      if (taken.size > rememberedMax) taken.delete(oldest);
    }
    await Promise.race([done, delay(answerWithinMs, undefined, { ref: false })]);
  };
}
