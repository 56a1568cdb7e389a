import { createHash } from 'node:crypto';

import { type Kysely, sql } from 'kysely';

import { ms } from './send-limits.ts';
import type { TelegramTables } from './tables.ts';

/** As the claim computes it in SQL. */
const hashOf = (imageUrl: string): Buffer => createHash('sha256').update(imageUrl, 'utf8').digest();

export async function rememberFileId(db: Kysely<TelegramTables>, imageUrl: string, fileId: string): Promise<void> {
  await sql`
    insert into telegram_images (image_url_hash, file_id) values (${hashOf(imageUrl)}, ${fileId})
    on conflict (image_url_hash) do update
      set file_id = excluded.file_id, failure = null, try_again_at = null, updated_at = clock_timestamp()`.execute(db);
}

export async function forgetFileId(db: Kysely<TelegramTables>, imageUrl: string): Promise<void> {
  await sql`
    update telegram_images set file_id = null, updated_at = clock_timestamp()
    where image_url_hash = ${hashOf(imageUrl)}`.execute(db);
}

/** The picture is left out until then. */
export async function rememberFailure(
  db: Kysely<TelegramTables>,
  imageUrl: string,
  failure: string,
  againAfterMs: number,
): Promise<void> {
  await sql`
    insert into telegram_images (image_url_hash, failure, try_again_at)
    values (${hashOf(imageUrl)}, ${failure}, clock_timestamp() + ${ms(againAfterMs)})
    on conflict (image_url_hash) do update set file_id = null, failure = excluded.failure,
      try_again_at = excluded.try_again_at, updated_at = clock_timestamp()`.execute(db);
}

/** `isFailing`: it was tried not long ago, and could not be had. */
export async function readFileId(
  db: Kysely<TelegramTables>,
  imageUrl: string,
): Promise<{ readonly fileId: string | null; readonly isFailing: boolean }> {
  const { rows } = await sql<{ file_id: string | null; is_failing: boolean }>`
    select file_id, coalesce(try_again_at > clock_timestamp(), false) as is_failing
    from telegram_images where image_url_hash = ${hashOf(imageUrl)}`.execute(db);
  const [row] = rows;
  return { fileId: row?.file_id ?? null, isFailing: row?.is_failing ?? false };
}
