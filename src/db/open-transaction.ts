import type { Kysely, Transaction } from 'kysely';

import type { OpenTransaction } from '../shared/open-transaction.ts';

/** Lends a transaction to another capability, which may write its own rows and cannot end it. */
export const openTransaction = <Tables>(transaction: Transaction<Tables>): OpenTransaction => transaction;

/** The borrowed transaction, as the tables of the capability that writes in it see it. */
export const transactionOf = <Tables>(opened: OpenTransaction): Kysely<Tables> => opened as unknown as Kysely<Tables>;
