import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createPollStore } from '../../src/collections/adapters/poll-store.ts';
import type { ActivityTables } from '../../src/collections/adapters/tables.ts';
import { createTradeportActivity } from '../../src/collections/adapters/tradeport-activity.ts';
import { createMarketplaceClient } from '../../src/clients/marketplace/marketplace-client.ts';
import { createActivityReader } from '../../src/collections/activity/read-activity.ts';
import type { Collections } from '../../src/collections/collections.ts';
import type { ActivityListener } from '../../src/collections/ports.ts';
import { kyselyOver } from '../../src/platform/database/connect.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type ActivityWorld, indexerWrites, startActivityWorld } from '../support/activity-world.ts';
import { until } from '../support/until.ts';

let world: ActivityWorld;
let product: Collections;
beforeEach(async () => {
  world = await startActivityWorld();
  product = world.copy();
});
afterEach(() => world.end());

const waitUntilTold = (count: number, listener = 'groups') =>
  until(`${count} events are told to ${listener}`, async () => (await world.told(listener)).length >= count);
const askedCount = () => world.sandbox.requests.of('market').byOperation.actions ?? 0;
const everyCollection = ['sui-rocks', 'lava-lizards', 'cave-bats', 'glow-worms'];

describe('copies of the product share the collections', () => {
  test('and between them tell each event once', async () => {
    const copies = [product, world.copy(), world.copy()];
    for (const slug of everyCollection) await world.follow(product.activity, slug);
    await Promise.all(copies.map((copy) => copy.start()));
    for (let count = 0; count < 40; count += 1) {
      const collectionKey = ['rocks', 'lava-lizards', 'cave-bats', 'glow-worms'][count % 4]!;
      const nft = [...world.sandbox.world.state.nfts.values()].find((each) => each.collectionKey === collectionKey)!;
      indexerWrites(world.sandbox, { collectionKey, nftId: nft.id });
      if (count % 8 === 0) await waitUntilTold(count);
    }
    await waitUntilTold(40);
    await world.polled(1n);
    const ids = await world.told();
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
  });

  test('and ask no more often together than one alone', async () => {
    const copies = Array.from({ length: 4 }, () => world.copy({ pollMs: [500, 600] }));
    await world.follow(product.activity);
    world.sandbox.requests.reset();
    const startedMs = Date.now();
    await Promise.all(copies.map((copy) => copy.start()));
    await until('three seconds have passed', () => Date.now() - startedMs > 3_000);
    expect(askedCount()).toBeGreaterThanOrEqual(3);
    expect(askedCount()).toBeLessThanOrEqual(7);
  });

  test('a copy that dies at work holds its collection up only until its claim ends', async () => {
    const rocks = await world.follow(product.activity);
    await world.database.pool.query(
      "update tracked_collections set claimed_by = 'a dead copy', claim_token = 7, claimed_until = clock_timestamp() + interval '1 second'",
    );
    await product.start();
    indexerWrites(world.sandbox, {});
    await waitUntilTold(1);
    const tracked = (await product.activity.tracked([rocks.id])).get(rocks.id);
    expect(tracked?.failingSince).toBeNull();
  });

  test('a copy that stops gives its collections back at once', async () => {
    await world.follow(product.activity);
    await world.sandbox.faults.set('market', { kind: 'hang' });
    await product.start();
    await until('the marketplace is asked', () => world.sandbox.requests.of('market').inFlight > 0);
    await product.stop();
    await world.sandbox.faults.clear();
    indexerWrites(world.sandbox, {});
    const startedMs = Date.now();
    await world.copy().start();
    await waitUntilTold(1);
    expect(Date.now() - startedMs).toBeLessThan(5_000);
  });
});

describe('a copy whose claim was taken while it read', () => {
  test('writes nothing and tells nobody', async () => {
    const rocks = await world.follow(product.activity);
    const store = createPollStore(kyselyOver<ActivityTables>(world.database.pool), {
      pollMinMs: 100,
      pollMaxMs: 150,
      claimMs: 60_000,
    });
    const { facts, urls } = world.sandbox;
    const marketplace = createMarketplaceClient({ url: urls.market, user: facts.marketUser, key: facts.marketKey });
    const reader = createActivityReader({
      source: createTradeportActivity(marketplace),
      clock: systemClock,
      log: { warn: () => {} },
    });
    await until('the poll is due', async () => {
      const { rows } = await world.database.pool.query('select 1 from tracked_collections where poll_due_at <= now()');
      return rows.length === 1;
    });
    const [slow] = await store.claim(1, ['groups']);
    indexerWrites(world.sandbox, {});
    const reading = await reader.readNews(rocks.marketId, slow!.progress, () => store.renew(slow!));
    expect(reading.drafts.some(({ type }) => type === 'buy')).toBe(true);

    await world.database.pool.query("update tracked_collections set claimed_until = now() - interval '1 second'");
    const [quick] = await store.claim(1, ['groups']);
    expect(quick?.token).toBe(slow!.token + 1n);
    const listeners = new Map<string, ActivityListener>([['groups', world.recorder('groups')]]);
    const before = await world.database.pool.query('select * from tracked_collections');
    expect(await store.renew(slow!)).toBe(false);
    expect(await store.record(slow!, reading, listeners)).toBeNull();
    await store.recordFailure(slow!, 'timeout');
    await store.release(slow!);
    expect((await world.database.pool.query('select * from tracked_collections')).rows).toEqual(before.rows);
    expect(await world.told()).toEqual([]);

    expect(await store.record(quick!, reading, listeners)).toEqual(['groups']);
    expect(await world.told()).toHaveLength(1);
  });
});

