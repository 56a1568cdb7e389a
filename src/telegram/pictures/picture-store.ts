import { createHash } from 'node:crypto';

import type { Kysely } from 'kysely';

import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Picture } from '../send/message.ts';

type Db = Kysely<Database>;

/** The picture as Telegram has it; null: none, or a try failed lately; undefined: it must be uploaded. */
export async function knownPicture(db: Db, imageUrl: string | null): Promise<Picture | undefined> {
  if (imageUrl === null) return null;
  const row = await db
    .selectFrom('telegramImages')
    .select(['fileId', (eb) => eb('tryAgainAt', '>', databaseNow).as('isFailing')])
    .where('imageUrlHash', '=', hashOf(imageUrl))
    .executeTakeFirst();
  if (row?.isFailing === true) return null;
  return typeof row?.fileId === 'string' ? { kind: 'file-id', fileId: row.fileId } : undefined;
}

export const rememberFileId = (db: Db, imageUrl: string, fileId: string): Promise<void> =>
  note(db, imageUrl, { fileId, failure: null, tryAgainAt: null });

export const forgetFileId = (db: Db, imageUrl: string): Promise<void> =>
  note(db, imageUrl, { fileId: null, failure: null, tryAgainAt: null });

/** Messages go without the picture until then. */
export const rememberFailure = (db: Db, imageUrl: string, failure: string, againAfterMs: number): Promise<void> =>
  note(db, imageUrl, { fileId: null, failure, tryAgainAt: databaseNowPlus(againAfterMs) });

interface Noted {
  readonly fileId: string | null;
  readonly failure: string | null;
  readonly tryAgainAt: typeof databaseNow | null;
}

async function note(db: Db, imageUrl: string, noted: Noted): Promise<void> {
  const row = { ...noted, updatedAt: databaseNow };
  await db
    .insertInto('telegramImages')
    .values({ imageUrlHash: hashOf(imageUrl), ...row })
    .onConflict((conflict) => conflict.column('imageUrlHash').doUpdateSet(row))
    .execute();
}

const hashOf = (imageUrl: string): Buffer => createHash('sha256').update(imageUrl, 'utf8').digest();
