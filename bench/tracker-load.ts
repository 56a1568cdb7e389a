import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../tests/support/until.ts';
import { peakResidentMb, processorSeconds } from './process-usage.ts';
import { atMost, median, quantile, type Row } from './row.ts';
import { type Delivered, makeThingsHappen, readDelivered } from './tracker-events.ts';
import { startTrackerWorld, type TrackerWorld } from './tracker-world.ts';

const collectionCount = 1_000;
const groupsEach = 10;
/** 150 s: every collection is polled three times at least. */
const events = { count: 120, everyMs: 1_250 };
/** Rulings R1: polled every 30 to 45 s. A poll may be this much later for delays inside the product. */
const lateMaxSeconds = 2;
const pollMaxSeconds = 45;

/**
 * Issue figures: 10,000 groups on 1,000 collections in one process of the product cost at most 300 MB and, for each collection, two
 * marketplace requests a minute; an event reaches the last of ten groups within a second of the poll that found it.
 */
export const benchTrackerLoad = async (): Promise<Row[]> => {
  const world = await startTrackerWorld(collectionCount, groupsEach);
  const { product } = world;
  try {
    // The first polls read the past; after them the steady state begins.
    await until('every collection was read once', async () => (await unreadCount(world)) === 0, 120_000);
    await delay(5_000);
    await product.control('/control/telegram/reset-counters');
    const [startMs, startCpu] = [Date.now(), processorSeconds(product.process.pid)];
    const happenings = await makeThingsHappen(world, events);
    // The last events still have to be polled and delivered.
    await delay(10_000);
    const minutes = (Date.now() - startMs) / 60_000;
    const cpuSeconds = (processorSeconds(product.process.pid) - startCpu) / minutes;
    const delivered = await readDelivered(world, happenings);
    const { refusals } = (await product.observe('/control/telegram/counters')) as { refusals: Record<string, number> };
    return [
      ...pollRows(world, startMs, minutes),
      ...deliveredRows(delivered),
      atMost('messages that Telegram refused with 429', refusals['429'] ?? 0, 0),
      atMost('memory resident at most, the product alone', peakResidentMb(product.process.pid), 300, ' MB'),
      {
        what: 'processor time a minute, the product alone',
        measured: `${cpuSeconds.toFixed(1)} s`,
        target: '',
        ok: true,
      },
    ];
  } finally {
    await world.stop();
  }
};

const unreadCount = async ({ pool }: TrackerWorld): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from tracked_collections where seeded_at is null',
  );
  return rows[0]?.count ?? collectionCount;
};

const deliveredRows = ({ delaysMs, wrongCount }: Delivered): Row[] => [
  atMost(
    `an event's poll answer to its last of ${groupsEach} messages, p99`,
    quantile(delaysMs, 0.99) / 1_000,
    1,
    ' s',
    `${delaysMs.length} events, median ${median(delaysMs) / 1_000} s`,
  ),
  atMost('groups that got no message, or more than one', wrongCount, 0),
];

const pollRows = (world: TrackerWorld, startMs: number, minutes: number): Row[] => {
  const inTime = world.market.requests.filter(({ atMs }) => atMs >= startMs);
  return [
    atMost(
      `marketplace requests a minute, ${collectionCount} collections and the site`,
      inTime.length / minutes,
      2 * collectionCount,
    ),
    atMost(
      'longest time between two polls',
      longestGapMs(world, startMs) / 1_000,
      pollMaxSeconds + lateMaxSeconds,
      ' s',
    ),
  ];
};

/** Over all collections, including the gap at the start and the one still open at the end. */
const longestGapMs = ({ market: { requests }, collections }: TrackerWorld, startMs: number): number => {
  const endMs = Date.now();
  const polls = Map.groupBy(requests, ({ marketId }) => marketId);
  const longest = collections.map(({ marketId }) => {
    const times = [...(polls.get(marketId) ?? []).map(({ atMs }) => atMs), endMs];
    const gaps = times.slice(1).map((atMs, index) => (atMs >= startMs ? atMs - (times[index] ?? atMs) : 0));
    return gaps.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...gaps);
  });
  return Math.max(...longest);
};
