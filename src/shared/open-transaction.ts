declare const opened: unique symbol;

/**
 * A transaction of the product's one database that somebody else has begun and will commit. Pure code and ports hand it
 * on without being able to look inside; adapters open it with `transactionOf` (platform/database/open-transaction.ts).
 */
export interface OpenTransaction {
  readonly [opened]: true;
}
