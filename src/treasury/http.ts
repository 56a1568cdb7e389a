import {
  createLazyAnswer,
  type LazyAnswer,
  makeReadyAnswerAside,
  type ReadyAnswer,
} from '../http/ready/ready-answer.ts';
import { defineRoute, type Route, type RouteAnswer } from '../http/route.ts';
import {
  type HistorySpan,
  historySpans,
  treasuryBalanceAnswer,
  treasuryHistoryAnswer,
  treasuryHistoryQuery,
  treasuryTrendAnswer,
  type TreasurySnapshot,
} from './contract.ts';
import { exportFileName, snapshotCsv, snapshotJson } from './core/snapshot-export.ts';
import type { TreasuryHistory } from './history.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

/** How long a request waits for the first snapshot before it is refused (specification 7, rulings R3). */
const firstSnapshotWaitMs = 10_000;

const notReadYet: RouteAnswer = {
  status: 503,
  body: { message: 'The treasury has not been read yet. Please try again in a minute.', code: 'treasury-not-read-yet' },
};

interface TreasuryAnswers {
  readonly served: ServedSnapshot;
  readonly history: TreasuryHistory;
  readonly files: SnapshotFiles;
}

const spanByQuery = new Map<string, HistorySpan>([
  ['', treasuryHistoryQuery.parse({}).days],
  ...historySpans.map((days) => [`days=${days}`, days] as const),
]);

/** Treasury answers are the same for everybody: made once per change, however often they are requested (decision 0004). */
export function treasuryRoutes({ served, history, files }: TreasuryAnswers): readonly Route[] {
  const withSnapshot = (ready: () => Promise<ReadyAnswer> | ReadyAnswer | null) => async (): Promise<RouteAnswer> => {
    const isThere = await served.whenReady(firstSnapshotWaitMs);
    const body = isThere ? await ready() : null;
    return body === null ? notReadYet : { status: 200, ready: body };
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/api/treasury/balance',
      access: 'public',
      summary: 'The last good snapshot of the treasury, with the age, source and state of every figure',
      answer: treasuryBalanceAnswer,
      ready: () => served.body() ?? undefined,
      handle: withSnapshot(() => served.body()),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/treasury/history',
      access: 'public',
      summary: 'Value over the last 1, 7, 30 or 90 days, or since the first transaction, oldest first, USD',
      query: treasuryHistoryQuery,
      answer: treasuryHistoryAnswer,
      ready: (query) => {
        const days = spanByQuery.get(query);
        return days === undefined ? undefined : history.ready(days);
      },
      handle: async ({ query }) => ({ status: 200, ready: await history.body(query.days) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/treasury/trend',
      access: 'public',
      summary: 'How the value changed in 24 hours, 7 and 30 days: what moved in or out, and the rest; one value a day',
      answer: treasuryTrendAnswer,
      ready: () => history.trend.ready(),
      handle: async () => ({ status: 200, ready: await history.trend.whenReady() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/treasury/export.csv',
      access: 'public',
      summary: 'The snapshot as a CSV file',
      answer: 'raw',
      ready: () => files.csv.ready(),
      handle: withSnapshot(() => files.csv.whenReady()),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/treasury/export.json',
      access: 'public',
      summary: 'The snapshot as a JSON file',
      answer: 'raw',
      ready: () => files.json.ready(),
      handle: withSnapshot(() => files.json.whenReady()),
    }),
  ];
}

/** Rulings R3: the downloads, each a ready answer of the snapshot that is shown. */
export interface SnapshotFiles {
  readonly csv: LazyAnswer;
  readonly json: LazyAnswer;
}

/** To be asked only once there is a snapshot. */
export function createSnapshotFiles(served: ServedSnapshot): SnapshotFiles {
  const fileOf = (extension: 'csv' | 'json', contentType: string, write: (snapshot: TreasurySnapshot) => string) => {
    const make = async (): Promise<ReadyAnswer> => {
      const snapshot = served.snapshot();
      if (snapshot === null) throw new Error('There is no snapshot to write a file of');
      return makeReadyAnswerAside(write(snapshot), {
        contentType,
        cacheControl: 'no-cache',
        extraHeaders: { 'Content-Disposition': `attachment; filename="${exportFileName(snapshot, extension)}"` },
      });
    };
    return createLazyAnswer(make);
  };
  const files = {
    csv: fileOf('csv', 'text/csv; charset=utf-8', snapshotCsv),
    json: fileOf('json', 'application/json; charset=utf-8', snapshotJson),
  };
  served.onChange(() => {
    files.csv.forget();
    files.json.forget();
  });
  return files;
}
