import { draftEvents, readTypes, reportedTypes, saleTypes } from '../core/activity-draft.ts';
import { cursorAfter, progressAfterPast, readSince } from '../core/read-window.ts';
import type {
  ActivityPage,
  ActivityPageQuery,
  ActivityReading,
  ActivityRow,
  ActivitySource,
  Clock,
  ReadProgress,
} from '../ports.ts';

export interface ActivityReaderDeps {
  readonly source: ActivitySource;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

/** What one collection's poll reads. Throws Unavailable. */
export interface ActivityReader {
  /** Everything since the last poll, oldest first, at most 20 pages. */
  readNews(marketId: string, progress: ReadProgress, stop?: AbortSignal): Promise<ActivityReading>;
  /** The first sight: the newest day or 200 events, and the latest sale whenever it was. */
  readPast(marketId: string, stop?: AbortSignal): Promise<ActivityReading>;
}

const pageRows = 50;
const pagesMax = 20;
/** More rows of one moment than 20 pages hold: stopping in the middle of the moment gains nothing. */
const pagesOfOneMomentMax = 200;
const pastPagesMax = 4;
const pastMs = 24 * 3_600_000;
const beginningOfTime = new Date(0);

export function createActivityReader({ source, clock, log }: ActivityReaderDeps): ActivityReader {
  const seenTypes = new Set<string>();

  const noteOthers = (types: readonly string[]): void => {
    for (const type of types) {
      // The words are untrusted: neither the log nor the memory of them may grow without end.
      if (seenTypes.has(type) || seenTypes.size >= 100) continue;
      seenTypes.add(type);
      log.warn({ type }, 'The marketplace reports an unknown kind of activity; it is left out');
    }
  };

  const reading = (
    pages: readonly ActivityPage[],
    since: Date,
    progress: ActivityReading['progress'],
  ): ActivityReading => {
    const { drafts, otherTypes } = draftEvents(rowsOf(pages), since);
    noteOthers(otherTypes);
    const unreadableCount = pages.reduce((sum, page) => sum + page.unreadableCount, 0);
    if (unreadableCount > 0) log.warn({ unreadableCount }, 'Some rows of the marketplace could not be read');
    const now = pages.findLast((page) => page.collection !== null)?.collection ?? null;
    return { now, listedCount: pages.at(-1)?.listedCount ?? null, drafts, progress };
  };

  return {
    readNews: async (marketId, progress, stop) => {
      const since = readSince(progress, clock.now());
      const query = { marketId, types: readTypes, since, limit: pageRows, order: 'oldest-first' } as const;
      const pages: ActivityPage[] = [await source.readPage({ ...query, offset: 0 }, stop)];
      while (isFull(pages.at(-1)) && !isEnough(pages, since)) {
        pages.push(await source.readPage({ ...query, offset: pages.length * pageRows }, stop));
      }
      const cursorAt = cursorAfter(progress.cursorAt, rowsOf(pages), clock.now());
      return reading(pages, since, { knownFrom: progress.knownFrom, cursorAt, isBehind: isFull(pages.at(-1)) });
    },

    readPast: async (marketId, stop) => {
      const query = { marketId, types: reportedTypes, since: beginningOfTime, limit: pageRows } as const;
      const pages: ActivityPage[] = [];
      while (pages.length === 0 || (isFull(pages.at(-1)) && pages.length < pastPagesMax && !coversADay(pages))) {
        const offset = pages.length * pageRows;
        pages.push(await source.readPage({ ...query, offset, order: 'newest-first' }, stop));
      }
      const progress = progressAfterPast(rowsOf(pages), !isFull(pages.at(-1)), clock.now());
      const sale = await readLatestSale(source, { ...query, offset: 0, order: 'newest-first' }, pages, stop);
      return reading([...sale, ...pages], beginningOfTime, progress);
    },
  };
}

function rowsOf(pages: readonly ActivityPage[]): readonly ActivityRow[] {
  return pages.flatMap(({ rows }) => rows);
}

function isFull(page: ActivityPage | undefined): boolean {
  return page !== undefined && page.rowCount >= pageRows;
}

function isEnough(pages: readonly ActivityPage[], since: Date): boolean {
  const hasMoved = rowsOf(pages).some(({ happenedAt }) => happenedAt > since);
  return pages.length >= (hasMoved ? pagesMax : pagesOfOneMomentMax);
}

function coversADay(pages: readonly ActivityPage[]): boolean {
  const times = rowsOf(pages).map(({ happenedAt }) => happenedAt.getTime());
  return times.length > 0 && Math.max(...times) - Math.min(...times) >= pastMs;
}

/** `/test` posts the latest real sale, which may be older than everything that was read. */
async function readLatestSale(
  source: ActivitySource,
  query: ActivityPageQuery,
  pages: readonly ActivityPage[],
  stop?: AbortSignal,
): Promise<readonly ActivityPage[]> {
  const isKnown = rowsOf(pages).some(({ type }) => saleTypes.includes(type));
  if (isKnown || !isFull(pages.at(-1))) return [];
  return [await source.readPage({ ...query, types: saleTypes, limit: 1 }, stop)];
}
