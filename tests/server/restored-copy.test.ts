import { expect, test } from 'vitest';

import { quietenCopy } from '../../scripts/restored-copy.ts';
import { createDeliveryListener } from '../../src/telegram/notify/delivery-listener.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { indexerWrites, startActivityWorld } from '../support/activity-world.ts';

test('what happened between a backup and its restore is told to no group, what happens afterwards is', async () => {
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
    const client = await world.database.pool.connect();
    await quietenCopy(client);
    client.release();
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

test('what was minted between a backup and its restore is counted, though no group is told of it', async () => {
  const world = await startActivityWorld();
  try {
    const { sandbox, database } = world;
    const mint = () => sandbox.world.mint({ address: `0x${'b'.repeat(64)}`, priceMist: 10_000_000_000n });
    const telegram = createDeliveryListener({
      clock: systemClock,
      prices: { usdPerSui: () => '3.5', settled: async () => {} },
      explorerUrl: 'https://suivision.xyz',
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
    const client = await database.pool.connect();
    await quietenCopy(client);
    client.release();
    await world.copy({ listeners }).start();
    await world.polled(rocks.id);
    expect(await mintedCount()).toEqual({ minted_count: '1003' });
    mint();
    await world.waitUntilTold(2);
    expect(await mintedCount()).toEqual({ minted_count: '1003' });
    await world.inTransaction((transaction) => original.activity.setPaused('telegram', false, transaction));
    mint();
    await world.waitUntilTold(3);
    expect(await mintedCount()).toEqual({ minted_count: '1005' });
  } finally {
    await world.end();
  }
});
