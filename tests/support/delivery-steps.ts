import type { ActivityEvent } from '../../src/market/contract.ts';
import type { Trx } from '../../src/db/transaction.ts';
import { someNft } from './activity-events.ts';
import type { Delivering } from './delivering.ts';
import { until } from './until.ts';

/** What the stories of deliveries have in common; `delivering` answers that of the test under way. */
export const deliverySteps = (delivering: () => Delivering) => ({
  drained: () => until('nothing waits any more', () => delivering().isDrained()),
  /** The same where how long Telegram is waited for is not the question. */
  drainedInNoTime: () =>
    until('nothing waits any more', async () => {
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
    nft: someNft(index + 1, { imageUrl: null }),
    happenedAt: new Date(Date.now() - (count - index) * 1_000),
    ...given,
  }));
