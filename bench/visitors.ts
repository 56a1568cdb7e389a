import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../tests/support/until.ts';
import { type BusyWorld, startBusyWorld } from './busy-world.ts';
import { atLeast, atMost, quantile, type Row } from './row.ts';
import type { VisitAnswer, VisitRound } from './visitor-load.ts';
import { startVisitors } from './visitors-process.ts';
import { startYardstick } from './yardstick.ts';

/**
 * `npm run bench visitors`: 1,000 visitors of the treasury page while the same process tells 1,000 groups at Telegram's ceiling and
 * sweeps 40 servers × 200 members again and again. Quiet and busy rounds take turns, so that a busy machine touches both. Each visit
 * asks a bare server for the same answers as well: whatever delays that one is not the product but the machine that all of them share.
 */
const visitorCount = 1_000;
/** Each comes every ten seconds. As load is paced, p99 is what a visitor waits, not how full a queue can be made. */
const visitsPerSecond = 100;
/** With `--quick` two. */
const rounds = process.argv.includes('--quick') ? 2 : 6;
const roundSeconds = 10;
const settleSeconds = 5;
const perSecondMax = 30;
/** The database answers visitors, too: looking whether the work is over must not be work. */
const lookEveryMs = 500;
const workWithinMs = 60_000;
const paths = ['/rockfolio', '/api/treasury/balance', '/api/treasury/history?days=7'] as const;

/** Issue figure: p99 of the page at most twice that of the idle product. */
export const benchVisitors = async (): Promise<Row[]> => {
  const world = await startBusyWorld({ groupCount: 1_000, serverCount: 40, memberCount: 200 });
  const visitors = startVisitors();
  const origin = world.product.url.replace('localhost', '127.0.0.1');
  const yardstick = await startYardstick(origin, paths);
  const urls = [origin, yardstick.url].flatMap((server) => paths.map((path) => server + path));
  const round = (seconds: number): VisitRound => ({ visitorCount, visitsPerSecond, seconds, urls });
  try {
    // Every visitor connects, every path is warm.
    await visitors.visit(round(visitorCount / visitsPerSecond));
    const quiet: VisitAnswer[] = [];
    const busy: VisitAnswer[] = [];
    let sweeps = 0;
    for (let number = 0; number < rounds; number += 1) {
      await visitors.visit(round(settleSeconds));
      quiet.push(await visitors.visit(round(roundSeconds)));
      const work = keepBusy(world);
      busy.push(await visitors.visit(round(roundSeconds)));
      sweeps += await work.end();
    }
    const sent = rounds * roundSeconds * perSecondMax;
    const { refusals } = (await world.product.observe('/control/telegram/counters')) as {
      refusals: Record<string, number>;
    };
    return [
      ...paths.map((path, index) => pathRow(path, index, quiet, busy)),
      atMost(
        'calls that failed',
        [...quiet, ...busy].reduce((sum, { failed }) => sum + failed, 0),
        0,
      ),
      atLeast('kept connections, one of each visitor and server', busy.at(-1)?.connections ?? 0, 2 * visitorCount),
      atLeast('sweeps of all 40 servers × 200 members meanwhile', sweeps, rounds),
      atMost(`deliveries left of ${sent}`, await world.unsentCount(), 0),
      atMost('answers 429 of a strict Telegram', refusals['429'] ?? 0, 0),
    ];
  } finally {
    visitors.stop();
    yardstick.stop();
    await world.stop();
  }
};

const calmly = (sentence: string, holds: () => Promise<boolean>): Promise<void> =>
  until(sentence, async () => (await holds()) || delay(lookEveryMs, false), workWithinMs);

/** A burst as long as the round at Telegram's ceiling, and one sweep after the other. */
const keepBusy = (world: BusyWorld): { end(): Promise<number> } => {
  const over = new AbortController();
  let sweeps = 0;
  const work = (async (): Promise<void> => {
    await world.enqueue(roundSeconds * perSecondMax);
    while (!over.signal.aborted) {
      await world.beginSweep();
      await calmly('all are swept', async () => (await world.unsweptCount()) === 0);
      sweeps += 1;
    }
    await calmly('all is delivered', async () => (await world.unsentCount()) === 0);
  })();
  return {
    end: async () => {
      over.abort();
      await work;
      return sweeps;
    },
  };
};

const pathRow = (path: string, index: number, quiet: readonly VisitAnswer[], busy: readonly VisitAnswer[]): Row => {
  const ours = p99sOf(index, quiet, busy);
  const bare = p99sOf(index + paths.length, quiet, busy);
  const note = `${inMs(ours)}; a bare server ${(bare.busyMs / bare.idleMs).toFixed(2)}: ${inMs(bare)}`;
  return atMost(`${path}: p99 while a burst and sweeps run against idle`, ours.busyMs / ours.idleMs, 2, '', note);
};

interface P99s {
  readonly idleMs: number;
  readonly busyMs: number;
}

const inMs = ({ idleMs, busyMs }: P99s): string => `${idleMs.toFixed(2)}, then ${busyMs.toFixed(2)} ms`;

const p99sOf = (index: number, quiet: readonly VisitAnswer[], busy: readonly VisitAnswer[]): P99s => {
  const p99 = (answers: readonly VisitAnswer[]): number =>
    quantile(
      answers.flatMap(({ tookMs }) => tookMs[index] ?? []),
      0.99,
    );
  return { idleMs: p99(quiet), busyMs: p99(busy) };
};
