import { setTimeout as delay } from 'node:timers/promises';

import type { Api } from 'grammy';
import type { Update } from 'grammy/types';

import { longPollSeconds } from '../adapters/bot-api.ts';
import { handledUpdates } from './handled-updates.ts';
import type { UpdateQueue } from './update-queue.ts';

interface PollerDeps {
  readonly api: Pick<Api, 'getUpdates'>;
  readonly queue: UpdateQueue;
  /** After the first answer, and after every one that brought something. */
  readonly onAnswer: () => void;
}

/** How long news waits for slow handlers before it is asked for beside them. */
const patienceMs = 500;
const stopWithinMs = 1_500;
const batchSize = 100;
/** How long an update may hold back the news beyond a full window: one slow chat is nobody else's. */
const holdFullMs = 5_000;

/**
 * Asks Telegram for updates until stopped. An update is confirmed only after it is handled: a crash repeats it, never loses it
 * (Bot API, getUpdates: an update is confirmed as soon as a higher offset is asked for). Rejects with what getUpdates throws, or
 * with what a handler throws, which leaves that update unconfirmed.
 *
 * Telegram tells at most 100 updates from the first unconfirmed one on. Only when so many are known is one confirmed that takes
 * longer than a few seconds: else what happens in other groups would not be heard of.
 */
export async function pollUpdates({ api, queue, onAnswer }: PollerDeps, stop: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const over = AbortSignal.any([stop, ending.signal]);
  const running = new Map<number, Promise<void>>();
  /** Those that are not to be confirmed, and since when. */
  const held = new Map<number, number>();
  const seen = new Set<number>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});

  const take = (update: Update): void => {
    seen.add(update.update_id);
    const done = queue.push(update).then(
      () => [running, held].forEach((known) => known.delete(update.update_id)),
      (error: unknown) => failed.reject(error),
    );
    running.set(update.update_id, done);
    held.set(update.update_id, performance.now());
  };
  const ask = (timeout: number, limit: number, signal: AbortSignal): Promise<Update[]> => {
    // Without anything to confirm no offset is named: ids begin anew somewhere after a week of silence (Bot API, Update).
    const offset = held.size > 0 ? Math.min(...held.keys()) : seen.size > 0 ? Math.max(...seen) + 1 : undefined;
    const asked = { limit, timeout, allowed_updates: handledUpdates, ...(offset !== undefined && { offset }) };
    return api.getUpdates(asked, signal as never);
  };
  const letGo = (): void => {
    for (const [id, sinceMs] of held) if (performance.now() - sinceMs > holdFullMs) held.delete(id);
  };
  const forgetBefore = (id: number): void => {
    for (const known of seen) if (known < id) seen.delete(known);
  };

  // The first question waits for nothing, so that it is known at once whether Telegram answers.
  let waitSeconds = 0;
  const loop = async (): Promise<void> => {
    while (!over.aborted) {
      await Promise.race([Promise.all(running.values()), delay(patienceMs, undefined, { ref: false })]);
      if (over.aborted) return;
      const waits = running.size === 0;
      const lowest = held.size === 0 ? Number.POSITIVE_INFINITY : Math.min(...held.keys());
      const updates = await ask(waits ? waitSeconds : 0, batchSize, over);
      waitSeconds = longPollSeconds;
      forgetBefore(lowest);
      onAnswer();
      if (updates.length === batchSize) letGo();
      for (const update of updates) if (!seen.has(update.update_id)) take(update);
    }
  };
  try {
    await Promise.race([loop(), failed.promise]);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    ending.abort();
    await Promise.race([Promise.allSettled(running.values()), delay(stopWithinMs, undefined, { ref: false })]);
    // A last word, so that the next copy is not told again what is done.
    if (seen.size > 0) await ask(0, 1, AbortSignal.timeout(stopWithinMs)).catch(() => []);
  }
}
