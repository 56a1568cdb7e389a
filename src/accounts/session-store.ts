import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';
import type { SessionLife } from './core/session-rules.ts';

type Db = Kysely<Database>;

export type SessionStore = ReturnType<typeof createSessionStore>;

interface NewSession {
  readonly tokenHash: Uint8Array;
  readonly userId: string;
  /** In words; null: the browser did not say. */
  readonly browser: string | null;
  /** When a second factor was given; null: the account has none. */
  readonly confirmedAt: Date | null;
}

/** Sessions by the hash of their token. */
export const createSessionStore = (db: Db) => ({ ...sessionRows(db), ...endings });

const sessionRows = (db: Db) => ({
  add: async (trx: Trx, session: NewSession, life: SessionLife) => {
    await trx
      .insertInto('sessions')
      .values({ ...session, createdAt: life.lastSeenAt, ...life })
      .execute();
  },
  find: async (tokenHash: Uint8Array) => {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select(['users.id', 'username', 'rights', 'lastSeenAt', 'idleExpiresAt', 'expiresAt', 'confirmedAt'])
      .select((row) => [
        row
          .exists(row.selectFrom('secondFactors').select('secondFactors.id').whereRef('userId', '=', 'users.id'))
          .as('hasSecondFactor'),
      ])
      .where('tokenHash', '=', tokenHash)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { id, username, rights, confirmedAt, hasSecondFactor, ...life } = row;
    return { user: { id, username, rights }, life, confirmedAt, hasSecondFactor: hasSecondFactor === true };
  },
  noteSeen: async (tokenHash: Uint8Array, life: SessionLife) => {
    await db.updateTable('sessions').set(life).where('tokenHash', '=', tokenHash).execute();
  },
  /** False: the session has ended. */
  noteConfirmed: async (trx: Trx, tokenHash: Uint8Array, at: Date): Promise<boolean> => {
    const noted = trx.updateTable('sessions').set({ confirmedAt: at }).where('tokenHash', '=', tokenHash);
    return (await noted.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
  },
  /** Sessions that have not expired, most recently used first. */
  ofUser: (userId: string, at: Date) =>
    db
      .selectFrom('sessions')
      .select(['id', 'tokenHash', 'browser', 'createdAt', 'lastSeenAt'])
      .where('userId', '=', userId)
      .where('idleExpiresAt', '>', at)
      .orderBy('lastSeenAt', 'desc')
      .orderBy('id', 'desc')
      .execute(),
});

/** A session ends in the same transaction as the change that ends it. */
const endings = {
  /** Returns the session's user; undefined: there was no such session. */
  remove: (trx: Trx, tokenHash: Uint8Array) =>
    trx
      .deleteFrom('sessions')
      .using('users')
      .whereRef('users.id', '=', 'sessions.userId')
      .where('tokenHash', '=', tokenHash)
      .returning(['users.id', 'users.username', 'users.rights'])
      .executeTakeFirst(),
  /** undefined: this user has no session with that id. */
  removeOne: (trx: Trx, userId: string, id: string) =>
    trx
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('id', '=', id)
      .returning(['browser', 'createdAt'])
      .executeTakeFirst(),
  /** Returns how many it ended. */
  removeOthers: async (trx: Trx, userId: string, tokenHash: Uint8Array) => {
    const ended = await trx
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('tokenHash', '!=', tokenHash)
      .executeTakeFirst();
    return Number(ended.numDeletedRows);
  },
  /** Returns how many it ended. Logins that wait for their second step end too. */
  removeAllOf: async (trx: Trx, userId: string) => {
    await trx.deleteFrom('factorChallenges').where('userId', '=', userId).execute();
    const ended = await trx.deleteFrom('sessions').where('userId', '=', userId).executeTakeFirst();
    return Number(ended.numDeletedRows);
  },
};
