import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { z } from 'zod';

import { longPollSeconds, unreadable } from '../send/bot-api.ts';
import { handledUpdates, updateName } from './update-outline.ts';

interface PollerDeps {
  readonly api: Pick<Api, 'getUpdates'>;
  /** Resolves when what must not be lost of them is written down. */
  readonly take: (updates: readonly Update[]) => Promise<void>;
  /** After every answer. */
  readonly onAnswer: () => void;
}

const lastWordWithinMs = 1_500;
/** As many as Telegram tells at once. */
const batchSize = 100;
const namedUpdates = z.array(updateName);

/**
 * Asks Telegram for updates until stopped. They are confirmed only after they are taken: a crash repeats them, never loses one
 * (Bot API, getUpdates: an update is confirmed as soon as a higher offset is asked for). Rejects with what getUpdates throws, or
 * with what `take` throws, which leaves them unconfirmed, or as Unavailable when what came is no list of updates.
 */
export async function pollUpdates({ api, take, onAnswer }: PollerDeps, stop: AbortSignal): Promise<void> {
  // Named once: without anything to confirm no offset is, for ids begin anew somewhere after a week of silence (Bot API, Update).
  let toConfirm: number | null = null;
  // The first question waits for nothing, so that it is known at once whether Telegram answers.
  let waitSeconds = 0;
  const ask = (timeout: number, limit: number, signal: AbortSignal): Promise<Update[]> => {
    const asked = { limit, timeout, allowed_updates: handledUpdates, ...(toConfirm !== null && { offset: toConfirm }) };
    toConfirm = null;
    return api.getUpdates(asked, signal as never);
  };
  try {
    while (!stop.aborted) {
      const updates = await ask(waitSeconds, batchSize, stop);
      // Nothing of it is confirmed: what does not name its updates may have anything in it.
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
    // A last word, so that the next copy is not told again what is taken.
    if (toConfirm !== null) await ask(0, 1, AbortSignal.timeout(lastWordWithinMs)).catch(() => []);
  }
}
