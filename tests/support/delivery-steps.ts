import type { ActivityEvent } from '../../src/market/contract.ts';
import type { Trx } from '../../src/db/transaction.ts';
import { someNft } from './activity-events.ts';
import type { Delivering } from './delivering.ts';
import { until } from './until.ts';

/** Steps shared by delivery tests; `delivering` returns the current test's scene. */
export const deliverySteps = (delivering: () => Delivering) => ({
  drained: () => until('no message waits any more', () => delivering().isDrained()),
  /** The same, skipping all pauses. */
  drainedInNoTime: () =>
    until('no message waits any more', async () => {
      await delivering().timePasses();
      return delivering().isDrained();
    }),
  sql: <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    delivering().database.rows<Row>(text, values),
  inTransaction: <T>(work: (trx: Trx) => Promise<T>): Promise<T> => delivering().db.transaction().execute(work),
});

/** Sales without pictures a second apart, the last one a second ago. */
export const sales = (count: number, given: Partial<ActivityEvent> = {}): Partial<ActivityEvent>[] =>
  Array.from({ length: count }, (_none, index) => ({
    ...someNft(index + 1, { nftImageUrl: null }),
    happenedAt: new Date(Date.now() - (count - index) * 1_000),
    ...given,
  }));
