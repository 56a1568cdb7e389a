import type { Pool } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';

import { silentLog } from '../../src/db/outage.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { bringTo } from '../support/bring-to.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { everyRow, keptRows, putKeptRows, tablesOf } from '../support/kept-rows.ts';

const migrations = await readMigrations();

async function columnsOf(pool: Pool): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await tablesOf(pool);
  const { rows } = await pool.query<{ table: string; columns: string[] }>(
    `select attrelid::regclass::text as table, array_agg(attname::text order by attnum) as columns from pg_attribute
    where attrelid = any($1::regclass[]) and attnum > 0 and not attisdropped group by 1`,
    [tables],
  );
  return new Map(
    rows.map(({ table, columns }) => [table, columns.filter((column) => !replaced.has(`${table}.${column}`))]),
  );
}

/** Columns that a migration replaces (its own test says how), or drops because the job engine keeps them now. */
const replaced = new Set([
  'telegram_configurations.utc_offset_minutes',
  'tracked_collections.poll_due_at',
  'tracked_collections.claimed_by',
  'tracked_collections.claim_token',
  'tracked_collections.claimed_until',
  'treasury_last_good.attempted_at',
  'telegram_service.told_at',
  'discord_service.told_at',
  ...['discord_members.claimed', 'discord_guild_configs.sweep_claimed'].flatMap((claim) => [
    `${claim}_by`,
    `${claim}_until`,
  ]),
  'telegram_inbox.claimed_by',
  'telegram_inbox.claimed_until',
]);

