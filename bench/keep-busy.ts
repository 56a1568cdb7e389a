import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../tests/support/until.ts';
import type { BusyWorld } from './busy-world.ts';

/** The database serves the visitors too: checking for the end of the work must not load it. */
const checkEveryMs = 500;
const workWithinMs = 60_000;

const calmly = (sentence: string, holds: () => Promise<boolean>): Promise<void> =>
  until(sentence, async () => (await holds()) || delay(checkEveryMs, false), workWithinMs);

export interface Work {
  /** Done so far: messages delivered, and servers of which all members were swept. */
  soFar(): Promise<{ delivered: number; swept: number }>;
  /** Starts no further sweep, waits until all work is done and returns how many sweeps of all servers there were. */
  end(): Promise<number>;
}

/** Sends a burst and sweeps all servers again and again. */
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
