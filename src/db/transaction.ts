import type { Kysely, Transaction } from 'kysely';

import { onceMore } from './deadlock.ts';
import type { Database } from './schema.ts';

/** A transaction of the product's database: stores take it as their first argument where things must happen together. */
export type Trx = Transaction<Database>;

/** What `work` writes is kept as a whole or not at all. After a deadlock it runs once more: it writes nowhere but in the transaction. */
export const transact = <T>(db: Kysely<Database>, work: (trx: Trx) => Promise<T>): Promise<T> =>
  onceMore(() => db.transaction().execute(work));
