import type { Kysely } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import type { Transactions } from '../ports.ts';
import type { AuthTables } from './tables.ts';

/** The port on PostgreSQL. */
export const createTransactions = (db: Kysely<AuthTables>): Transactions => ({
  run: (work) => inTransaction(db, work),
});
