import type { Kysely, Selectable } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { Account, UserStore } from '../ports.ts';
import type { AuthTables } from './tables.ts';

const toAccount = (row: Selectable<AuthTables['users']>): Account => ({
  id: row.id,
  username: row.username,
  isAdmin: row.is_admin,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
});

/** The port on PostgreSQL. */
export function createUserStore(db: Kysely<AuthTables>): UserStore {
  return {
    find: async (key, transaction) => {
      const query = (transaction === undefined ? db : transactionOf<AuthTables>(transaction))
        .selectFrom('users')
        .selectAll()
        .where('username_key', '=', key);
      const row = await (transaction === undefined ? query : query.forUpdate()).executeTakeFirst();
      return row === undefined ? null : toAccount(row);
    },
    list: async () => (await db.selectFrom('users').selectAll().orderBy('username_key').execute()).map(toAccount),
    add: async ({ username, key, passwordHash, isAdmin }, at, transaction) => {
      const added = await transactionOf<AuthTables>(transaction)
        .insertInto('users')
        .values({
          username,
          username_key: key,
          password_hash: passwordHash,
          is_admin: isAdmin,
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('username_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      return added === undefined ? null : { id: added.id, username, isAdmin };
    },
    update: async (id, { passwordHash, isAdmin }, at, transaction) => {
      await transactionOf<AuthTables>(transaction)
        .updateTable('users')
        .set({
          ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
          ...(isAdmin === undefined ? {} : { is_admin: isAdmin }),
          updated_at: at,
        })
        .where('id', '=', id)
        .execute();
    },
    remove: async (id, transaction) => {
      await transactionOf<AuthTables>(transaction).deleteFrom('users').where('id', '=', id).execute();
    },
    countAdmins: async (transaction) => {
      const admins = await transactionOf<AuthTables>(transaction)
        .selectFrom('users')
        .select('id')
        .where('is_admin', '=', true)
        // In one order for everybody: two of these at once wait for each other instead of blocking each other.
        .orderBy('id')
        .forUpdate()
        .execute();
      return admins.length;
    },
  };
}