/** Columns, constraints and indexes of every table, as PostgreSQL writes them. */
async function schemaOf(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = current_schema()
    union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = current_schema()::regnamespace
    union all select indexdef from pg_indexes where schemaname = current_schema() order by 1`);
  return rows.map(({ line }) => line);
}

let newest: {
  readonly tables: readonly string[];
  readonly schema: readonly string[];
  readonly columns: ReadonlyMap<string, readonly string[]>;
};
beforeAll(async () => {
  const { pool, drop } = await testDatabase();
  newest = { tables: await tablesOf(pool), schema: await schemaOf(pool), columns: await columnsOf(pool) };
  await drop();
});

/** Without the columns that a later version drops on purpose. */
const stillThere = (columns: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...columns].flatMap(([table, names]) => {
      const now = newest.columns.get(table);
      return now === undefined ? [] : [[table, names.filter((name) => now.includes(name))] as const];
    }),
  );

describe('an upgrade', () => {
  test('is tested with a row of every table', () => {
    expect(new Set(keptRows.map(([table]) => table))).toEqual(new Set(newest.tables));
  });

  test.each(migrations.map(({ name }) => name))(
    'from %s keeps every row and arrives at the newest schema',
    async (from) => {
      const database = await emptyDatabase();
      await bringTo(database.pool, from);
      await putKeptRows(database.pool);
      const columns = stillThere(await columnsOf(database.pool));
      const before = await everyRow(database.pool, columns);
      expect(Object.values(before).every(({ length }) => length === 1)).toBe(true);
      await migrate(database.pool, silentLog);
      expect(await everyRow(database.pool, columns)).toEqual(before);
      expect(await schemaOf(database.pool)).toEqual(newest.schema);
      await database.drop();
    },
  );

  test('continues to read a history of rocks that was marked as complete', async () => {
    const { pool, drop } = await emptyDatabase();
    await bringTo(pool, '0083-member-role-state.sql');
    await pool.query(`insert into rock_readings (network, collection_type, history_at, is_history_complete)
      values ('mainnet', '0x1::rock::Rock', '2026-01-01T00:00:00Z', true)`);
    await migrate(pool, silentLog);
    const { rows } = await pool.query('select history_at, is_history_complete from rock_readings');
    expect(rows).toEqual([{ history_at: new Date('2026-01-01T00:00:00Z'), is_history_complete: false }]);
    await drop();
  });

  test('turns the queue of role changes and messages into each member’s wanted role and the messages that are still to be sent', async () => {
    const { pool, drop } = await emptyDatabase();
    await bringTo(pool, '0087-the-past-of-rocks-read-on.sql');
    await pool.query(`
      insert into discord_guilds (guild_id, name) values ('1', 'Rock Mountain');
      insert into discord_members (guild_id, user_id, display_name, role_state)
        select '1', who, who, 'grace' from unnest('{gave,waits,refused,leaving,hourly}'::text[]) who;
      insert into discord_guild_configs (guild_id, role_id, nft_contract, nft_name, updated_by)
        values ('1', '5', '0x1::rock::Rock', 'Rocks', 'chief');
      insert into discord_members (guild_id, user_id, display_name, role_state, has_role) values
        ('1', 'longtime', 'x', 'holder', true), ('1', 'lacks', 'x', 'holder', false), ('1', 'foreign', 'x', 'none', true);
      insert into discord_payout_messages (payout, user_id) values (3, 'waits');
      insert into discord_actions (guild_id, user_id, kind, role_id, content, cause, state, failure, done_at) values
        ('1', 'gave', 'grant-role', '5', null, 'sweep', 'done', null, '2026-01-01T00:00:00Z'),
        ('1', 'waits', 'grant-role', '5', null, 'bought', 'pending', null, null),
        ('1', 'waits', 'direct-message', null, 'Paid', 'payout-paid', 'pending', null, null),
        ('1', 'refused', 'remove-role', '5', null, 'data-deleted', 'failed', 'Drag it.', now()),
        ('1', 'stuck', 'grant-role', '5', null, 'sweep', 'failed', 'Drag it.', now()),
        ('1', 'leaving', 'direct-message', null, 'It ends', 'role-ends', 'doing', null, null),
        ('1', 'hourly', 'grant-role', '5', null, 'sweep', 'done', null, now()),
        ('1', 'hourly', 'remove-role', '5', null, 'not-holding', 'done', null, '2026-01-02T00:00:00Z')`);
    await pool.query("update discord_actions set failure_code = 'role-too-high' where user_id = 'stuck'");
    await pool.query("update discord_actions set created_at = '2026-01-03T00:00:00Z' where user_id = 'refused'");
    await migrate(pool, silentLog);
    const read = async (statement: string) => (await pool.query<Record<string, unknown>>(statement)).rows;
    expect(
      await read(`select user_id, wanted, cause, failure, given_at is not null as given, due_at is not null as due
        from discord_member_roles order by user_id`),
    ).toEqual([
      { user_id: 'gave', wanted: null, cause: 'sweep', failure: null, given: true, due: false },
      { user_id: 'longtime', wanted: null, cause: null, failure: null, given: true, due: false },
      {
        user_id: 'refused',
        wanted: 'remove-role',
        cause: 'data-deleted',
        failure: 'Drag it.',
        given: false,
        due: true,
      },
      { user_id: 'stuck', wanted: 'grant-role', cause: 'sweep', failure: 'Drag it.', given: false, due: true },
      { user_id: 'waits', wanted: 'grant-role', cause: 'bought', failure: null, given: false, due: true },
    ]);
    expect(await read("select changed_at from discord_member_roles where user_id = 'refused'")).toEqual([
      { changed_at: new Date('2026-01-03T00:00:00Z') },
    ]);
    expect(
      await read('select user_id, payout, content from discord_direct_messages where due_at is not null order by 1'),
    ).toEqual([
      { user_id: 'leaving', payout: null, content: 'It ends' },
      { user_id: 'waits', payout: 3, content: 'Paid' },
    ]);
    expect(await read('select user_id, role_taken_at from discord_members where role_taken_at is not null')).toEqual([
      { user_id: 'hourly', role_taken_at: new Date('2026-01-02T00:00:00Z') },
    ]);
    await drop();
  });

  test('removes unknown names from the audit log', async () => {
    const database = await emptyDatabase();
    const { pool } = database;
    await bringTo(pool, '0024-unknown-member-count.sql');
    await pool.query(`insert into users (username, username_key, password_hash, is_admin, created_at, updated_at)
      values ('Chief', 'chief', 'x', true, now(), now())`);
    await pool.query(`insert into audit_entries (actor_kind, actor_name, action, subject_kind, subject_id, subject_label) values
      ('system', 'login', 'login-throttled', 'username', 'chief', 'CHIEF'),
      ('system', 'login', 'login-throttled', 'username', 'my password', 'my password'),
      ('system', 'start', 'user-added', 'user', '1', 'Chief')`);
    await migrate(pool, silentLog);
    const { rows } = await pool.query('select subject_kind, subject_id, subject_label from audit_entries order by id');
    const ofChief = { subject_kind: 'user', subject_id: '1', subject_label: 'Chief' };
    const ofNobody = { subject_kind: 'username', subject_id: 'unknown name', subject_label: 'unknown name' };
    expect(rows).toEqual([ofChief, ofNobody, ofChief]);
    await database.drop();
  });

  test.each([
    [0, 'UTC'],
    [120, 'Etc/GMT-2'],
    [-300, 'Etc/GMT+5'],
    [330, 'Asia/Kolkata'],
    [-210, 'Etc/GMT+4'],
  ])('turns an offset of %i minutes into the time zone %s', async (offsetMinutes, timeZone) => {
    const database = await emptyDatabase();
    await bringTo(database.pool, '0024-unknown-member-count.sql');
    await putKeptRows(database.pool);
    await database.pool.query('update telegram_configurations set utc_offset_minutes = $1', [offsetMinutes]);
    await migrate(database.pool, silentLog);
    const { rows } = await database.pool.query('select time_zone from telegram_configurations');
    expect(rows).toEqual([{ time_zone: timeZone }]);
    await database.drop();
  });

  test('makes a group count as tracking since its setup', async () => {
    const database = await emptyDatabase();
    await bringTo(database.pool, '0022-failing-polls.sql');
    await putKeptRows(database.pool);
    await database.pool.query("update telegram_configurations set created_at = '2026-01-01'");
    await migrate(database.pool, silentLog);
    const { rows } = await database.pool.query('select followed_since = created_at as ok from telegram_configurations');
    expect(rows).toEqual([{ ok: true }]);
    await database.drop();
  });
});
