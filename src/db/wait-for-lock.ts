import { type Kysely, sql } from 'kysely';

/** From here to the end of the transaction no other one holds the lock of that name. */
export async function waitForLock<Tables>(trx: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
