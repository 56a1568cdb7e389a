import type { Kysely, Transaction } from 'kysely';

import type { Database } from './schema.ts';

/** A transaction of the product's database: stores take it as their first argument where things must happen together. */
export type Trx = Transaction<Database>;

/** What `work` writes is kept as a whole or not at all. After a deadlock it runs once more: it writes nowhere but in the transaction. */
export const transact = <T>(db: Kysely<Database>, work: (trx: Trx) => Promise<T>): Promise<T> =>
  onceMore(() => db.transaction().execute(work));

/** PostgreSQL's manual, Appendix A: two transactions waited for each other, and this one was ended. */
const deadlockState = '40P01';

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === deadlockState) || (error.cause !== undefined && isDeadlock(error.cause)));

/** Runs a whole transaction once more after a deadlock: the other one is through by then. Throws what the second run throws. */
export async function onceMore<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return transaction();
  }
}
