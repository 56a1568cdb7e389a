import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { z } from 'zod';

import { longPollSeconds, unreadable } from '../send/bot-api.ts';
import { handledUpdates, updateName } from './update-outline.ts';

interface PollerDeps {
  readonly api: Pick<Api, 'getUpdates'>;
  /** Resolves when those that must not be lost are stored. */
  readonly take: (updates: readonly Update[]) => Promise<void>;
  /** After every answer. */
  readonly onAnswer: () => void;
}

const lastWordWithinMs = 1_500;
/** The most that Telegram returns at once. */
const batchSize = 100;
const namedUpdates = z.array(updateName);

/**
 * Asks Telegram for updates until stopped. Confirms them only after they are taken: a crash repeats them, never loses
 * one (Bot API, getUpdates: an update is confirmed as soon as a higher offset is requested). Rejects with what
 * getUpdates throws, with what `take` throws, which leaves them unconfirmed, or as Unavailable if the answer is no list
 * of updates.
 */
export async function pollUpdates({ api, take, onAnswer }: PollerDeps, stop: AbortSignal): Promise<void> {
  // No offset until there is something to confirm: ids restart anywhere after a week of silence (Bot API, Update).
  let toConfirm: number | null = null;
  // The first request does not wait, to learn at once whether Telegram answers.
  let waitSeconds = 0;
  const ask = (timeout: number, limit: number, signal: AbortSignal): Promise<Update[]> => {
    const asked = { limit, timeout, allowed_updates: handledUpdates, ...(toConfirm !== null && { offset: toConfirm }) };
    toConfirm = null;
    return api.getUpdates(asked, signal as never);
  };
  try {
    while (!stop.aborted) {
      const updates = await ask(waitSeconds, batchSize, stop);
      // Confirms nothing of it: an answer without update ids may contain anything.
      if (!namedUpdates.safeParse(updates).success) throw unreadable('getUpdates');
      waitSeconds = longPollSeconds;
      onAnswer();
      if (updates.length === 0) continue;
      await take(updates);
      toConfirm = Math.max(...updates.map(({ update_id: id }) => id)) + 1;
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    // Confirms what is taken, so that the next copy does not get it again.
    if (toConfirm !== null) await ask(0, 1, AbortSignal.timeout(lastWordWithinMs)).catch(() => []);
  }
}
