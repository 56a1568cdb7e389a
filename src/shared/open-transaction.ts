/**
 * A transaction of the product's one database that a caller has begun and will commit (db/transaction.ts), as pure code
 * and contracts pass it on: without being able to use it.
 */
export interface OpenTransaction {
  readonly isTransaction: true;
}
