import { type Kysely, type Transaction, sql } from 'kysely';

import type { Database } from './schema.ts';

/** A transaction of the product's database: stores take it where changes must happen together. */
export type Trx = Transaction<Database>;

/**
 * Runs `work` in one transaction. After a deadlock all of it runs once more, as the other transaction has ended by then, so it must
 * write only within the transaction (docs/decisions/0028). Throws what the last run throws.
 */
export async function transact<T>(db: Kysely<Database>, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return db.transaction().execute(work);
  }
}

/** PostgreSQL's manual, Appendix A: two transactions waited for each other, and this one was ended. */
const deadlockState = '40P01';

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === deadlockState) || (error.cause !== undefined && isDeadlock(error.cause)));

/** Waits for the lock of that name, which this transaction then holds until it ends. */
export async function waitForLock<Tables>(trx: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
