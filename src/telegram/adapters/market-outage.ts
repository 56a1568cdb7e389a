import { type Kysely, sql } from 'kysely';

import type { CollectionTracking } from '../ports.ts';
import type { TelegramTables } from './tables.ts';

/** Why nothing is read although nothing is wrong with the collection itself (the codes of Unavailable). */
const outageReasons: ReadonlySet<string> = new Set([
  'network',
  'timeout',
  'rate-limited',
  'upstream-error',
  'malformed-answer',
  'repeated-cursor',
  'breaker-open',
]);

/** What groups that have the bot follow and what is not read, all of it in two queries. */
export const readMarketOutage =
  (db: Kysely<TelegramTables>, tracking: Pick<CollectionTracking, 'tracked'>) =>
  async (): Promise<{ readonly since: Date; readonly collectionCount: number } | null> => {
    const { rows } = await sql<{ id: string }>`
      select distinct conf.tracked_collection_id as id
      from telegram_configurations conf join telegram_chats chat using (chat_id)
      where conf.deleted_at is null and chat.removed_at is null`.execute(db);
    if (rows.length === 0) return null;
    const collections = [...(await tracking.tracked(rows.map(({ id }) => BigInt(id)))).values()];
    const failing = collections
      .flatMap(({ failingSince }) => failingSince ?? [])
      .filter(({ reason }) => outageReasons.has(reason));
    const [first] = failing.map(({ at }) => at).toSorted((one, other) => one.getTime() - other.getTime());
    return first === undefined ? null : { since: first, collectionCount: failing.length };
  };
