import { createHash } from 'node:crypto';

import type { Kysely } from 'kysely';

import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { createAnswerCache } from '../../process/answer-cache.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { createPictureReader, type PictureSettings, type ReadPicture } from '../../sources/pictures/read-picture.ts';
import type { ImageShrinker } from '../../sources/pictures/shrink-image.ts';
import type { Picture } from './message.ts';

/** While Telegram cannot take a picture, its host is not asked for it at each try. */
const keptMs = 10 * 60_000;
const keptMax = 16;
const againSoonMs = 10 * 60_000;
const againLateMs = 24 * 3_600_000;

/** Prepares pictures from the web for Telegram. Failures are remembered, and messages go without. */
export function createPictures(
  db: Kysely<Database>,
  settings: PictureSettings,
  shrinker: Pick<ImageShrinker, 'shrink'>,
  clock: Pick<Clock, 'now'>,
  log: Logger,
) {
  const kept = createAnswerCache<ReadPicture>(clock, ({ kind }) => (kind === 'read' ? keptMs : 0), keptMax);
  const reader = createPictureReader(settings, shrinker);
  return {
    /** The picture to upload, within a few seconds; null: unusable, or interrupted. Throws database errors. */
    fetch: async (imageUrl: string): Promise<Picture> => {
      const picture = await kept(imageUrl, () => reader.read(imageUrl, 'photo'));
      if (picture.kind === 'read') return { kind: 'bytes', bytes: picture.bytes };
      if (picture.kind === 'interrupted') return null;
      const { reason, host, isPermanent } = picture;
      log.info({ reason, host }, 'A picture is unavailable; its messages are sent without it');
      await rememberFailure(db, imageUrl, isPermanent ? againLateMs : againSoonMs);
      return null;
    },
    /** Interrupts preparations. Pictures may be requested again afterwards. */
    stop: reader.stop,
  };
}
export type Pictures = ReturnType<typeof createPictures>;

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
  note(db, imageUrl, { fileId, tryAgainAt: null });

export const forgetFileId = (db: Db, imageUrl: string): Promise<void> =>
  note(db, imageUrl, { fileId: null, tryAgainAt: null });

/** Messages go without the picture for `againAfterMs`. */
export const rememberFailure = (db: Db, imageUrl: string, againAfterMs: number): Promise<void> =>
  note(db, imageUrl, { fileId: null, tryAgainAt: databaseNowPlus(againAfterMs) });

interface Noted {
  readonly fileId: string | null;
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
