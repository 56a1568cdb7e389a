import { type Kysely, sql } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { SessionLife } from '../core/session-life.ts';
import type { SessionStore } from '../ports.ts';
import type { AuthTables } from './tables.ts';

/** Browsers of one account; the one that signed in longest ago goes first. */
const mostSessions = 20;

const lifeColumns = ({ lastSeenAt, idleExpiresAt, expiresAt }: SessionLife) => ({
  last_seen_at: lastSeenAt,
  idle_expires_at: idleExpiresAt,
  expires_at: expiresAt,
});

/** The port on PostgreSQL. */
export function createSessionStore(db: Kysely<AuthTables>): SessionStore {
  return {
    add: async (tokenHash, userId, life, transaction) => {
      const trx = transactionOf<AuthTables>(transaction);
      await sql`
        delete from sessions where token_hash in (
          select token_hash from sessions where user_id = ${userId} order by created_at desc offset ${mostSessions - 1}
        )`.execute(trx);
      await trx
        .insertInto('sessions')
        .values({ token_hash: tokenHash, user_id: userId, created_at: life.lastSeenAt, ...lifeColumns(life) })
        .execute();
    },
    find: async (tokenHash) => {
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['users.id', 'username', 'is_admin', 'last_seen_at', 'idle_expires_at', 'expires_at'])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      if (row === undefined) return null;
      const life = { lastSeenAt: row.last_seen_at, idleExpiresAt: row.idle_expires_at, expiresAt: row.expires_at };
      return { user: { id: row.id, username: row.username, isAdmin: row.is_admin }, life };
    },
    noteSeen: async (tokenHash, life) => {
      await db.updateTable('sessions').set(lifeColumns(life)).where('token_hash', '=', tokenHash).execute();
    },
    remove: async (tokenHash, transaction) => {
      const removed = await transactionOf<AuthTables>(transaction)
        .deleteFrom('sessions')
        .using('users')
        .whereRef('users.id', '=', 'sessions.user_id')
        .where('token_hash', '=', tokenHash)
        .returning(['users.id', 'users.username', 'users.is_admin'])
        .executeTakeFirst();
      return removed === undefined ? null : { id: removed.id, username: removed.username, isAdmin: removed.is_admin };
    },
    removeAllOf: async (userId, transaction) => {
      await transactionOf<AuthTables>(transaction).deleteFrom('sessions').where('user_id', '=', userId).execute();
    },
  };
}
