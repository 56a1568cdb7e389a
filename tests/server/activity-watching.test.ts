import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  type ActivityWorld,
  type RunningCollections,
  indexerWrites,
  startActivityWorld,
} from '../support/activity-world.ts';
import { until } from '../support/until.ts';

let world: ActivityWorld;
let product: RunningCollections;
beforeEach(async () => {
  world = await startActivityWorld();
  product = world.copy();
});
afterEach(() => world.end());

const askedCount = () => world.sandbox.requests.of('market').byOperation.actions ?? 0;

describe('a listener', () => {
  test('that throws undoes the whole poll, which is repeated', async () => {
    let failures = 2;
    const listener = world.recorder('groups', () => {
      failures -= 1;
      if (failures >= 0) throw new Error('The outbox is broken');
    });
    const rocks = await world.follow(product.activity);
    await world.copy({ listeners: [listener] }).start();
    const row = indexerWrites(world.sandbox, {});
    await until('the failure shows', async () => {
      const tracked = (await product.activity.tracked([rocks.id])).get(rocks.id);
      return tracked?.failingSince?.reason === 'internal-error';
    });
    await world.waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
    const latest = await product.activity.latestSale(rocks.id);
    expect(latest?.transactionDigest).toBe(row.txId);
    expect((await product.activity.tracked([rocks.id])).get(rocks.id)?.failingSince).toBeNull();
    expect(world.warnings.filter(({ message }) => message.includes('repeated'))).toHaveLength(2);
  });

  test('gets each event once, however many of its groups watch the collection', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction(async (transaction) => {
      for (let group = 2; group <= 200; group += 1) {
        await product.activity.watch('groups', rocks.id, `group ${group}`, transaction);
      }
    });
    await product.start();
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('that watches a collection no more ends its polls', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction((transaction) => product.activity.watch('groups', rocks.id, 'group 2', transaction));
    await product.start();
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 1', transaction));
    await world.polled(rocks.id);
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 2', transaction));
    await until('nothing is under way', () => world.sandbox.requests.of('market').inFlight === 0);
    const lizards = await world.follow(product.activity, 'lava-lizards');
    const before = (await product.activity.tracked([rocks.id])).get(rocks.id)?.lastCheckedAt;
    await world.polled(lizards.id);
    await world.polled(lizards.id);
    expect((await product.activity.tracked([rocks.id])).get(rocks.id)?.lastCheckedAt).toEqual(before);
  });

  test('that is paused causes no polls, and then gets everything with the length of the pause', async () => {
    const rocks = await world.follow(product.activity);
    await product.start();
    await world.polled(rocks.id);
    await world.inTransaction((transaction) => product.activity.setPaused('groups', true, transaction));
    await until('nothing is under way', () => world.sandbox.requests.of('market').inFlight === 0);
    world.sandbox.requests.reset();
    indexerWrites(world.sandbox, {});
    const startedMs = Date.now();
    await until('a second has passed', () => Date.now() - startedMs > 1_000);
    expect(askedCount()).toBeLessThanOrEqual(1);
    expect(await world.told()).toEqual([]);
    await world.inTransaction((transaction) => product.activity.setPaused('groups', false, transaction));
    await world.waitUntilTold(1);
    const { rows } = await world.database.pool.query<{ gap_ms: number }>('select gap_ms from told');
    expect(rows[0]?.gap_ms).toBeGreaterThan(900);
  });

  test('that was paused or not running later gets the events that others got at once', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction(async (transaction) => {
      await product.activity.watch('roles', rocks.id, 'guild', transaction);
      await product.activity.watch('elsewhere', rocks.id, 'guild', transaction);
      await product.activity.setPaused('roles', true, transaction);
    });
    const [groups, roles, elsewhere] = ['groups', 'roles', 'elsewhere'].map((name) => world.recorder(name));
    const withoutOne = world.copy({ listeners: [groups!, roles!] });
    await withoutOne.start();
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(2);
    expect(await world.told('roles')).toEqual([]);
    await world.inTransaction((transaction) => product.activity.setPaused('roles', false, transaction));
    await world.waitUntilTold(2, 'roles');
    await withoutOne.stop();
    await world.copy({ listeners: [groups!, roles!, elsewhere!] }).start();
    await world.waitUntilTold(2, 'elsewhere');
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(3);
    await world.waitUntilTold(3, 'roles');
    await world.waitUntilTold(3, 'elsewhere');
    await world.polled(rocks.id);
    for (const name of ['groups', 'roles', 'elsewhere']) {
      const ids = await world.told(name);
      expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
    }
  });
});

