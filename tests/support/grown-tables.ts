import { Client } from 'pg';

/**
 * Fills the tables that grow in production with `rows` rows each, as after ninety quiet days: nearly everything is sent, done, over or not
 * due for a while. Rows per server or collection stay as few as in production; the number of servers and collections grows.
 */
export async function growTables(databaseUrl: string, rows: number): Promise<void> {
  // Not the product's pool: a million rows take longer than its statement timeout.
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of [...collections, ...chats, ...servers, ...others]) await client.query(statement, [rows]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Newest first: row 1 is from now, the last one is ninety days old. */
const inTheLast90Days = "clock_timestamp() - i * interval '90 days' / $1";
const series = 'from generate_series(1, $1::int) i';
/** A half, a tenth, a hundredth of the rows. */
const half = 'from generate_series(1, $1::int / 2) i';
const tenth = 'from generate_series(1, $1::int / 10) i';
const hundredth = 'from generate_series(1, $1::int / 100) i';
const collectionOf = "(select min(id) from tracked_collections where market_id like 'grown %') + i % ($1::int / 2)";
const hexOf = (what: string): string => `'0x' || lpad(to_hex(${what}), 64, '0')`;

const collections = [
  `insert into tracked_collections (market_id, slug, name, is_verified, floor_mist, seeded_at, cursor_at, caught_up_at, last_checked_at,
     last_succeeded_at)
   select 'grown ' || i, 'grown-' || i, 'Pebbles ' || i, true, 5000000000, now, now, now, now, now
   ${half}, clock_timestamp() now`,
  `insert into activity_events (tracked_collection_id, event_key, action_id, kind, type, transaction_digest, nft_object_id, price_mist,
     buyer, seller, happened_at, known_at)
   select ${collectionOf}, 'grown ' || i, 'grown ' || i, (array['mint', 'sale', 'listing', 'bid'])[1 + i % 4], 'buy', 'digest' || i,
     ${hexOf('i')}, 5000000000, ${hexOf('i % 1000')}, ${hexOf('i % 999')}, at, at
   ${series}, lateral (select ${inTheLast90Days} as at) time order by i desc`,
  `insert into kiosk_caps (network, cap_id, kiosk_id, cap_kind, learned_at)
   select 'mainnet', ${hexOf('i')}, ${hexOf('i + 7')}, 'kiosk-owner-cap', ${inTheLast90Days} ${series}`,
  `insert into parent_fields (network, field_id, parent_id, is_kiosk, learned_at)
   select 'mainnet', ${hexOf('i')}, ${hexOf('i + 9')}, true, ${inTheLast90Days} ${series}`,
];

const chats = [
  `insert into telegram_chats (chat_id, kind, title, bot_status)
   select -5000000000000 - i, 'supergroup', 'Group ' || i, 'member' ${series}`,
  `insert into telegram_configurations (chat_id, tracked_collection_id, collection_id, collection_name, max_supply, created_by)
   select -5000000000000 - i, ${collectionOf}, 'grown', 'Pebbles', 10000, 'somebody' ${series}`,
  `insert into collection_watches (tracked_collection_id, listener, watcher)
   select tracked_collection_id, 'telegram', id::text from telegram_configurations where $1::int > 0 and collection_id = 'grown'`,
  `insert into telegram_messages (chat_id, configuration_id, kind, content, state, attempts, happened_at, created_at, sent_at)
   select -5000000000000 - i, c.id, 'card', '{"html": "Pebble minted", "imageUrl": null, "buttons": [], "isSilent": false}', 'sent', 1,
     at, at, at
   ${series} join telegram_configurations c on c.chat_id = -5000000000000 - i, lateral (select ${inTheLast90Days} as at) time order by i desc`,
  `insert into telegram_deliveries (chat_id, event_id, message_id, created_at)
   select m.chat_id, e.id, m.id, m.created_at
   from (select *, row_number() over (order by id) as i from telegram_messages) m
     join (select *, row_number() over (order by id) as i from activity_events where $1::int > 0) e using (i)`,
  `insert into telegram_images (image_url_hash, file_id, updated_at)
   select sha256(convert_to('grown ' || i, 'UTF8')), 'file ' || i, ${inTheLast90Days} ${series}`,
  // Kept for an hour to detect repeated updates.
  `insert into telegram_inbox (update_id, chat_id, received_at, handled_at)
   select i, -5000000000000 - i, at, at ${series}, lateral (select clock_timestamp() - i * interval '50 minutes' / $1 as at) time`,
];

const servers = [
  `insert into discord_guilds (guild_id, name, roles, bot_permissions, bot_top_position)
   select 'grown ' || i, 'Server ' || i, '[{"id": "1", "name": "Rock Holder", "position": 1, "isManaged": false}]', '268435456', 5
   ${hundredth}`,
  `insert into discord_guild_configs (guild_id, role_id, nft_contract, nft_name, tracked_collection_id, updated_by, sweep_due_at, last_sweep_at)
   select 'grown ' || i, '1', '0x77::rocks::Nft', 'Sui Rocks', ${collectionOf}, 'chief', clock_timestamp() + interval '1 hour', clock_timestamp()
   ${hundredth}`,
  `insert into discord_members (guild_id, user_id, display_name, has_role, role_state, answer, answered_at, explanation)
   select 'grown ' || (1 + i % ($1::int / 100)), i::text, 'member', true, 'holder', 'holds', clock_timestamp(),
     '{"nftType": "0x77::rocks::Nft", "unknownSince": null, "wallets": []}' ${series}`,
  `insert into discord_wallets (guild_id, wallet, user_id, scheme)
   select guild_id, ${hexOf('user_id::int')}, user_id, 'ed25519' from discord_members where guild_id like 'grown %' and $1::int > 0`,
  `insert into discord_verifications (token_hash, guild_id, user_id, display_name, expires_at, state)
   select sha256(convert_to('grown ' || i, 'UTF8')), 'grown ' || (1 + i % ($1::int / 100)), i::text, 'member',
     clock_timestamp() - i * interval '23 hours' / $1, 'used' ${series}`,
  `insert into discord_authorized_wallets (guild_id, wallet, reason, added_by)
   select 'grown ' || i, ${hexOf('i')}, 'artist', 'chief' ${hundredth}`,
  `insert into discord_member_roles (guild_id, user_id, role_id, given_at, changed_at)
   select guild_id, user_id, '1', clock_timestamp(), clock_timestamp() from discord_members where guild_id like 'grown %' and $1::int > 0`,
  `insert into discord_direct_messages (guild_id, user_id, told_at)
   select guild_id, user_id, clock_timestamp() from discord_members where guild_id like 'grown %' and $1::int > 0`,
];

const others = [
  `insert into users (username, username_key, password_hash, rights, created_at, updated_at)
   select 'grown ' || i, 'grown ' || i, 'none', null, clock_timestamp(), clock_timestamp() ${hundredth}`,
  `insert into sessions (token_hash, user_id, created_at, last_seen_at, idle_expires_at, expires_at)
   select sha256(convert_to('grown ' || i, 'UTF8')), u.id, now, now, now + interval '1 day', now + interval '7 days'
   ${series} join users u on u.username = 'grown ' || (1 + i % ($1::int / 100)), clock_timestamp() now`,
  `insert into login_attempts (key, attempts, window_ends_at)
   select sha256(convert_to('grown ' || i, 'UTF8')), 1, clock_timestamp() + interval '10 minutes' ${series}`,
  `insert into audit_entries (at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_label, before, after)
   select ${inTheLast90Days}, 'admin', '1', 'chief ' || i % 50, (array['telegram-configured', 'role-removed', 'login'])[1 + i % 3],
     'member', 'grown ' || i, 'Member ' || i, null, '{}' ${series} order by i desc`,
  `insert into coin_metadata (network, coin_type, found, decimals, symbol, name, read_at)
   select 'mainnet', ${hexOf('i')} || '::coin::COIN', true, 9, 'C' || i, 'Coin', clock_timestamp() ${tenth}`,
  // Hours, then days: this table grows by one row a day.
  `insert into treasury_history (network, treasury_address, hour, at, total_micro_usd)
   select 'mainnet', '0x1', at, at, 1000000 from generate_series(1, least($1::int, 20000)) i,
     lateral (select date_trunc('hour', clock_timestamp()) - i * interval '1 hour' as at) time`,
];