describe('whoever listens', () => {
  test('and throws undoes the whole poll, which is repeated', async () => {
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
    await waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
    expect((await product.activity.latestSale(rocks.id))?.transactionDigest).toBe(row.txId);
    expect((await product.activity.tracked([rocks.id])).get(rocks.id)?.failingSince).toBeNull();
    expect(world.warnings.filter(({ message }) => message.includes('repeated'))).toHaveLength(2);
  });

  test('is told once, whatever number of its groups watch, and nobody asks more for them', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction(async (transaction) => {
      for (let group = 2; group <= 200; group += 1) {
        await product.activity.watch('groups', rocks.id, `group ${group}`, transaction);
      }
    });
    await product.start();
    indexerWrites(world.sandbox, {});
    await waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('no more is no longer asked for, and the collection is left alone', async () => {
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

  test('and paused reads nothing; afterwards everything is told with the length of the pause', async () => {
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
    await waitUntilTold(1);
    const { rows } = await world.database.pool.query<{ gap_ms: number }>('select gap_ms from told');
    expect(rows[0]?.gap_ms).toBeGreaterThan(900);
  });

  test('and was paused, or not run by the copy that read, is told later what others were told at once', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction(async (transaction) => {
      await product.activity.watch('roles', rocks.id, 'guild', transaction);
      await product.activity.watch('elsewhere', rocks.id, 'guild', transaction);
      await product.activity.setPaused('roles', true, transaction);
    });
    const both = world.copy({ listeners: [world.recorder('groups'), world.recorder('roles')] });
    await both.start();
    indexerWrites(world.sandbox, {});
    await waitUntilTold(1);
    indexerWrites(world.sandbox, {});
    await waitUntilTold(2);
    expect(await world.told('roles')).toEqual([]);
    await world.inTransaction((transaction) => product.activity.setPaused('roles', false, transaction));
    await waitUntilTold(2, 'roles');
    await world.copy({ listeners: [world.recorder('elsewhere')] }).start();
    await waitUntilTold(2, 'elsewhere');
    indexerWrites(world.sandbox, {});
    await waitUntilTold(3);
    await waitUntilTold(3, 'roles');
    await waitUntilTold(3, 'elsewhere');
    await world.polled(rocks.id);
    for (const name of ['groups', 'roles', 'elsewhere']) {
      const ids = await world.told(name);
      expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
    }
  });
});

describe('a collection that nobody watched for a while', () => {
  const longAgo = () =>
    world.database.pool.query(
      `update tracked_collections set last_succeeded_at = last_succeeded_at - interval '1 day',
       seeded_at = seeded_at - interval '1 day', caught_up_at = caught_up_at - interval '1 day'`,
    );

  test('is seen for the first time again by whoever tracks it next', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 1', transaction));
    await longAgo();
    indexerWrites(world.sandbox, {});
    await world.follow(product.activity, 'sui-rocks', 'group 2');
    await product.start();
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
    indexerWrites(world.sandbox, {});
    await waitUntilTold(1);
  });

  test('is seen for the first time again when a restored group watches it', async () => {
    const rocks = await world.follow(product.activity);
    await world.inTransaction((transaction) => product.activity.unwatch('groups', rocks.id, 'group 1', transaction));
    await longAgo();
    indexerWrites(world.sandbox, {});
    await world.inTransaction((transaction) => product.activity.watch('groups', rocks.id, 'group 1', transaction));
    await product.start();
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
    indexerWrites(world.sandbox, {});
    await waitUntilTold(1);
  });

  test('but one that is watched all the time is not: what it missed is told', async () => {
    const rocks = await world.follow(product.activity);
    await longAgo();
    indexerWrites(world.sandbox, {});
    await world.follow(product.activity, 'sui-rocks', 'group 2');
    await product.start();
    await waitUntilTold(1);
    expect((await product.activity.track(await foundRocks())).id).toBe(rocks.id);
  });

  const foundRocks = async () => {
    const found = await product.activity.lookUp('sui-rocks');
    if (found.kind !== 'found') throw new Error('not found');
    return found.collection;
  };

  test('two groups that set it up in the same moment begin with one past', async () => {
    const found = await foundRocks();
    const [one, other] = await Promise.all([product.activity.track(found), world.copy().activity.track(found)]);
    expect(one.id).toBe(other.id);
    await world.follow(product.activity);
    await product.start();
    await world.polled(one.id);
    expect(await world.told()).toEqual([]);
  });
});
