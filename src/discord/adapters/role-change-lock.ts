import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

const nameOf = (guildId: string): string => `discord role changes of ${guildId}`;

/**
 * For whoever queues or drops role changes of members they hold: until the transaction ends, nobody touches all of the server's at
 * once. Taken after the members and before the first row of `discord_actions`, so that nobody waits in a circle.
 */
export async function shareRoleChanges(trx: Kysely<Database>, guildId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${nameOf(guildId)}, 0))`.execute(trx);
}

/** For whoever touches all that waits in a server at once: nobody else queues or drops any there until the transaction ends. */
export async function holdRoleChanges(trx: Kysely<Database>, guildId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(guildId)}, 0))`.execute(trx);
}
