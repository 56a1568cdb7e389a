import type { Kysely } from 'kysely';

import { openTransaction } from '../../platform/database/open-transaction.ts';
import type { Transactions } from '../ports.ts';
import type { AuthTables } from './tables.ts';

/** The port on PostgreSQL. */
export const createTransactions = (db: Kysely<AuthTables>): Transactions => ({
  run: (work) => db.transaction().execute((transaction) => work(openTransaction(transaction))),
});
