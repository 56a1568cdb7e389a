import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../tests/support/until.ts';
import type { BusyWorld } from './busy-world.ts';

/** The database answers visitors, too: looking whether the work is over must not be work. */
const lookEveryMs = 500;
const workWithinMs = 60_000;

const calmly = (sentence: string, holds: () => Promise<boolean>): Promise<void> =>
  until(sentence, async () => (await holds()) || delay(lookEveryMs, false), workWithinMs);

export interface Work {
  /** What was done by now: messages delivered, and servers of which all members were swept. */
  soFar(): Promise<{ delivered: number; swept: number }>;
  /** Begins no further sweep, waits until all is done, and answers how many sweeps of all servers there were. */
  end(): Promise<number>;
}

/** A burst, and one sweep of all servers after the other. */
export const keepBusy = (world: BusyWorld, messages: number): Work => {
  const over = new AbortController();
  let sweeps = 0;
  const work = (async (): Promise<void> => {
    await world.enqueue(messages);
    while (!over.signal.aborted) {
      await world.beginSweep();
      await calmly('all are swept', async () => (await world.unsweptCount()) === 0);
      sweeps += 1;
    }
    await calmly('all is delivered', async () => (await world.unsentCount()) === 0);
  })();
  return {
    soFar: async () => ({
      delivered: messages - (await world.unsentCount()),
      swept: (sweeps + 1) * world.serverCount - (await world.unsweptCount()),
    }),
    end: async () => {
      over.abort();
      await work;
      return sweeps;
    },
  };
};
