import type { PendingUpdate, UpdateQueue } from './update-queue.ts';

type Settings = { url: string; secretToken: string | null; maxConnections: number };

export type Webhook = {
  set: (settings: Settings) => void;
  /** Stops posting; what is pending stays. */
  clear: () => void;
  settings: () => Settings | null;
  lastError: () => { atMs: number; message: string } | null;
};

const shortestRetryMs = 100;
const longestRetryMs = 10_000;
const answerWithinMs = 60_000;

/** Posts updates to an address, in order within a chat, until each has been answered with 2xx. */
export function createWebhook(queue: UpdateQueue): Webhook {
  let settings: Settings | null = null;
  let lastError: { atMs: number; message: string } | null = null;
  let running = new AbortController();
  let busyLanes = new Set<number>();
  const pump = (): void => {
    if (!settings) return;
    for (const item of queue.pending()) {
      if (busyLanes.size >= settings.maxConnections) return;
      if (busyLanes.has(item.lane)) continue;
      busyLanes.add(item.lane);
      void deliver(item, settings, running.signal, busyLanes);
    }
  };
  const deliver = async (item: PendingUpdate, to: Settings, stopped: AbortSignal, lanes: Set<number>) => {
    for (let retryMs = shortestRetryMs; !stopped.aborted; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      const trouble = await post(item, to, stopped);
      if (stopped.aborted) return;
      if (trouble === null) {
        queue.remove(item.update.update_id);
        break;
      }
      lastError = { atMs: Date.now(), message: trouble };
      await pause(retryMs, stopped);
    }
    lanes.delete(item.lane);
    pump();
  };
  queue.onPush(pump);
  const clear = (): void => {
    running.abort();
    running = new AbortController();
    busyLanes = new Set();
    settings = null;
    lastError = null;
  };
  return {
    set: (wanted) => {
      clear();
      settings = wanted;
      pump();
    },
    clear,
    settings: () => settings,
    lastError: () => lastError,
  };
}

/** Null if accepted, otherwise the error message for getWebhookInfo. */
async function post({ update }: PendingUpdate, to: Settings, stopped: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(to.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(to.secretToken !== null && { 'x-telegram-bot-api-secret-token': to.secretToken }),
      },
      body: JSON.stringify(update),
      signal: AbortSignal.any([stopped, AbortSignal.timeout(answerWithinMs)]),
    });
    await answer.arrayBuffer();
    return answer.ok ? null : `Wrong response from the webhook: ${answer.status} ${answer.statusText}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'Read timeout expired' : 'Connection refused';
  }
}

function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    stopped.addEventListener('abort', done);
  });
}
