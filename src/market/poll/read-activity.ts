import type { MarketCall } from '../../sources/tradeport/market-call.ts';
import { type ActivityQuery, type MarketActivity, readActivity } from '../../sources/tradeport/activity.ts';
import type { MarketAction, MarketCollection } from '../../sources/tradeport/rows.ts';
import {
  cursorAfter,
  draftEvents,
  type EventDraft,
  type ProgressAfter,
  progressAfterPast,
  type ReadProgress,
  readSince,
  readTypes,
  reportedTypes,
  saleTypes,
} from '../core/activity-rules.ts';

/** What one poll has read, to be stored in one transaction. */
export interface ActivityReading {
  /** null: it could not be read. */
  readonly collection: MarketCollection | null;
  readonly listedCount: number | null;
  /** Oldest first. */
  readonly drafts: readonly EventDraft[];
  readonly progress: ProgressAfter;
}

export interface ReadActivityDeps {
  readonly market: MarketCall;
  readonly clock: { now(): Date };
  readonly log: { warn(details: object, message: string): void };
}

const pageRows = 50;
const pagesMax = 20;
/** For one moment with more rows than 20 pages hold: the next poll would have to begin with the same moment. */
const pagesOfOneMomentMax = 200;
const pastRowsMax = 200;
const pastMs = 24 * 3_600_000;
const beginningOfTime = new Date(0);

/** Everything since the last poll, oldest first, at most 20 pages. Throws Unavailable. */
export async function readNews(
  deps: ReadActivityDeps,
  marketId: string,
  progress: ReadProgress,
  stop?: AbortSignal,
): Promise<ActivityReading> {
  const since = readSince(progress);
  const query = { marketId, types: readTypes, since, order: 'oldest-first' } as const;
  const pages = await readPages(deps, query, (read) => isEnough(read, since), stop);
  const isBehind = hasMore(pages);
  const cursorAt = cursorAfter({ ...progress, isBehind }, actionsOf(pages), deps.clock.now());
  return readingOf(deps, pages, since, { knownFrom: progress.knownFrom, cursorAt, isBehind });
}

/** The first sight: the newest day or 200 events, and the latest sale whenever it was. Throws Unavailable. */
export async function readPast(deps: ReadActivityDeps, marketId: string, stop?: AbortSignal): Promise<ActivityReading> {
  const query = { marketId, types: reportedTypes, since: beginningOfTime, order: 'newest-first' } as const;
  const pages = await readPages(deps, query, (read) => rowsOf(read) >= pastRowsMax || coversADay(read), stop);
  const isAll = !hasMore(pages);
  const progress = progressAfterPast(actionsOf(pages), isAll, deps.clock.now());
  // `/test` posts the latest real sale, which may be older than everything that was read.
  const hasSale = isAll || actionsOf(pages).some(({ type }) => saleTypes.includes(type));
  const saleQuery = { ...query, types: saleTypes, offset: 0, limit: 1 };
  const sale = hasSale ? [] : [await readActivity(deps.market, saleQuery, stop)];
  return readingOf(deps, [...sale, ...pages], beginningOfTime, progress);
}

/** Reads at least one page, and more until there are none left or `areEnough` says so. */
async function readPages(
  { market }: ReadActivityDeps,
  query: Omit<ActivityQuery, 'offset' | 'limit'>,
  areEnough: (pages: readonly MarketActivity[]) => boolean,
  stop?: AbortSignal,
): Promise<readonly MarketActivity[]> {
  const pages: MarketActivity[] = [];
  do {
    pages.push(await readActivity(market, { ...query, offset: rowsOf(pages), limit: pageRows }, stop));
  } while (hasMore(pages) && !areEnough(pages));
  return pages;
}

function readingOf(
  { log }: ReadActivityDeps,
  pages: readonly MarketActivity[],
  since: Date,
  progress: ProgressAfter,
): ActivityReading {
  const unreadableCount = pages.reduce((sum, page) => sum + page.unreadableCount, 0);
  if (unreadableCount > 0) log.warn({ unreadableCount }, 'Some rows of the marketplace could not be read');
  const collection = pages.findLast((page) => page.collection !== null)?.collection ?? null;
  const listedCount = pages.at(-1)?.listedCount ?? null;
  return { collection, listedCount, drafts: draftEvents(actionsOf(pages), since), progress };
}

const actionsOf = (pages: readonly MarketActivity[]): readonly MarketAction[] =>
  pages.flatMap(({ actions }) => actions);

const hasMore = (pages: readonly MarketActivity[]): boolean => pages.at(-1)?.hasMore === true;

const rowsOf = (pages: readonly MarketActivity[]): number => pages.reduce((sum, { rowCount }) => sum + rowCount, 0);

function isEnough(pages: readonly MarketActivity[], since: Date): boolean {
  const hasMoved = actionsOf(pages).some(({ happenedAt }) => happenedAt > since);
  return pages.length >= (hasMoved ? pagesMax : pagesOfOneMomentMax);
}

function coversADay(pages: readonly MarketActivity[]): boolean {
  const times = actionsOf(pages).map(({ happenedAt }) => happenedAt.getTime());
  return times.length > 0 && Math.max(...times) - Math.min(...times) >= pastMs;
}
