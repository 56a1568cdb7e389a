import type { Insertable, Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { excluded } from '../../db/expressions.ts';

export type FactorStore = ReturnType<typeof createFactorStore>;
export type Factor = Awaited<ReturnType<FactorStore['ofUser']>>[number];

export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: string;
  readonly transports: readonly string[];
}
interface NewAuthenticator {
  readonly sealedSecret: Uint8Array;
  /** The 30-second step of the code that proved it: that code is used up. */
  readonly lastStep: string;
}
type NewFactor = ({ readonly kind: 'passkey' } & NewPasskey) | ({ readonly kind: 'authenticator' } & NewAuthenticator);

/** Second factors and recovery codes. Callers lock the account's row before a change, so that the last factor is recognized reliably. */
export const createFactorStore = (db: Kysely<Database>) => ({ ...factorRows(db), ...recoveryCodeRows(db) });

const factorRows = (db: Kysely<Database>) => ({
  /** In the order they were added. */
  ofUser: (userId: string, within: Kysely<Database> = db) =>
    within.selectFrom('secondFactors').selectAll().where('userId', '=', userId).orderBy('id').execute(),
  /** By account. */
  ofAll: async () =>
    Map.groupBy(await db.selectFrom('secondFactors').selectAll().orderBy('id').execute(), ({ userId }) => userId),
  /** undefined: that passkey is already registered. */
  add: (trx: Trx, userId: string, name: string, factor: NewFactor, at: Date) =>
    trx
      .insertInto('secondFactors')
      .values({ ...factor, userId, name, createdAt: at })
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .returningAll()
      .executeTakeFirst(),
  remove: async (trx: Trx, id: string) => {
    await trx.deleteFrom('secondFactors').where('id', '=', id).execute();
  },
  removeAllOf: async (trx: Trx, userId: string) => {
    await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
    return trx.deleteFrom('secondFactors').where('userId', '=', userId).returning(['kind', 'name']).execute();
  },
  /** False: a code of this or a later 30-second step was already used. */
  useStep: async (trx: Trx, id: string, step: number, at: Date) => {
    const used = await trx
      .updateTable('secondFactors')
      .set({ lastStep: String(step), lastUsedAt: at })
      .where('id', '=', id)
      .where('lastStep', '<', String(step))
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  },
  /** False: the counter has moved on meanwhile. Passkeys without a counter always send 0. */
  usePasskey: async (trx: Trx, id: string, counter: number, at: Date) => {
    const used = await trx
      .updateTable('secondFactors')
      .set({ counter: String(counter), lastUsedAt: at })
      .where('id', '=', id)
      .where((row) => row.or([row('counter', '<', String(counter)), row(row.val(counter), '=', 0)]))
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  },
});

const recoveryCodeRows = (db: Kysely<Database>) => ({
  recoveryCodeHash: async (userId: string, handle: string) => {
    const row = await db
      .selectFrom('recoveryCodes')
      .select('codeHash')
      .where('userId', '=', userId)
      .where('handle', '=', handle)
      .executeTakeFirst();
    return row?.codeHash ?? null;
  },
  /** False: it was used, or replaced, meanwhile. */
  useRecoveryCode: async (trx: Trx, userId: string, handle: string) => {
    const used = await trx
      .deleteFrom('recoveryCodes')
      .where('userId', '=', userId)
      .where('handle', '=', handle)
      .executeTakeFirst();
    return used.numDeletedRows > 0n;
  },
  countRecoveryCodes: async (userId: string, within: Kysely<Database> = db) => {
    const { count } = await within
      .selectFrom('recoveryCodes')
      .select((row) => row.fn.countAll<string>().as('count'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
  /** Replaces all existing codes. */
  setRecoveryCodes: async (trx: Trx, userId: string, codes: readonly { handle: string; codeHash: string }[]) => {
    await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
    if (codes.length === 0) return;
    await trx
      .insertInto('recoveryCodes')
      .values(codes.map((code) => ({ ...code, userId })))
      .execute();
  },
});

export type ChallengeStore = ReturnType<typeof createChallengeStore>;
export type OpenChallenge = NonNullable<Awaited<ReturnType<ChallengeStore['takeAnswer']>>>;

/** How long a challenge can be answered, and how often: after that, the person has to start again. */
export const challengeOpenMs = 5 * 60_000;
const mostAnswers = 5;

/** Open challenges, by the hash of the token that the browser holds. */
export const createChallengeStore = (db: Kysely<Database>) => ({
  /** Replaces an earlier challenge with the same hash. */
  put: async (trx: Kysely<Database>, challenge: Omit<Insertable<Database['factorChallenges']>, 'attempts'>) => {
    await trx
      .insertInto('factorChallenges')
      .values({ ...challenge, attempts: 0 })
      .onConflict((conflict) =>
        conflict
          .column('tokenHash')
          .doUpdateSet(excluded('userId', 'passkeyChallenge', 'sealedSecret', 'attempts', 'expiresAt')),
      )
      .execute();
  },
  /** null: there is none, it has expired, or its answers are used up. */
  find: async (tokenHash: Uint8Array, at: Date) =>
    (await db
      .selectFrom('factorChallenges')
      .select('userId')
      .where('tokenHash', '=', tokenHash)
      .where('expiresAt', '>', at)
      .where('attempts', '<', mostAnswers)
      .executeTakeFirst()) ?? null,
  /** Counts one answer before it is checked, so that parallel answers all count. null: as with `find`. */
  takeAnswer: async (tokenHash: Uint8Array, at: Date) =>
    (await db
      .updateTable('factorChallenges')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('tokenHash', '=', tokenHash)
      .where('expiresAt', '>', at)
      .where('attempts', '<', mostAnswers)
      .returning(['userId', 'passkeyChallenge', 'sealedSecret'])
      .executeTakeFirst()) ?? null,
  /** False: it was answered meanwhile. */
  end: async (trx: Trx, tokenHash: Uint8Array) => {
    const ended = await trx.deleteFrom('factorChallenges').where('tokenHash', '=', tokenHash).executeTakeFirst();
    return ended.numDeletedRows > 0n;
  },
});
