import { type Kysely, sql } from 'kysely';

import type { ConfigurationRules } from './rules/delivery-plan.ts';
import { type RuleColumns, rulesOf } from '../configs/configuration-row.ts';
import type { TelegramTables } from '../tables.ts';

/** A chat to notify about one collection. */
export interface ListeningChat {
  readonly chatId: string;
  readonly configurationId: string;
  readonly topicId: string | null;
  readonly rules: ConfigurationRules;
  /** Since when the group follows this collection, which may have been read for others before. */
  readonly followedSince: Date;
}

interface Row extends RuleColumns {
  readonly id: string;
  readonly chat_id: string;
  readonly topic_id: string | null;
  readonly followed_since: Date;
}

/** Live configurations of a collection whose chat still has the bot. */
export async function readListeningChats(
  trx: Kysely<TelegramTables>,
  trackedCollectionId: bigint,
): Promise<readonly ListeningChat[]> {
  const { rows } = await sql<Row>`
    select conf.id, conf.chat_id, case when chat.topic_state = 'open' then chat.topic_id end as topic_id, track_mint, track_sales, track_listings, track_bids, min_price_mist,
      listings_at_floor_only, quiet_from_minute, quiet_to_minute, time_zone, max_supply, minted_count, conf.followed_since
    from telegram_configurations conf join telegram_chats chat using (chat_id)
    where conf.tracked_collection_id = ${trackedCollectionId} and conf.deleted_at is null and chat.removed_at is null
    order by conf.chat_id`.execute(trx);
  return rows.map((row) => ({
    chatId: row.chat_id,
    configurationId: row.id,
    topicId: row.topic_id,
    rules: rulesOf(row),
    followedSince: row.followed_since,
  }));
}

/** Events already posted or decided, by chat. */
export async function readKnownDeliveries(
  trx: Kysely<TelegramTables>,
  eventIds: readonly bigint[],
): Promise<ReadonlyMap<string, ReadonlySet<bigint>>> {
  const { rows } = await sql<{ chat_id: string; event_ids: string[] }>`
    select chat_id, array_agg(event_id)::text[] as event_ids from telegram_deliveries
    where event_id = any(${eventIds.map(String)}::bigint[]) group by chat_id`.execute(trx);
  return new Map(rows.map(({ chat_id, event_ids }) => [chat_id, new Set(event_ids.map(BigInt))]));
}

/** Which of these events were posted or are queued, by chat. */
export async function readPostedEvents(
  trx: Kysely<TelegramTables>,
  eventIds: readonly bigint[],
): Promise<ReadonlyMap<string, ReadonlySet<bigint>>> {
  if (eventIds.length === 0) return new Map();
  const { rows } = await sql<{ chat_id: string; event_ids: string[] }>`
    select chat_id, array_agg(event_id order by event_id)::text[] as event_ids from telegram_deliveries
    where event_id = any(${eventIds.map(String)}::bigint[]) and dropped_reason is null group by chat_id`.execute(trx);
  return new Map(rows.map(({ chat_id, event_ids }) => [chat_id, new Set(event_ids.map(BigInt))]));
}

/** Includes chats that removed the bot: it may return within 30 days. Not an edit by a person: `version` stays. */
export async function raiseMintedCounts(
  trx: Kysely<TelegramTables>,
  trackedCollectionId: bigint,
  mintCount: number,
): Promise<void> {
  if (mintCount === 0) return;
  await sql`
    update telegram_configurations set minted_count = least(1000000000, minted_count + ${mintCount})
    where tracked_collection_id = ${trackedCollectionId} and deleted_at is null`.execute(trx);
}
