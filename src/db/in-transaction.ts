import type { Kysely, Transaction } from 'kysely';

import type { OpenTransaction } from '../shared/open-transaction.ts';
import { onceMore } from './transaction.ts';
import { openTransaction } from './open-transaction.ts';

/** What `work` writes is kept as a whole or not at all. After a deadlock it runs once more: it writes nowhere but in the transaction. */
export const inTransaction = <Tables, T>(
  db: Kysely<Tables>,
  work: (opened: OpenTransaction, transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> =>
  onceMore(() => db.transaction().execute((transaction) => work(openTransaction(transaction), transaction)));
