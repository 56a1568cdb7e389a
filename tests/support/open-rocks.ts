import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { failureAnswerFor } from '../../src/http/failure-answer.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createCollections } from '../../src/market/collections.ts';
import { createRocks } from '../../src/market/rocks/rocks.ts';
import { systemClock } from '../../src/process/in-time.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { createImageShrinker } from '../../src/sources/pictures/shrink-image.ts';
import { createMarketCall, type MarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import type { TestDatabase } from './database.ts';
import { askRoute, dataOf } from './route-request.ts';
import { until } from './until.ts';

/** A marketplace that returns fewer rows of the past per page than requested; `rowsMaxOf` limits its first page, its second, and so on. */
function inShortPages(market: MarketCall, rowsMaxOf: (page: number) => number): MarketCall {
  let page = 0;
  return ({ variables, ...query }, stop) => {
    const { limit } = variables;
    if (query.operation !== 'activity' || limit !== 1_000) return market({ ...query, variables }, stop);
    page += 1;
    return market({ ...query, variables: { ...variables, limit: Math.min(limit, rowsMaxOf(page)) } }, stop);
  };
}

interface RockCopyOptions {
  readonly pastRowsMax?: (page: number) => number;
  readonly collectionType?: string;
  readonly clock?: Clock;
  readonly onWarning?: (message: string) => void;
  /** Until then, the node does not answer what a wallet owns. */
  readonly walletsAfter?: Promise<void>;
}

/** The product's rocks as main.ts wires them, on a test's database. */
export function openRocks({ urls, facts }: Sandbox, database: TestDatabase, options: RockCopyOptions = {}) {
  const { pastRowsMax = () => Infinity, collectionType = facts.collectionType, clock = systemClock } = options;
  const log = { ...silentLog, warn: (_details: object, message: string) => options.onWarning?.(message) };
  const jobs = createJobs({ url: database.url, log });
  const shrinker = createImageShrinker();
  const subscribers = new Set<() => void>();
  const sui = createSuiClient({ network: 'mainnet', baseUrl: urls.sui });
  const market = createMarketCall({ url: urls.market, user: facts.marketUser, key: facts.marketKey });
  const deps = {
    sui,
    backgroundSui: {
      ...sui,
      listOwnedObjects: async (...asked: Parameters<typeof sui.listOwnedObjects>) => {
        await options.walletsAfter;
        return sui.listOwnedObjects(...asked);
      },
    },
    marketplace: inShortPages(market, pastRowsMax),
    database: typedKysely(database.pool),
    changes: {
      publish: async () => subscribers.forEach((run) => run()),
      subscribe: (_topic: string, run: () => void) => {
        subscribers.add(run);
        return () => subscribers.delete(run);
      },
    },
    jobs,
    shrinker,
    clock,
    log,
  };
  const config = {
    SUI_NETWORK: 'mainnet',
    COLLECTION_TYPE: collectionType,
    PUBLIC_URL: 'https://rocks.example',
    MARKET_API_URL: urls.market,
    TRACKER_POLL_MIN_MS: 300,
    TRACKER_POLL_MAX_MS: 400,
  } as const;
  const { activity, ownership } = createCollections({ ...deps, config });
  const rocks = createRocks({ ...deps, config, activity, ownership, treasury: () => null });
  return {
    catalog: rocks.catalog,
    routes: rocks.routes,
    sourceReading: rocks.sourceReading,
    load: rocks.start,
    runJobs: () => jobs.start(),
    /** The answer of the call at this path, or its failure. */
    ask: async (path: string, params: Readonly<Record<string, string>> = {}, query: object = {}) => {
      const route = rocks.routes.find((each) => each.path === path);
      if (route === undefined) throw new Error('There is no such call');
      const answer = await askRoute(route, { params, query }).catch((error: Error) => error);
      if (answer instanceof Error) return failureAnswerFor(answer);
      if (!('body' in answer)) throw new Error('The answer has no body');
      if (answer.status !== 200 || route.answer === 'raw') return { status: answer.status, body: answer.body };
      return { status: 200, body: { data: dataOf(route.answer, answer.body) } };
    },
    start: async () => {
      await rocks.start();
      await jobs.start();
      await until('the rocks are read', () => rocks.catalog.areOwnersRead());
    },
    stop: async () => {
      await jobs.stop();
      await rocks.stop();
      await shrinker.stop();
    },
  };
}
