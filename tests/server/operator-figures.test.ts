import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createServiceStore } from '../../src/bot-service/service-store.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createSessionLock } from '../../src/db/session-lock.ts';
import { addDatabaseGauges, createFigureReader } from '../../src/db/figures.ts';
import { createMetrics } from '../../src/http/operations.ts';
import { collectionFigures } from '../../src/market/poll/tracked-store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { putKeptRows } from '../support/kept-rows.ts';
import { operatorFigures } from '../support/operator-figures.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await putKeptRows(database.pool);
});
afterAll(() => database.drop());

/** /metrics of a copy that has just started. */
async function scrape(): Promise<string> {
  const metrics = createMetrics();
  addDatabaseGauges(metrics, database.pool, operatorFigures);
  return (await metrics.render()).text;
}

async function figure(name: string): Promise<number | null> {
  const line = new RegExp(`^${name} (.+)$`, 'm').exec(await scrape());
  return line === null ? null : Number(line[1]);
}

async function pagesOf(pool: TestDatabase['pool'], sql: string): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': readonly [{ Plan: Readonly<Record<string, number>> }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

describe('the operator figures', () => {
  test.each(['telegram', 'discord'])('show whether the %s bot runs, if it is wanted', async (bot) => {
    expect(await figure(`${bot}_bot_running`)).toBeNull();
    await database.pool.query(`update ${bot}_service set wanted = 'active', state = 'active'`);
    expect(await figure(`${bot}_bot_running`)).toBe(0);
    const release = Promise.withResolvers<void>();
    const onHeld = () => release.promise;
    const lock = createSessionLock({ url: database.url, name: `${bot} bot`, onHeld, log: silentLog });
    lock.start();
    await until('a copy runs it', async () => (await figure(`${bot}_bot_running`)) === 1);
    await database.pool.query(`update ${bot}_service set state = 'failing'`);
    expect(await figure(`${bot}_bot_running`)).toBe(0);
    release.resolve();
    await lock.stop();
  });

  test('show that no updates reach a running bot, until they do', async () => {
    const store = createServiceStore(typedKysely(database.pool), 'telegram');
    await database.pool.query(`update telegram_service set wanted = 'active'`);
    const undelivered = () => figure('telegram_updates_undelivered');
    await store.record({ state: 'failing', error: 'The token is refused' });
    expect(await undelivered()).toBeNull();
    await store.record({ state: 'active' });
    expect(await undelivered()).toBe(0);
    await store.record({ state: 'active', error: 'Telegram cannot deliver 2 updates' });
    expect(await undelivered()).toBe(1);
    await store.record({ state: 'active' });
    expect(await undelivered()).toBe(0);
  });

  test('show how much waits for Telegram, and for how long', async () => {
    expect(await figure('telegram_waiting_messages')).toBe(0);
    expect(await figure('telegram_oldest_message_seconds')).toBeNull();
    await database.pool
      .query(`update telegram_messages set state = 'pending', created_at = now() - interval '90 seconds';
      insert into telegram_inbox (update_id, chat_id, update, received_at) values (2, 1, '{}', now() - interval '40 seconds')`);
    expect(await figure('telegram_waiting_messages')).toBe(1);
    expect(await figure('telegram_oldest_message_seconds')).toBeCloseTo(90, -1);
    expect(await figure('telegram_oldest_update_seconds')).toBeCloseTo(40, -1);
    // Not late while a person has to let the bot write there; late while Telegram makes it wait.
    await database.pool.query(`update telegram_chats set trouble = 'not enough rights to send text messages'`);
    expect(await figure('telegram_waiting_messages')).toBe(1);
    expect(await figure('telegram_oldest_message_seconds')).toBeNull();
    await database.pool.query(`update telegram_chats set limited_until = now() + interval '2 hours'`);
    expect(await figure('telegram_oldest_message_seconds')).toBeCloseTo(90, -1);
    // An update that was given up no longer waits: nothing can be done about it.
    await database.pool.query('update telegram_inbox set attempts = 10 where update_id = 2');
    expect(await figure('telegram_oldest_update_seconds')).toBeNull();
    await database.pool.query(`update telegram_messages set state = 'failed', is_doubtful = true`);
    expect(await figure('telegram_failed_messages')).toBe(1);
    expect(await figure('telegram_doubtful_messages')).toBe(1);
  });

  test('show what is overdue at Discord, and what waits for a person', async () => {
    expect(await figure('discord_overdue_action_seconds')).toBeNull();
    await database.pool.query(`
      update discord_member_roles set wanted = 'grant-role', due_at = now() - interval '50 seconds';
      update discord_members set check_due_at = now() - interval '60 seconds';
      update discord_guild_configs set sweep_due_at = now() + interval '60 seconds';
      update discord_removal_batches set state = 'waiting'`);
    expect(await figure('discord_waiting_actions')).toBe(1);
    expect(await figure('discord_overdue_action_seconds')).toBeCloseTo(50, -1);
    expect(await figure('discord_overdue_check_seconds')).toBeCloseTo(60, -1);
    expect(await figure('discord_overdue_sweep_seconds')).toBe(0);
    expect(await figure('discord_waiting_removals')).toBe(1);
    const refused = (set: string) => database.pool.query(`update discord_member_roles set failure = 'No.', ${set}`);
    await refused(
      'role_id = (select role_id from discord_guild_configs), user_id = (select user_id from discord_members)',
    );
    await database.pool.query('update discord_members set is_in_guild = true, has_role = false');
    expect(await figure('discord_failed_actions')).toBe(1);
    await database.pool.query('update discord_members set has_role = true');
    expect(await figure('discord_failed_actions')).toBe(0);
    await refused("cause = 'data-deleted'");
    expect(await figure('discord_failed_actions')).toBe(1);
  });

  test('count nothing as overdue for members and servers that are gone: it would never be done', async () => {
    await database.pool.query(`
      update discord_member_roles set wanted = 'grant-role', due_at = now() - interval '50 seconds';
      update discord_members set check_due_at = now() - interval '60 seconds', is_in_guild = false;
      update discord_guild_configs set sweep_due_at = now() - interval '60 seconds';
      update discord_removal_batches set state = 'waiting'`);
    expect(await figure('discord_overdue_check_seconds')).toBeNull();
    await database.pool.query(`
      update discord_members set is_in_guild = true;
      update discord_guilds set left_at = now()`);
    expect(await figure('discord_overdue_action_seconds')).toBeNull();
    expect(await figure('discord_overdue_check_seconds')).toBeNull();
    expect(await figure('discord_overdue_sweep_seconds')).toBeNull();
    expect(await figure('discord_waiting_removals')).toBe(0);
  });

  test('show how late the collections of a running bot are read, and whether old rows are deleted', async () => {
    await database.pool.query(`update tracked_collections set last_checked_at = now() - interval '115 seconds'`);
    expect(await figure('collections_overdue_poll_seconds')).toBeNull();
    await database.pool.query('update activity_listeners set is_paused = false');
    expect(await figure('collections_overdue_poll_seconds')).toBeCloseTo(70, -1);
    // TRACKER_POLL_MAX_MS: a collection that is polled every two minutes is not late after 115 seconds.
    const [rarely] = collectionFigures(120_000);
    const { rows } = await database.pool.query<{ max: string }>(rarely?.sql ?? '');
    expect(Object.values(rows[0] ?? {}).map(Number)).toEqual([0]);
    await database.pool.query(
      `update tracked_collections set last_checked_at = now(), failing_since = now() - interval '90 seconds', failure_reason = 'timeout'`,
    );
    expect(await figure('collections_overdue_poll_seconds')).toBeCloseTo(90, -1);
    await database.pool.query(`update tracked_collections set failure_reason = 'collection-unknown'`);
    expect(await figure('collections_overdue_poll_seconds')).toBe(0);
    await database.pool.query(`
      update purge_runs set succeeded_at = now() - interval '80 seconds';
      insert into purge_runs (table_name, succeeded_at, purged_rows) values ('of_an_earlier_version', now() - interval '1 year', 0)`);
    expect(await figure('purge_oldest_run_seconds')).toBeCloseTo(80, -1);
  });

  test('are found without reading finished work, however much there is', async () => {
    const { pool, drop } = await testDatabase();
    await putKeptRows(pool);
    await pool.query(`
      insert into telegram_messages (id, chat_id, kind, content, state) overriding system value
        select 1000 + nth, chat_id, 'card', '{"html": "${'x'.repeat(500)}"}', 'sent' from telegram_chats, generate_series(1, 20000) nth;
      insert into telegram_inbox (update_id, chat_id, handled_at) select 1000 + nth, 1, now() from generate_series(1, 20000) nth;
      insert into discord_members (guild_id, user_id, display_name)
        select guild_id, nth::text, 'x' from discord_guilds, generate_series(1, 20000) nth;
      insert into discord_member_roles (id, guild_id, user_id, role_id, given_at) overriding system value
        select 1000 + nth, guild_id, nth::text, '1', now() from discord_guilds, generate_series(1, 20000) nth;
      analyze discord_member_roles`);
    const pages: Record<string, number> = {};
    for (const { name, sql } of operatorFigures) {
      pages[name] = await pagesOf(pool, sql);
    }
    // All messages take 1,700 pages, the latest thousand 80.
    expect(Object.entries(pages).filter(([, count]) => count > 120)).toEqual([]);
    await drop();
  });

  test('show overdue Discord messages and roles, without reading those that wait where nothing can be done', async () => {
    const { pool, drop } = await testDatabase();
    await pool.query(`
      insert into discord_guilds (guild_id, name, left_at, roles_paused_until, roles_pause_reason) values
        ('1', 'left', now(), null, null), ('2', 'refuses', null, now() + interval '1 minute', 'Drag it.'), ('3', 'here', null, null, null);
      insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, due_at)
        select guild_id, nth::text, '1', 'grant-role', 'sweep', now() - interval '1 day'
        from unnest('{1,2}'::text[]) guild_id, generate_series(1, 10000) nth;
      insert into discord_direct_messages (guild_id, user_id, content, due_at)
        select '1', nth::text, 'x', now() - interval '1 day' from generate_series(1, 10000) nth;
      insert into discord_direct_messages (guild_id, user_id, content, due_at) values ('3', '1', 'x', now() - interval '70 seconds')`);
    await pool.query('vacuum analyze discord_member_roles, discord_direct_messages');
    const sql = operatorFigures.find(({ name }) => name === 'discord_overdue_action_seconds')?.sql ?? '';
    const overdue = async () => Object.values((await pool.query<object>(`select (${sql})::float8`)).rows[0] ?? {})[0];
    expect(await overdue()).toBeCloseTo(70, -1);
    expect(await pagesOf(pool, sql)).toBeLessThan(50);
    await pool.query(`
      insert into discord_guilds (guild_id, name, roles_paused_until, roles_pause_reason, roles_unanswered_since)
        values ('4', 'silent', now(), 'Discord does not answer.', now() - interval '16 minutes');
      insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, due_at)
        values ('4', '1', '1', 'grant-role', 'sweep', now() + interval '20 seconds')`);
    expect(await overdue()).toBeCloseTo(960, -1);
    await drop();
  });

  test('are read from the database once, however many callers ask', async () => {
    let asked = 0;
    let nowMs = 0;
    const query = (() => {
      asked += 1;
      return Promise.resolve({ rows: [{ rocks: asked }] });
    }) as never;
    const read = createFigureReader({ query }, [{ name: 'rocks', help: '', sql: '1' }], { nowMs: () => nowMs });
    expect(await Promise.all([read(), read()])).toEqual([{ rocks: 1 }, { rocks: 1 }]);
    nowMs = 10_001;
    expect(await read()).toEqual({ rocks: 2 });
  });

  test('are left out when the database refuses or does not answer, and /metrics still works', async () => {
    const figures = [{ name: 'rocks', help: 'Rocks', sql: '1' }];
    const refusing = (() => Promise.reject(new Error('gone'))) as never;
    const metrics = createMetrics();
    addDatabaseGauges(metrics, { query: refusing, totalCount: 0, idleCount: 0, waitingCount: 0 } as never, figures);
    metrics.addGauge('sandstones', 'Rocks of another kind', () => 12);
    expect((await metrics.render()).text).toMatch(/^sandstones 12$/m);
    const silent = (() => Promise.withResolvers().promise) as never;
    expect(await createFigureReader({ query: refusing }, figures)()).toEqual({});
    expect(await createFigureReader({ query: silent }, figures, { withinMs: 20 })()).toEqual({});
  });

  test('are all that alerts and dashboard use: no name in them is missing from /metrics', async () => {
    const metrics = createMetrics();
    addDatabaseGauges(metrics, database.pool, operatorFigures);
    // src/main.ts adds it.
    metrics.addGauge('treasury_snapshot_age_seconds', 'Age of the published treasury', () => 12);
    const told = new Set([...(await metrics.render()).text.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name));
    const alerts = await readFile('deploy/alerts.yaml', 'utf8');
    const dashboard = await readFile('deploy/grafana-dashboard.json', 'utf8');
    const asked = [
      ...[...alerts.matchAll(/expr: >-\s+(.+)/g)].map(([, query]) => query),
      ...[...dashboard.matchAll(/"expr": (".+")/g)].map(([, query]) => JSON.parse(query ?? '') as string),
    ];
    expect(asked.length).toBeGreaterThan(40);
    // Names have an underscore or are Prometheus's own `up`; text in braces and brackets is not a name.
    const named = asked.flatMap((query) => query?.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').match(/\w+_\w+/g) ?? []);
    const names = named
      .filter((name) => !['histogram_quantile'].includes(name))
      .map((name) => name.replace(/^(http_request_duration_seconds|upstream_call_seconds)_(count|bucket)$/, '$1'));
    expect(names.filter((name) => !told.has(name))).toEqual([]);
  });
});
