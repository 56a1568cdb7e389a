import { type Kysely, sql } from 'kysely';

import type { AttemptStore } from '../ports.ts';
import type { AuthTables } from './tables.ts';

/** The port on PostgreSQL: every copy of the product counts in the same rows. */
export function createAttemptStore(db: Kysely<AuthTables>): AttemptStore {
  return {
    count: async (keys, windowMs, at) => {
      const endsAt = new Date(at.getTime() + windowMs);
      // A window that ends further ahead than any of ours is that of a clock which was set back since: nobody waits for a year.
      const latest = new Date(endsAt.getTime() + windowMs);
      const isOver = sql<boolean>`(login_attempts.window_ends_at <= ${at} or login_attempts.window_ends_at > ${latest})`;
      // In one order for everybody, so that two statements never wait for each other.
      const ordered = [...keys].sort((one, other) => Buffer.compare(one, other));
      const rows = await db
        .insertInto('login_attempts')
        .values(ordered.map((key) => ({ key, attempts: 1, window_ends_at: endsAt })))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            attempts: sql<number>`case when ${isOver} then 1 else login_attempts.attempts + 1 end`,
            window_ends_at: sql<Date>`case when ${isOver} then excluded.window_ends_at else login_attempts.window_ends_at end`,
          }),
        )
        .returningAll()
        .execute();
      return keys.map((key) => {
        const row = rows.find((each) => Buffer.compare(each.key, key) === 0);
        return { attempts: row?.attempts ?? 1, endsAt: row?.window_ends_at ?? endsAt };
      });
    },
    read: async (key, at) => {
      const row = await db
        .selectFrom('login_attempts')
        .selectAll()
        .where('key', '=', key)
        .where('window_ends_at', '>', at)
        .executeTakeFirst();
      return row === undefined ? null : { attempts: row.attempts, endsAt: row.window_ends_at };
    },
    forgive: async (keys) => {
      if (keys.length === 0) return;
      // Locked in the same order as they are counted: by bytes.
      await sql`
        with held as (select key from login_attempts where key = any(${[...keys]}::bytea[]) order by key for no key update)
        update login_attempts l set attempts = greatest(l.attempts - 1, 0) from held where l.key = held.key`.execute(
        db,
      );
    },
  };
}
