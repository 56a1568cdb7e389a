import { type BusyWorld, startBusyWorld } from './busy-world.ts';
import { keepBusy } from './keep-busy.ts';
import { atLeast, atMost, quantile, type Row } from './row.ts';
import type { VisitAnswer, VisitRound } from './visitor-load.ts';
import { visitorsAtOnce } from './visitors-at-once.ts';
import { startVisitors } from './visitors-process.ts';
import { startYardstick } from './yardstick.ts';

/**
 * `npm run bench visitors`: 1,000 visitors of the treasury page while the same process sends to 1,000 groups at Telegram's ceiling and
 * sweeps 40 servers × 200 members again and again. Quiet and busy rounds alternate, so that a busy machine affects both.
 * First all visitors at once, then paced: each comes every ten seconds, as on an ordinary day.
 */
const visitorCount = 1_000;
const visitsPerSecond = 100;
/** With `--quick` two. */
const rounds = process.argv.includes('--quick') ? 2 : 6;
const roundSeconds = 10;
const settleSeconds = 5;
const messages = roundSeconds * 30;
const paths = ['/rockfolio', '/api/treasury/balance', '/api/treasury/history?days=7'] as const;

export const benchVisitors = async (): Promise<Row[]> => {
  const world = await startBusyWorld({ groupCount: 1_000, serverCount: 40, memberCount: 200 });
  const origin = world.product.url.replace('localhost', '127.0.0.1');
  try {
    const crowd = { visitorCount, rounds, roundSeconds, messages };
    const atOnceRows = await visitorsAtOnce(world, origin + paths[0], crowd);
    const ofPaced = await visitorsPaced(world, origin);
    const { refusals } = (await world.product.observe('/control/telegram/counters')) as {
      refusals: Record<string, number>;
    };
    return [
      ...atOnceRows,
      ...ofPaced,
      atMost(`deliveries left of ${2 * rounds * messages}`, await world.unsentCount(), 0),
      atMost('answers 429 of a strict Telegram', refusals['429'] ?? 0, 0),
    ];
  } finally {
    await world.stop();
  }
};

/** Each visit also asks a bare server for the same answers: what delays that one is the machine. */
const visitorsPaced = async (world: BusyWorld, origin: string): Promise<Row[]> => {
  const visitors = startVisitors();
  const yardstick = await startYardstick(origin, paths);
  const urls = [origin, yardstick.url].flatMap((server) => paths.map((path) => server + path));
  const round = (seconds: number): VisitRound => ({
    visitorCount,
    visits: seconds * visitsPerSecond,
    visitsPerSecond,
    urls,
  });
  try {
    // Warm-up: every visitor connects, and every path is asked for.
    await visitors.visit(round(visitorCount / visitsPerSecond));
    const quiet: VisitAnswer[] = [];
    const busy: VisitAnswer[] = [];
    let sweeps = 0;
    for (let number = 0; number < rounds; number += 1) {
      await visitors.visit(round(settleSeconds));
      quiet.push(await visitors.visit(round(roundSeconds)));
      const work = keepBusy(world, messages);
      busy.push(await visitors.visit(round(roundSeconds)));
      sweeps += await work.end();
    }
    const failed = [...quiet, ...busy].reduce((sum, answer) => sum + answer.failed, 0);
    return [
      pacedRow(quiet, busy),
      atMost('paced calls that failed', failed, 0),
      atLeast('kept connections, one of each visitor and server', busy.at(-1)?.connections ?? 0, 2 * visitorCount),
      atLeast('sweeps of all 40 servers × 200 members during paced visits', sweeps, rounds),
    ];
  } finally {
    visitors.stop();
    yardstick.stop();
  }
};

/**
 * How much more the three calls slow down than those of the bare server (geometric mean of the three: the p99 of one call depends on
 * sixty answers, and one stall of the machine can cause half of them).
 */
const pacedRow = (quiet: readonly VisitAnswer[], busy: readonly VisitAnswer[]): Row => {
  const calls = paths.map((path, index) => {
    const ours = p99sOf(index, quiet, busy);
    const bare = p99sOf(index + paths.length, quiet, busy);
    const slower = ours.busyMs / ours.idleMs / (bare.busyMs / bare.idleMs);
    return { slower, note: `${path} ${slower.toFixed(2)}: ${inMs(ours)}, bare ${inMs(bare)}` };
  });
  const together = calls.reduce((product, { slower }) => product * slower, 1) ** (1 / calls.length);
  const what = 'paced, page and its two calls: how much slower p99 becomes, against that of a bare server';
  return atMost(what, together, 2, '', calls.map(({ note }) => note).join('; '));
};

interface P99s {
  readonly idleMs: number;
  readonly busyMs: number;
}

const inMs = ({ idleMs, busyMs }: P99s): string => `${idleMs.toFixed(2)} then ${busyMs.toFixed(2)} ms`;

const p99sOf = (index: number, quiet: readonly VisitAnswer[], busy: readonly VisitAnswer[]): P99s => {
  const p99 = (answers: readonly VisitAnswer[]): number =>
    quantile(
      answers.flatMap(({ tookMs }) => tookMs[index] ?? []),
      0.99,
    );
  return { idleMs: p99(quiet), busyMs: p99(busy) };
};
