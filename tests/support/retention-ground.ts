import type { Pool } from 'pg';
import { afterEach, beforeEach } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { eventPurge } from '../../src/market/poll/event-store.ts';
import { guildPurge } from '../../src/discord/servers/guild-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type Purge, purgesOf } from '../../src/retention/purge.ts';
import { eventsInUse } from '../../src/telegram/notify/delivery-listener.ts';
import { telegramPurges } from '../../src/telegram/configs/purges.ts';
import { type TestDatabase, testDatabase } from './database.ts';

/** Every purge of the product, as assembled in `src/main.ts`. */
function allPurges(pool: Pool): readonly Purge[] {
  const database = typedKysely(pool);
  const ports = { activity: { unwatch: async () => {} }, watching: { unwatch: async () => {} } };
  const audit = auditTrail;
  return purgesOf(database, [
    eventPurge(database, { eventsInUse }),
    ...telegramPurges(database, { ...ports, audit }),
    guildPurge(database, { ...ports, audit }),
  ]);
}

/** A database per test, with all the purges. */
export function retentionGround() {
  let database: TestDatabase;
  let purges: readonly Purge[];
  beforeEach(async () => {
    database = await testDatabase();
    purges = allPurges(database.pool);
  });
  afterEach(() => database.drop());
  return {
    database: () => database,
    purges: () => purges,
    rows: <Row extends object>(statement: string, values: readonly unknown[] = []) =>
      database.rows<Row>(statement, values),
    /** Ids as text, sorted. */
    idsIn: async (table: string, id: string): Promise<readonly string[]> =>
      (await database.rows<{ id: string }>(`select ${id}::text as id from ${table} order by 1`)).map((row) => row.id),
  };
}

/** A past time by the database's clock, as SQL. */
export const ago = (days: number): string => `(now() - interval '${days} days')`;
