import { describe, expect, test } from 'vitest';

import { typedKysely } from '../../src/db/connect.ts';
import { someEvent } from '../support/activity-events.ts';
import { storeEvents } from '../support/stored-events.ts';
import { telegramAdminScene } from '../support/telegram-admin-scene.ts';

/** Specification 7 (telegram), rulings R2, R4 and R6. */
const { group, id, typeOf, configuration, watched, lastEntry, present, setHex } = telegramAdminScene();

describe('PUT /api/telegram/config/{configId}', () => {
  test('stores the id in canonical form, and that collection is read from then on', async () => {
    const lizards = typeOf('lava-lizards');
    const typed = lizards.replace(/^0x[0-9a-f]+/, (address) => `0x${address.slice(2).toUpperCase()}`);
    const answer = await setHex(`  ${typed}  `);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { hexCollectionId: lizards, collectionName: 'Sui Rocks', version: 2 } },
    });
    const row = await configuration();
    const rows = await group.world.database.rows<{ slug: string; watched: boolean }>(
      `select slug, exists (select 1 from collection_watches w where w.tracked_collection_id = t.id and w.watcher = $2) as watched
       from tracked_collections t where t.id = $1`,
      [row?.['tracked_collection_id'], id()],
    );
    expect(rows).toEqual([{ slug: lizards, watched: true }]);
    expect((await watched()).filter((each) => each === id())).toHaveLength(1);
    expect(await lastEntry()).toMatchObject({
      action: 'telegram-hex-id-changed',
      before: { hexCollectionId: null },
      after: { hexCollectionId: lizards },
    });
  });

  test('counts the mints of that collection from then on, not those of the previous one', async () => {
    await group.world.database.rows('update telegram_configurations set minted_count = 412 where id = $1', [id()]);
    await setHex(typeOf('lava-lizards'));
    const row = await configuration();
    const [known] = await group.world.database.rows<{ minted_count: string }>(
      'select minted_count from tracked_collections where id = $1',
      [row?.['tracked_collection_id']],
    );
    expect(row?.['minted_count']).not.toBe('412');
    expect(row?.['minted_count']).toBe(known?.minted_count);
  });

  test('drops what waits from the previous collection', async () => {
    const { pool, rows } = group.world.database;
    const quiet = 'update telegram_configurations set quiet_from_minute = 0, quiet_to_minute = 1439 where id = $1';
    await rows(quiet, [id()]);
    const trackedCollectionId = BigInt(String((await configuration())?.['tracked_collection_id']));
    const [event] = await storeEvents(typedKysely(pool), [someEvent(1, { trackedCollectionId })]);
    await rows('insert into telegram_deliveries (chat_id, event_id, is_held) values ($1, $2, true)', [
      group.chatId,
      event?.id,
    ]);
    await rows(
      'insert into telegram_messages (chat_id, configuration_id, kind, content) values ($1, $2, \'card\', \'{"html": "a sale"}\')',
      [group.chatId, id()],
    );
    await setHex(typeOf('lava-lizards'));
    expect(await rows("select state, reason from telegram_messages where kind = 'card'")).toEqual([
      { state: 'dropped', reason: 'hex-id-changed' },
    ]);
    expect(await rows('select 1 from telegram_deliveries where is_held')).toEqual([]);
  });

  test.each(['', '   ', null])("%j removes the id, and the group's own collection is read again", async (empty) => {
    const own = (await configuration())?.['tracked_collection_id'];
    await setHex(typeOf('cave-bats'));
    expect((await configuration())?.['tracked_collection_id']).not.toBe(own);
    expect(await setHex(empty)).toMatchObject({ status: 200, body: { data: { hexCollectionId: null } } });
    expect((await configuration())?.['tracked_collection_id']).toBe(own);
  });

  test.each([
    ['without 0x', 'abc', 'must start with 0x'],
    ['no hex', '0xzz', 'neither a Sui address'],
    ['too long an address', `0x${'1'.repeat(65)}`, 'neither a Sui address'],
    ['markup', '0x<b>', 'neither a Sui address'],
    ['an endless text', `0x${'1'.repeat(300)}`, ''],
  ])('refuses an id that is %s', async (_what, text, words) => {
    const answer = await setHex(text);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(words);
    expect((await present()).version).toBe(1);
  });

  test.each([7, true, ['0x2'], undefined])('refuses %j', async (value) => {
    expect((await setHex(value)).status).toBe(400);
  });

  test('refuses an id that the marketplace does not know', async () => {
    const answer = await setHex(`0x${'7'.repeat(64)}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'unknown-collection' } });
    expect((await present()).version).toBe(1);
  });

  test('changes nothing while the marketplace is down, and says so', async () => {
    await group.world.sandbox.faults.set('market', { kind: '503' });
    try {
      const answer = await setHex(typeOf('cave-bats'));
      expect(answer.status).toBe(503);
      expect(answer.body.message).toMatch(/^The marketplace does not answer right now\. Try again in /);
    } finally {
      await group.world.sandbox.faults.clear('market');
    }
    expect(await present()).toMatchObject({ hexCollectionId: null, version: 1 });
  });
});

test('rulings R4: the list shows the options that narrow the tracking', async () => {
  expect((await present()).options).toEqual([]);
  await group.world.database.rows(
    `update telegram_configurations set min_price_mist = 5500000000, listings_at_floor_only = true,
       quiet_from_minute = 1320, quiet_to_minute = 420, recap_minute = 540, time_zone = 'Europe/Berlin' where id = $1`,
    [id()],
  );
  expect((await present()).options).toEqual([
    'Minimum price: 5.5 SUI',
    'Only listings up to the floor: on',
    'Quiet hours: 22:00 to 07:00',
    'Daily recap: at 09:00',
    'Time zone: Europe/Berlin',
  ]);
});
