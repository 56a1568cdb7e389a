import { expect, test } from 'vitest';

import { quietenCopy } from '../../scripts/restored-copy.ts';
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
