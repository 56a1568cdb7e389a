import type { ColumnType, Generated } from 'kysely';

import type { MessageContent } from './cards/message-content.ts';

/** int8 and numeric travel as decimal strings. */
type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>;
type NullableInt8 = ColumnType<string | null, string | bigint | number | null, string | bigint | number | null>;
type Json<T> = ColumnType<T, string, string>;

/** Row types of migrations/0006-telegram.sql, 0007-telegram-replies.sql, 0008-telegram-inbox.sql and 0025-places-on-their-way.sql. */
export interface TelegramTables {
  telegram_service: {
    only_row: Generated<boolean>;
    wanted: 'active' | 'inactive';
    state: 'inactive' | 'starting' | 'active' | 'failing';
    state_since: Date;
    bot_id: NullableInt8;
    bot_username: string | null;
    last_error: string | null;
    last_error_at: Date | null;
    last_update_at: Date | null;
    webhook_secret: string | null;
  };
  telegram_chats: {
    chat_id: Int8;
    kind: 'private' | 'group' | 'supergroup' | 'channel';
    title: string;
    is_forum: Generated<boolean>;
    topic_id: NullableInt8;
    topic_state: Generated<'open' | 'closed' | 'gone'>;
    bot_status: 'member' | 'administrator' | 'restricted' | 'left' | 'kicked';
    can_send_messages: Generated<boolean>;
    can_send_photos: Generated<boolean>;
    removed_at: Date | null;
    limited_until: Generated<Date>;
    trouble: string | null;
    trouble_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  telegram_configurations: {
    id: Generated<string>;
    chat_id: Int8;
    tracked_collection_id: Int8;
    collection_id: string;
    collection_name: string;
    hex_collection_id: string | null;
    max_supply: NullableInt8;
    track_mint: Generated<boolean>;
    track_sales: Generated<boolean>;
    track_listings: Generated<boolean>;
    track_bids: Generated<boolean>;
    minted_count: ColumnType<string, string | bigint | number | undefined, string | bigint | number>;
    min_price_mist: NullableInt8;
    listings_at_floor_only: Generated<boolean>;
    quiet_from_minute: number | null;
    quiet_to_minute: number | null;
    time_zone: Generated<string>;
    recap_minute: number | null;
    recapped_until: Generated<Date>;
    followed_since: Generated<Date>;
    version: Generated<number>;
    created_by: string;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    deleted_at: Date | null;
    deleted_by: string | null;
  };
  telegram_messages: {
    id: Generated<string>;
    chat_id: Int8;
    configuration_id: NullableInt8;
    topic_id: NullableInt8;
    kind: 'card' | 'folded' | 'digest' | 'recap' | 'notice' | 'test';
    content: Json<MessageContent>;
    event_count: Generated<number>;
    state: Generated<'pending' | 'sending' | 'sent' | 'failed' | 'dropped'>;
    attempts: Generated<number>;
    form: Generated<'full' | 'without-picture' | 'plain'>;
    retried_at: Date | null;
    is_doubtful: Generated<boolean>;
    reason: string | null;
    platform_message_id: NullableInt8;
    happened_at: Date | null;
    running_key: string | null;
    running_until: Date | null;
    created_at: Generated<Date>;
    sent_at: Date | null;
  };
  telegram_deliveries: {
    chat_id: Int8;
    event_id: Int8;
    message_id: NullableInt8;
    dropped_reason: string | null;
    is_held: Generated<boolean>;
    created_at: Generated<Date>;
  };
  telegram_images: {
    image_url_hash: Buffer;
    file_id: string | null;
    failure: string | null;
    try_again_at: Date | null;
    updated_at: Generated<Date>;
  };
  telegram_setups: {
    chat_id: Int8;
    started_by: Int8;
    topic_id: NullableInt8;
    collection_id: string;
    found: Json<unknown>;
    step: 'confirm-replace' | 'confirm-supply' | 'enter-supply';
    prompt_message_id: NullableInt8;
    expires_at: Date;
  };
  telegram_told: { chat_id: Int8; user_id: Int8; told_at: Generated<Date> };
}
