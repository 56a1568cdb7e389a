import { setTimeout as delay } from 'node:timers/promises';

import type { BusyWorld } from './busy-world.ts';
import { keepBusy } from './keep-busy.ts';
import { atLeast, atMost, quantile, type Row } from './row.ts';
import type { VisitAnswer } from './visitor-load.ts';
import { startVisitors } from './visitors-process.ts';

interface Crowd {
  readonly visitorCount: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** The burst in each busy round. */
  readonly messages: number;
}

/** After one crowd has been served, the bots get this time before the next one. */
const betweenCrowdsMs = 500;

/** Issue figure: p99 of the page with 1,000 visitors at the same moment, while a burst and a sweep run, at most twice that without them. */
export const visitorsAtOnce = async (world: BusyWorld, url: string, crowd: Crowd): Promise<Row[]> => {
  const { visitorCount, rounds, roundSeconds, messages } = crowd;
  const visitors = startVisitors();
  const come = (): Promise<VisitAnswer> =>
    visitors.visit({ visitorCount, visitsPerSecond: Number.MAX_SAFE_INTEGER, visits: visitorCount, urls: [url] });
  const crowds = async (): Promise<VisitAnswer[]> => {
    const answers: VisitAnswer[] = [];
    for (const endMs = performance.now() + roundSeconds * 1_000; performance.now() < endMs;) {
      answers.push(await come());
      await delay(betweenCrowdsMs);
    }
    return answers;
  };
  try {
    await crowds();
    const quiet: VisitAnswer[] = [];
    const busy: VisitAnswer[] = [];
    let [delivered, swept] = [0, 0];
    for (let number = 0; number < rounds; number += 1) {
      quiet.push(...(await crowds()));
      const work = keepBusy(world, messages);
      busy.push(...(await crowds()));
      const done = await work.soFar();
      delivered += done.delivered;
      swept += done.swept;
      await work.end();
    }
    const [idleMs, busyMs] = [p99(quiet), p99(busy)];
    return [
      atMost(
        `${visitorCount} at once on /rockfolio: p99 while a burst and a sweep run against idle`,
        busyMs / idleMs,
        2,
        '',
        `${idleMs.toFixed(1)}, then ${busyMs.toFixed(1)} ms; ${busy.length} crowds`,
      ),
      atMost('calls of these crowds that failed', failures(quiet) + failures(busy), 0),
      atLeast('messages delivered meanwhile', delivered, rounds * 0.9 * messages),
      atLeast('servers swept meanwhile', swept, rounds),
    ];
  } finally {
    visitors.stop();
  }
};

const failures = (answers: readonly VisitAnswer[]): number => answers.reduce((sum, { failed }) => sum + failed, 0);

const p99 = (answers: readonly VisitAnswer[]): number =>
  quantile(
    answers.flatMap(({ tookMs }) => tookMs.flat()),
    0.99,
  );
