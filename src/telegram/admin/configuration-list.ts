import { type Kysely, sql } from 'kysely';

import type { CollectionTracking, TrackedCollection } from '../../market/contract.ts';
import type { TelegramTables } from '../tables.ts';
import { muteTrouble, topicTrouble } from '../commands/texts/topic-texts.ts';
import { shownOptions } from '../configs/configuration-fields.ts';
import { configurationOf, type ConfigurationRow } from '../configs/configuration-row.ts';
import { keptForDays } from '../configs/configuration-store.ts';
import type { TelegramConfiguration } from '../contract.ts';

type Listed = ConfigurationRow & {
  readonly title: string;
  readonly removed_at: Date | null;
  readonly trouble: string | null;
  readonly can_send_messages: boolean;
  readonly topic_id: string | null;
  readonly topic_state: 'open' | 'closed' | 'gone';
  readonly last_event_at: Date | null;
  readonly last_sent_at: Date | null;
  readonly pending_count: string;
  readonly failed_count: string;
  readonly doubtful_count: string;
};

/** Which rows to list; `id` finds deleted ones as well. */
type Which =
  { readonly kind: 'present' } | { readonly kind: 'deleted' } | { readonly kind: 'one'; readonly id: string };

/** Configurations as the admin calls return them: one query, and one for the collections that they track. */
export function createConfigurationList(db: Kysely<TelegramTables>, tracking: Pick<CollectionTracking, 'tracked'>) {
  const read = async (which: Which): Promise<TelegramConfiguration[]> => {
    const { rows } = await listed(which).execute(db);
    const ids = [...new Set(rows.map((row) => row.tracked_collection_id))].map(BigInt);
    const collections = ids.length === 0 ? new Map<bigint, TrackedCollection>() : await tracking.tracked(ids);
    return rows.map((row) => answerOf(row, collections.get(BigInt(row.tracked_collection_id))));
  };
  return {
    present: () => read({ kind: 'present' }),
    /** Restorable ones. */
    deleted: () => read({ kind: 'deleted' }),
    one: async (id: string): Promise<TelegramConfiguration | null> => (await read({ kind: 'one', id }))[0] ?? null,
  };
}
export type ConfigurationList = ReturnType<typeof createConfigurationList>;

const conditions = {
  present: () => sql`c.deleted_at is null order by c.id`,
  deleted: () =>
    sql`c.deleted_at > clock_timestamp() - ${keptForDays} * interval '1 day' order by c.deleted_at desc, c.id desc`,
};

/**
 * Each part below has an index of its own, and none grows with past messages: naming the chat beside the configuration
 * makes PostgreSQL read all of them.
 */
const listed = (which: Which) => sql<Listed>`
  select c.*, chat.title, chat.removed_at, chat.trouble, chat.can_send_messages, chat.topic_id, chat.topic_state,
    (select happened_at from telegram_messages m where m.configuration_id = c.id
      and happened_at is not null order by m.id desc limit 1) as last_event_at,
    (select sent_at from telegram_messages m where m.configuration_id = c.id
      and state = 'sent' order by m.id desc limit 1) as last_sent_at,
    (select count(*) from telegram_messages m where m.chat_id = c.chat_id and m.configuration_id = c.id
      and state in ('pending', 'sending')) as pending_count,
    (select count(*) from telegram_messages m where m.chat_id = c.chat_id and m.configuration_id = c.id
      and state = 'failed') as failed_count,
    (select count(*) from telegram_messages m where m.configuration_id = c.id and is_doubtful) as doubtful_count
  from telegram_configurations c join telegram_chats chat on chat.chat_id = c.chat_id
  where ${which.kind === 'one' ? sql`c.id = ${which.id}` : conditions[which.kind]()}`;

const keptForMs = keptForDays * 86_400_000;

function answerOf(row: Listed, collection: TrackedCollection | undefined): TelegramConfiguration {
  const endsFrom = row.deleted_at ?? row.removed_at;
  return {
    id: row.id,
    chatId: row.chat_id,
    collectionName: row.collection_name,
    collectionId: row.collection_id,
    hexCollectionId: row.hex_collection_id,
    maxSupply: row.max_supply === null ? null : Number(row.max_supply),
    trackMint: row.track_mint,
    trackSales: row.track_sales,
    trackListings: row.track_listings,
    trackBids: row.track_bids,
    options: shownOptions(configurationOf(row)),
    mintStats: { mintedCount: Number(row.minted_count) },
    version: row.version,
    chatTitle: row.title,
    ...chatFareOf(row),
    purgeAt: endsFrom === null ? null : new Date(endsFrom.getTime() + keptForMs).toISOString(),
    deletedAt: timeText(row.deleted_at),
    source: sourceOf(collection),
    lastEventAt: timeText(row.last_event_at),
    lastSentAt: timeText(row.last_sent_at),
    pendingCount: Number(row.pending_count),
    failedCount: Number(row.failed_count),
    doubtfulCount: Number(row.doubtful_count),
  };
}

const chatFareOf = (row: Listed): Pick<TelegramConfiguration, 'chatState' | 'trouble'> => {
  const topic = row.topic_id === null || row.topic_state === 'open' ? null : topicTrouble[row.topic_state];
  const trouble = row.trouble ?? (row.can_send_messages ? topic : muteTrouble);
  return { chatState: row.removed_at !== null ? 'removed' : trouble === null ? 'ok' : 'trouble', trouble };
};

const sourceOf = (collection: TrackedCollection | undefined): TelegramConfiguration['source'] => ({
  lastCheckedAt: timeText(collection?.lastCheckedAt ?? null),
  lastSucceededAt: timeText(collection?.lastSucceededAt ?? null),
  failure: collection?.failingSince?.reason ?? null,
});

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;
