import { createHash } from 'node:crypto';

import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

/** Which pictures Telegram has, and which failed lately. */
export const createPictureStore = (db: Kysely<Database>) => {
  const note = async (imageUrl: string, columns: Partial<PictureRow>): Promise<void> => {
    const row = { fileId: null, failure: null, tryAgainAt: null, ...columns, updatedAt: sql<Date>`clock_timestamp()` };
    await db
      .insertInto('telegramImages')
      .values({ imageUrlHash: hashOf(imageUrl), ...row })
      .onConflict((conflict) => conflict.column('imageUrlHash').doUpdateSet(row))
      .execute();
  };
  return {
    rememberFileId: (imageUrl: string, fileId: string) => note(imageUrl, { fileId }),
    /** Messages go without the picture until then. */
    rememberFailure: (imageUrl: string, failure: string, againAfterMs: number) =>
      note(imageUrl, {
        failure,
        tryAgainAt: sql<Date>`clock_timestamp() + ${againAfterMs}::float8 * interval '1 millisecond'`,
      }),
    forgetFileId: async (imageUrl: string): Promise<void> => {
      await db
        .updateTable('telegramImages')
        .set({ fileId: null, updatedAt: sql<Date>`clock_timestamp()` })
        .where('imageUrlHash', '=', hashOf(imageUrl))
        .execute();
    },
    /** `isFailing`: a recent try failed. */
    read: async (imageUrl: string) => {
      const row = await db
        .selectFrom('telegramImages')
        .select(['fileId', sql<boolean>`coalesce(try_again_at > clock_timestamp(), false)`.as('isFailing')])
        .where('imageUrlHash', '=', hashOf(imageUrl))
        .executeTakeFirst();
      return row ?? { fileId: null, isFailing: false };
    },
  };
};
export type PictureStore = ReturnType<typeof createPictureStore>;

interface PictureRow {
  readonly fileId: string | null;
  readonly failure: string | null;
  readonly tryAgainAt: ReturnType<typeof sql<Date>>;
}

const hashOf = (imageUrl: string): Buffer => createHash('sha256').update(imageUrl, 'utf8').digest();
