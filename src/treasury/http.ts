import type { Route, RouteAnswer } from '../server/route.ts';
import { treasuryBalanceAnswer, treasuryHistoryAnswer, treasuryHistoryQuery } from './contract.ts';
import type { TreasurySnapshot } from './contract.ts';
import { exportFileName, snapshotCsv, snapshotJson } from './core/snapshot-export.ts';
import type { TreasuryHistory } from './history.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

/** Specification 7 and rulings R3. Before the first snapshot a reader waits for it so long, then is told. */
const firstSnapshotWaitMs = 10_000;

const notReadYet: RouteAnswer = {
  status: 503,
  body: { message: 'The treasury has not been read yet. Please try again in a minute.', code: 'treasury-not-read-yet' },
};

export function treasuryRoutes(served: ServedSnapshot, history: TreasuryHistory): readonly Route[] {
  const withSnapshot = async (answer: (snapshot: TreasurySnapshot) => RouteAnswer): Promise<RouteAnswer> => {
    await served.whenReady(firstSnapshotWaitMs);
    const snapshot = served.snapshot();
    return snapshot === null ? notReadYet : answer(snapshot);
  };

  return [
    {
      method: 'GET',
      path: '/api/treasury/balance',
      access: 'public',
      summary: 'The last good snapshot of the treasury, with the age, source and state of every figure',
      answer: treasuryBalanceAnswer,
      handle: () => withSnapshot((snapshot) => ({ status: 200, body: { data: snapshot } })),
    },
    {
      method: 'GET',
      path: '/api/treasury/history',
      access: 'public',
      summary: 'Value over time: one point an hour, oldest first, USD',
      query: treasuryHistoryQuery,
      answer: treasuryHistoryAnswer,
      handle: async ({ query }) => {
        const { days } = treasuryHistoryQuery.parse(query);
        return { status: 200, body: { data: { points: await history.points(days) } } };
      },
    },
    {
      method: 'GET',
      path: '/api/treasury/export.csv',
      access: 'public',
      summary: 'The snapshot as a CSV file',
      answer: 'raw',
      handle: () =>
        withSnapshot((snapshot) => ({
          status: 200,
          raw: snapshotCsv(snapshot),
          contentType: 'text/csv; charset=utf-8',
          fileName: exportFileName(snapshot, 'csv'),
        })),
    },
    {
      method: 'GET',
      path: '/api/treasury/export.json',
      access: 'public',
      summary: 'The snapshot as a JSON file',
      answer: 'raw',
      handle: () =>
        withSnapshot((snapshot) => ({
          status: 200,
          raw: snapshotJson(snapshot),
          contentType: 'application/json; charset=utf-8',
          fileName: exportFileName(snapshot, 'json'),
        })),
    },
  ];
}
