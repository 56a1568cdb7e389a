import type { Pool } from 'pg';
import { expect, test } from 'vitest';

import { quietenCopy } from '../../scripts/restored-copy.ts';
import { createDeliveryListener } from '../../src/telegram/notify/delivery-listener.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { unreadRocks } from '../support/activity-events.ts';
import { indexerWrites, startActivityWorld } from '../support/activity-world.ts';
import { testDatabase } from '../support/database.ts';
import { putKeptRows } from '../support/kept-rows.ts';

/** Quietens the copy as a restore does. */
async function quieten(pool: Pool): Promise<void> {
  const client = await pool.connect();
  await quietenCopy(client);
  client.release();
}

test('events between a backup and its restore are posted to no group, later events are', async () => {
  const world = await startActivityWorld();
  try {
    const original = world.copy();
    const rocks = await world.follow(original.activity);
    await original.start();
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    await original.stop();
    indexerWrites(world.sandbox, {});
    indexerWrites(world.sandbox, {});
    await quieten(world.database.pool);
    const restored = world.copy();
    await restored.start();
    await world.polled(rocks.id);
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(2);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(2);
  } finally {
    await world.end();
  }
});

test('mints between a backup and its restore are counted, though no group is told of them', async () => {
  const world = await startActivityWorld();
  try {
    const { sandbox, database } = world;
    const mint = () => sandbox.world.mint({ address: `0x${'b'.repeat(64)}`, priceMist: 10_000_000_000n });
    const telegram = createDeliveryListener({
      clock: systemClock,
      prices: async () => '3.5',
      rocks: unreadRocks,
      config: { EXPLORER_URL: 'https://suivision.xyz' },
    });
    const listeners = [world.recorder('groups'), telegram];
    const original = world.copy({ listeners });
    const rocks = await world.follow(original.activity);
    await database.pool.query(
      "insert into telegram_chats (chat_id, kind, title, bot_status) values (-1, 'group', 'Rock Fans', 'member')",
    );
    await database.pool.query(
      `insert into telegram_configurations (chat_id, tracked_collection_id, collection_id, collection_name, created_by, minted_count)
      values (-1, $1, 'x', 'Sui Rocks', 'Ada', 1000)`,
      [rocks.id.toString()],
    );
    await world.inTransaction((transaction) => original.activity.watch('telegram', rocks.id, '1', transaction));
    const mintedCount = async () => (await database.rows('select minted_count from telegram_configurations'))[0];
    await original.start();
    mint();
    await world.waitUntilTold(1);
    expect(await mintedCount()).toEqual({ minted_count: '1001' });
    await original.stop();
    mint();
    mint();
    await quieten(database.pool);
    await world.copy({ listeners }).start();
    await world.polled(rocks.id);
    expect(await mintedCount()).toEqual({ minted_count: '1003' });
    mint();
    await world.waitUntilTold(2);
    expect(await mintedCount()).toEqual({ minted_count: '1004' });
    await world.inTransaction((transaction) => original.activity.setPaused('telegram', false, transaction));
    mint();
    await world.waitUntilTold(3);
    expect(await mintedCount()).toEqual({ minted_count: '1005' });
  } finally {
    await world.end();
  }
});

test('a restored copy has its bots off, drops what waited, and starts its collections again without posting the past', async () => {
  const copy = await testDatabase();
  await putKeptRows(copy.pool);
  await copy.pool.query(`
    update telegram_service set wanted = 'active', state = 'active'; update discord_service set wanted = 'active', state = 'active';
    update activity_listeners set is_paused = false;
    update telegram_messages set state = 'sending';
    update discord_posts set state = 'pending', done_at = null;
    select setval('payouts_id_seq', 3); update payouts set snapshot_asked_at = now(); update rock_readings set is_history_complete = true;
    insert into telegram_inbox (update_id, chat_id, update) values (1, 1, '{}');
    insert into owner_messages (text) values ('The Telegram bot does not run.');
    insert into discord_direct_messages (guild_id, user_id, content, due_at) select guild_id, user_id, 'x', now() from discord_members`);
  await quieten(copy.pool);
  const one = async (asked: string): Promise<unknown> => (await copy.rows(asked))[0];
  for (const bot of ['telegram', 'discord']) {
    expect(await one(`select wanted, state from ${bot}_service`)).toEqual({ wanted: 'inactive', state: 'inactive' });
    expect(await one(`select is_paused from activity_listeners where name = '${bot}'`)).toEqual({ is_paused: true });
  }
  expect(await one('select state, reason from telegram_messages')).toEqual({
    state: 'dropped',
    reason: 'restored from a backup',
  });
  expect(await copy.rows('select 1 from telegram_inbox where handled_at is null')).toEqual([]);
  expect(await copy.rows('select 1 from discord_direct_messages where due_at is not null')).toEqual([]);
  expect(await one('select state from discord_posts')).toEqual({ state: 'failed' });
  expect(
    await copy.rows(`select 1 from discord_members where payout_messages_since < now() - interval '1 hour'`),
  ).toEqual([]);
  expect(await copy.rows('select 1 from payouts where snapshot_asked_at is not null')).toEqual([]);
  // Payouts 4 to 103 may have been published since the backup.
  expect(await one(`select nextval('payouts_id_seq') as payout`)).toEqual({ payout: '104' });
  expect(await one('select is_history_complete from rock_readings')).toEqual({ is_history_complete: false });
  // The owner is not told again what the original has already told them.
  expect(await one('select alarm, is_on from owner_alarms')).toEqual({ alarm: 'telegram-bot', is_on: true });
  expect(await copy.rows('select 1 from owner_messages where told_at is null')).toEqual([]);
  expect(await one('select seeded_at from tracked_collections')).toEqual({ seeded_at: null });
  await copy.drop();
});
