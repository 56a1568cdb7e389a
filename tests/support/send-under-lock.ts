import { createSessionLock } from '../../src/db/session-lock.ts';
import { silentLog } from '../../src/db/outage.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Messaging } from '../../src/telegram/messaging.ts';

/** Sends only while this copy holds the bot's lock on that database, as in production. May be started again. */
export function sendUnderLock({ send }: Pick<Messaging, 'send'>, url: string) {
  const open = () => createSessionLock({ url, name: 'telegram bot', onHeld: send, log: silentLog });
  let lock: ReturnType<typeof open> | null = null;
  return {
    start: (): void => {
      if (lock !== null) return;
      lock = open();
      lock.start();
    },
    stop: async (): Promise<void> => {
      const ending = lock;
      lock = null;
      await ending?.stop();
    },
  };
}

export type SendingCopy = Messaging & ReturnType<typeof sendUnderLock>;

/** Adds the job that makes recaps, run by that clock as the engine would. */
export function withRecaps(deliveries: SendingCopy, clock: Clock): SendingCopy {
  let stopped = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = (stop: AbortSignal): void => {
    running = deliveries.recaps
      .run({}, stop)
      .catch(() => {})
      .then(() => {
        return stop.aborted ? null : clock.after(30_000, () => run(stop));
      });
  };
  return {
    ...deliveries,
    start: () => {
      deliveries.start();
      stopped = new AbortController();
      run(stopped.signal);
    },
    stop: async () => {
      stopped.abort();
      await Promise.all([running, deliveries.stop()]);
    },
  };
}
