import type { Insertable, Kysely, Updateable } from 'kysely';

import type { Database } from '../db/schema.ts';
import type { Trx } from '../db/transaction.ts';

type Db = Kysely<Database>;

/** `id` is a decimal number. */
export type User = Pick<Account, 'id' | 'username' | 'rights'>;
export type Account = NonNullable<Awaited<ReturnType<UserStore['find']>>>;
export type UserStore = ReturnType<typeof createUserStore>;
export type AttemptStore = ReturnType<typeof createAttemptStore>;

export const createUserStore = (db: Db) => ({
  find: (usernameKey: string) =>
    db.selectFrom('users').selectAll().where('usernameKey', '=', usernameKey).executeTakeFirst(),
  byId: (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
  /** The account cannot change before the transaction ends. */
  findLocked: (trx: Trx, by: { readonly usernameKey: string } | { readonly id: string }) =>
    trx
      .selectFrom('users')
      .selectAll()
      .where((row) => row.and(by))
      .forUpdate()
      .executeTakeFirst(),
  /** Sorted by name. */
  list: () => db.selectFrom('users').selectAll().orderBy('usernameKey').execute(),
  /** undefined: the name is taken. */
  add: (trx: Trx, user: Omit<Insertable<Database['users']>, 'createdAt' | 'updatedAt'>, at: Date) =>
    trx
      .insertInto('users')
      .values({ ...user, createdAt: at, updatedAt: at })
      .onConflict((conflict) => conflict.column('usernameKey').doNothing())
      .returning(['id', 'username', 'rights'])
      .executeTakeFirst(),
  update: async (
    trx: Trx,
    id: string,
    change: Pick<Updateable<Database['users']>, 'passwordHash' | 'rights'>,
    at: Date,
  ) => {
    await trx
      .updateTable('users')
      .set({ ...change, updatedAt: at })
      .where('id', '=', id)
      .execute();
  },
  noteSignIn: async (trx: Trx, id: string, at: Date) => {
    await trx.updateTable('users').set({ lastSignedInAt: at }).where('id', '=', id).execute();
  },
  /** Removes the account's sessions and second factors too. */
  remove: async (trx: Trx, id: string) => {
    await trx.deleteFrom('users').where('id', '=', id).execute();
  },
  /** How many full admins there are, locked: the number cannot fall before the transaction ends. */
  countAdmins: async (trx: Trx) => {
    // In one order for all callers, so that two at once wait instead of deadlocking.
    const admins = await trx
      .selectFrom('users')
      .select('id')
      .where('rights', '=', 'admin')
      .orderBy('id')
      .forUpdate()
      .execute();
    return admins.length;
  },
});

/** Attempts in the open window, and when it ends. */
interface Attempts {
  readonly attempts: number;
  readonly endsAt: Date;
}

/** Counts sign-in attempts. A window begins with its first attempt; later ones do not extend it. */
export const createAttemptStore = (db: Db) => ({
  count: async (key: Uint8Array, windowMs: number, at: Date): Promise<Attempts> => {
    const endsAt = new Date(at.getTime() + windowMs);
    // A window that ends later than that was opened before the clock was set back: it counts as over.
    const latest = new Date(endsAt.getTime() + windowMs);
    return db
      .insertInto('loginAttempts')
      .values({ key, attempts: 1, windowEndsAt: endsAt })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((row) => {
          const isOver = row.or([
            row('loginAttempts.windowEndsAt', '<=', at),
            row('loginAttempts.windowEndsAt', '>', latest),
          ]);
          const ends = row.ref('loginAttempts.windowEndsAt');
          const newEnds = row.ref('excluded.windowEndsAt');
          return {
            attempts: row
              .case()
              .when(isOver)
              .then(1)
              .else(row('loginAttempts.attempts', '+', 1))
              .end(),
            windowEndsAt: row.case().when(isOver).then(newEnds).else(ends).end(),
          };
        }),
      )
      .returning(['attempts', 'windowEndsAt as endsAt'])
      .executeTakeFirstOrThrow();
  },
  /** null: no open window. */
  read: async (key: Uint8Array, at: Date): Promise<Attempts | null> => {
    const row = await db
      .selectFrom('loginAttempts')
      .select(['attempts', 'windowEndsAt as endsAt'])
      .where('key', '=', key)
      .where('windowEndsAt', '>', at)
      .executeTakeFirst();
    return row ?? null;
  },
  /** Takes one attempt back for each key: it was the owner. In turn, so that no lock on one counter is held while waiting for another. */
  forgive: async (keys: readonly Uint8Array[]) => {
    for (const key of keys) {
      await db
        .updateTable('loginAttempts')
        .set((row) => ({ attempts: row.fn('greatest', [row('attempts', '-', 1), row.lit(0)]) }))
        .where('key', '=', key)
        .execute();
    }
  },
});
