import type { ActivityRow, ReadProgress } from '../ports.ts';

const minuteMs = 60_000;
/** Indexers insert late: this much before the newest event is read again with every poll … */
const overlapMs = 10 * minuteMs;
/** … and this much with every twentieth. */
const deepOverlapMs = 60 * minuteMs;
const deepEvery = 20n;
/** Before a collection without any event, clocks are believed to this extent. */
const clockSlackMs = 60 * minuteMs;
/** An event dated further ahead of our clock is reported, but never moves the cursor, which cannot go back. */
const futureMaxMs = 24 * 60 * minuteMs;

/**
 * From when on the next poll reads, by the marketplace's clock. Ours may be wrong or jump: it can only make a poll read more, so
 * that one event dated ahead of time hides none that comes before it. A collection that is behind goes on where it ended, because
 * reading the overlap again might fill the whole poll again.
 */
export function readSince(progress: ReadProgress, now: Date): Date {
  return new Date(Math.max(wantedSinceMs(progress, now), progress.knownFrom?.getTime() ?? 0));
}

function wantedSinceMs({ cursorAt, isBehind, pollCount }: ReadProgress, now: Date): number {
  if (cursorAt === null) return 0;
  if (isBehind) return cursorAt.getTime();
  const backMs = pollCount % deepEvery === deepEvery - 1n ? deepOverlapMs : overlapMs;
  return Math.min(cursorAt.getTime(), now.getTime()) - backMs;
}

/** The newest event seen, among those that are not dated in the far future. Never goes back. */
export function cursorAfter(cursorAt: Date | null, rows: readonly ActivityRow[], now: Date): Date | null {
  const latestMs = now.getTime() + futureMaxMs;
  let newest = cursorAt;
  for (const { happenedAt } of rows) {
    if (happenedAt.getTime() <= latestMs && (newest === null || happenedAt > newest)) newest = happenedAt;
  }
  return newest;
}

/**
 * Where reading begins after the first sight. `rows` are the newest, `isAll` when there are no older ones. At the time of
 * the oldest one there may be more rows than were read, so it begins just after it.
 */
export function progressAfterPast(
  rows: readonly ActivityRow[],
  isAll: boolean,
  now: Date,
): Pick<ReadProgress, 'knownFrom' | 'cursorAt' | 'isBehind'> {
  const cursorAt = cursorAfter(null, rows, now);
  if (cursorAt === null) {
    // Rulings R4: the first sight is now. An empty past may be an indexer's mistake and must not be reported later.
    const start = new Date(now.getTime() - clockSlackMs);
    return { knownFrom: start, cursorAt: start, isBehind: false };
  }
  const oldestMs = Math.min(...rows.map(({ happenedAt }) => happenedAt.getTime()));
  return { knownFrom: isAll ? null : new Date(oldestMs + 1), cursorAt, isBehind: false };
}
