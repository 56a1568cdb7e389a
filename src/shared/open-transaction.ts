declare const opened: unique symbol;

/**
 * A transaction of the product's one database that a caller has begun and will commit. Pure code and ports pass it on
 * without being able to use it; adapters open it with `transactionOf` (db/open-transaction.ts).
 */
export interface OpenTransaction {
  readonly [opened]: true;
}
