import type { Pool } from 'pg';

import { encodeReading } from '../../src/treasury/core/reading.ts';
import { discordRows, telegramRows } from './kept-bot-rows.ts';
import { ledgerRows } from './kept-ledger-rows.ts';
import {
  ago,
  ahead,
  chatId,
  digest,
  guildId,
  memberId,
  network,
  oddText,
  type Row,
  treasuryAddress,
  wallet,
} from './kept-row-values.ts';
import { fact, held, market, quote, rocks } from './treasury-reading.ts';

const reading = encodeReading({
  balances: [{ coinType: '0x2::sui::SUI', rawBalance: 1_247_500_000_000n }],
  stakedMist: 5_000_000_000_000n,
  checkpoint: 77n,
  holdings: [held(rocks, 3)],
  chainReadAt: ago(1),
  holdingsReadAt: ago(1),
  metadata: new Map(),
  prices: new Map([['0x2::sui::SUI', { quote: quote('3.5'), readAt: ago(1) }]]),
  market: market(fact(rocks)),
  jump: null,
});

/**
 * One row for every table, in an order in which they can be inserted. A new table needs one here, for the tests of backups and upgrades
 * (tests/server/upgrade.test.ts). Columns that an older schema under test does not have yet are left out.
 */
export const keptRows: readonly (readonly [table: string, row: Row])[] = [
  ['owner_alarms', { alarm: 'telegram-bot', is_on: true, since: ago(1), turning_since: null }],
  ['owner_messages', { text: oddText, created_at: ago(1), told_at: ago(1) }],
  ['purge_runs', { table_name: 'activity_events', succeeded_at: ago(1), purged_rows: 12 }],
  ['treasury_last_good', { network, treasury_address: treasuryAddress, reading, read_at: ago(1), version: 5 }],
  [
    'treasury_history',
    { network, treasury_address: treasuryAddress, hour: ago(30), at: ago(29), total_micro_usd: `1${'0'.repeat(40)}` },
  ],
  ...ledgerRows,
  ['coin_metadata', { network, coin_type: '0x2::rock::ROCK', found: false, read_at: ago(2) }],
  [
    'users',
    {
      id: 7,
      username: 'Ögg',
      username_key: 'ögg',
      password_hash: '$argon2id$v=19$x',
      is_admin: true,
      rights: 'admin',
      created_at: ago(900),
      updated_at: ago(1),
    },
  ],
  [
    'sessions',
    {
      token_hash: digest('session'),
      user_id: 7,
      created_at: ago(2),
      last_seen_at: ago(1),
      idle_expires_at: ahead(1),
      expires_at: ahead(2),
    },
  ],
  [
    'second_factors',
    {
      id: 5,
      user_id: 7,
      kind: 'authenticator',
      name: oddText,
      created_at: ago(9),
      sealed_secret: digest('x'),
      last_step: 7,
    },
  ],
  ['recovery_codes', { user_id: 7, handle: 'k7f2', code_hash: '$argon2id$v=19$y' }],
  ['factor_challenges', { token_hash: digest('challenge'), user_id: 7, expires_at: ahead(1) }],
  ['login_attempts', { key: digest('attempt'), attempts: 3, window_ends_at: ahead(1) }],
  [
    'audit_entries',
    {
      id: 11,
      at: ago(3),
      actor_kind: 'system',
      actor_name: 'role check',
      action: 'discord-role-ending',
      subject_kind: 'discord-member',
      subject_id: `${guildId}/${memberId}`,
      subject_label: oddText,
      before: { a: null },
      after: { b: [1, 'x'] },
    },
  ],
  [
    'tracked_collections',
    {
      id: 3,
      market_id: 'm1',
      slug: 'rocks',
      name: 'Rocks',
      is_verified: true,
      floor_mist: '12500000000',
      minted_count: 200,
      seeded_at: ago(90),
      known_from: ago(90),
      cursor_at: ago(2),
      poll_count: 12,
      last_checked_at: ago(1),
      last_succeeded_at: ago(1),
    },
  ],
  ['collection_watches', { tracked_collection_id: 3, listener: 'telegram', watcher: chatId }],
  ['activity_listeners', { name: 'telegram', is_paused: true }],
  [
    'activity_events',
    {
      id: 21,
      tracked_collection_id: 3,
      event_key: 'tx/nft/sale',
      action_id: 'a1',
      kind: 'sale',
      type: 'buy',
      transaction_digest: 'tx',
      nft_object_id: wallet,
      nft_name: oddText,
      price_mist: '12500000000',
      buyer: wallet,
      seller: treasuryAddress,
      happened_at: ago(2),
    },
  ],
  ['activity_backlogs', { tracked_collection_id: 3, listener: 'telegram', first_event_id: 21, since: ago(2) }],
  ['kiosk_caps', { network, cap_id: '0xca', kiosk_id: '0xk', cap_kind: 'kiosk-owner-cap' }],
  ['parent_fields', { network, field_id: '0xf', parent_id: '0xk', is_kiosk: true }],
  [
    'rocks',
    {
      network,
      collection_type: rocks,
      object_id: wallet,
      number: 7,
      name: oddText,
      place: 'wallet',
      owner: wallet,
      read_at: ago(1),
    },
  ],
  [
    'rock_events',
    {
      network,
      collection_type: rocks,
      event_key: 'tx/nft/mint',
      object_id: wallet,
      kind: 'mint',
      happened_at: ago(2),
      price_mist: '10000000000',
      receiver: wallet,
    },
  ],
  ['owner_names', { network, address: wallet, name: 'oldbone.sui', read_at: ago(1) }],
  ['rock_readings', { network, collection_type: rocks, rocks_as_of: ago(1), history_at: ago(2) }],
  ...telegramRows,
  ...discordRows,
];

/** The product's tables in a database's schema, without the list of applied migrations. */
export async function tablesOf(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = current_schema() and tablename <> 'schema_migrations'
    order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Inserts the rows of the tables that this schema has, except `without`. Rows that migrations inserted are deleted first. */
export async function putKeptRows(pool: Pool, without: readonly string[] = []): Promise<void> {
  const tables = new Set((await tablesOf(pool)).filter((table) => !without.includes(table)));
  for (const [table, row] of keptRows) {
    if (!tables.has(table)) continue;
    const { rows: known } = await pool.query<{ name: string }>(
      'select attname::text as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
      [table],
    );
    const columns = Object.keys(row).filter((column) => known.some(({ name }) => name === column));
    const places = columns.map((_, index) => `$${index + 1}`);
    await pool.query(`delete from ${table}`);
    await pool.query(
      `insert into ${table} (${columns.join(', ')}) overriding system value values (${places.join(', ')})`,
      columns.map((column) => row[column]),
    );
  }
}

/** Every row of every table as text, sorted within each table. */
export async function everyRow(
  pool: Pool,
  columnsOf: ReadonlyMap<string, readonly string[]> | null = null,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const table of columnsOf?.keys() ?? (await tablesOf(pool))) {
    const columns = columnsOf?.get(table)?.join(', ') ?? '*';
    const asked = `select to_jsonb(kept)::text as row from (select ${columns} from ${table}) kept order by 1`;
    found[table] = (await pool.query<{ row: string }>(asked)).rows.map(({ row }) => row);
  }
  return found;
}
