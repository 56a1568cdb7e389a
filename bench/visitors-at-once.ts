import type { BusyWorld } from './busy-world.ts';
import { keepBusy } from './keep-busy.ts';
import { atLeast, atMost, median, type Row } from './row.ts';
import { load } from './wrk.ts';

interface Crowd {
  /** Each has one connection and comes again as soon as it was answered (a closed loop): the process has all the work it can do. */
  readonly visitorCount: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** A burst in each busy round. */
  readonly messages: number;
}

/** Issue figure: p99 of the page with 1,000 visitors at once, while a burst and a sweep run, at most twice that without them. */
export const visitorsAtOnce = async (world: BusyWorld, url: string, crowd: Crowd): Promise<Row[]> => {
  const { visitorCount, rounds, roundSeconds, messages } = crowd;
  const quiet: number[] = [];
  const busy: number[] = [];
  let [delivered, swept] = [0, 0];
  await load(url, roundSeconds, visitorCount);
  for (let number = 0; number < rounds; number += 1) {
    quiet.push((await load(url, roundSeconds, visitorCount)).p99Ms);
    const work = keepBusy(world, messages);
    busy.push((await load(url, roundSeconds, visitorCount)).p99Ms);
    const done = await work.soFar();
    delivered += done.delivered;
    swept += done.swept;
    await work.end();
  }
  // The median of the rounds: a pause of the machine is one round's.
  const [idleMs, busyMs] = [median(quiet), median(busy)];
  return [
    atMost(
      `${visitorCount} at once on /rockfolio: p99 while a burst and a sweep run against idle`,
      busyMs / idleMs,
      2,
      '',
      `${idleMs.toFixed(1)}, then ${busyMs.toFixed(1)} ms`,
    ),
    atLeast('messages delivered meanwhile', delivered, rounds),
    atLeast('servers swept meanwhile', swept, rounds),
  ];
};