describe('a collection that was not watched for a while', () => {
  const longAgo = () =>
    world.database.pool.query(
      `update tracked_collections set last_succeeded_at = last_succeeded_at - interval '1 day',
       seeded_at = seeded_at - interval '1 day', caught_up_at = caught_up_at - interval '1 day'`,
    );

  test('counts as new when it is tracked again', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 1', transaction));
    await longAgo();
    indexerWrites(world.sandbox, {});
    await world.follow(product.activity, 'sui-rocks', 'group 2');
    await product.start();
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
  });

  test('gives listeners the number of mints in the meantime, in case they watch it again', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 1', transaction));
    await longAgo();
    await world.database.pool.query('update tracked_collections set minted_count = minted_count - 3');
    const heard: unknown[] = [];
    const recordMints = async (id: bigint, count: number) => void heard.push([id, count]);
    const copy = world.copy({ listeners: [{ ...world.recorder('groups'), recordMints }] });
    await copy.activity.track(await foundRocks());
    await copy.activity.track(await foundRocks());
    expect(heard).toEqual([[rocks.id, 3]]);
  });

  test('but was read for others also gives the number of mints, once each, and reports new mints only once it is watched again', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction(async (transaction) => {
      await product.activity.watch('roles', rocks.id, 'guild', transaction);
      await product.activity.unwatch('groups', rocks.id, 'group 1', transaction);
    });
    const heard: unknown[] = [];
    const recordMints = async (id: bigint, count: number) => void heard.push([id, count]);
    const groups = { ...world.recorder('groups'), recordMints };
    await world.copy({ listeners: [groups, world.recorder('roles')] }).start();
    indexerWrites(world.sandbox, { type: 'mint' });
    await world.waitUntilTold(1, 'roles');
    expect(heard).toEqual([[rocks.id, 1]]);
    await world.follow(product.activity);
    indexerWrites(world.sandbox, { type: 'mint' });
    await world.waitUntilTold(1);
    await world.polled(rocks.id);
    expect([await world.told(), heard]).toMatchObject([{ length: 1 }, [1, 2].map(() => [rocks.id, 1])]);
  });

  test('counts as new when a restored group watches it', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 1', transaction));
    await longAgo();
    indexerWrites(world.sandbox, {});
    await world.inTransaction((transaction) => product.activity.watch('groups', rocks.id, 'group 1', transaction));
    await product.start();
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
  });

  test('does not count as new if it was watched but not read: missed events are reported', async () => {
    const rocks = await world.follow(product.activity);
    await longAgo();
    indexerWrites(world.sandbox, {});
    await world.follow(product.activity, 'sui-rocks', 'group 2');
    await product.start();
    await world.waitUntilTold(1);
    expect((await product.activity.track(await foundRocks())).id).toBe(rocks.id);
  });

  const foundRocks = async () => {
    const found = await product.activity.lookUp('sui-rocks');
    if (found.kind !== 'found') throw new Error('not found');
    return found.collection;
  };

  test('has one past when two groups set it up at the same moment', async () => {
    const found = await foundRocks();
    const [one, other] = await Promise.all([product.activity.track(found), world.copy().activity.track(found)]);
    expect(one.id).toBe(other.id);
    await world.follow(product.activity);
    await product.start();
    await world.polled(one.id);
    expect(await world.told()).toEqual([]);
  });
});
