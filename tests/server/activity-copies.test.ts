import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createPollStore } from '../../src/market/adapters/poll-store.ts';
import type { ActivityTables } from '../../src/market/adapters/tables.ts';
import { createTrackedStore } from '../../src/market/adapters/tracked-store.ts';
import { createTradeportActivity } from '../../src/market/adapters/tradeport-activity.ts';
import { createMarketplaceClient } from '../../src/sources/tradeport/marketplace-client.ts';
import { createActivityReader } from '../../src/market/activity/read-activity.ts';
import type { Collections } from '../../src/market/collections.ts';
import type { ActivityListener } from '../../src/market/contract.ts';
import { kyselyOver } from '../../src/db/connect.ts';
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
      if (count % 8 === 0) await world.waitUntilTold(count);
    }
    await world.waitUntilTold(40);
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
    await world.waitUntilTold(1);
    const tracked = (await product.activity.tracked([rocks.id])).get(rocks.id);
    expect(tracked?.failingSince).toBeNull();
  });

  test('a copy that stops gives its collections back at once', async () => {
    await world.follow(product.activity);
    await world.sandbox.faults.set('market', { kind: 'hang' });
    world.sandbox.requests.reset();
    await product.start();
    await until('a poll is under way', () => askedCount() > 0);
    await product.stop();
    await world.sandbox.faults.clear();
    indexerWrites(world.sandbox, {});
    const startedMs = Date.now();
    await world.copy().start();
    await world.waitUntilTold(1);
    expect(Date.now() - startedMs).toBeLessThan(5_000);
  });
});

const times = { pollMinMs: 100, pollMaxMs: 150, claimMs: 60_000 };
const openReader = () => {
  const { facts, urls } = world.sandbox;
  const marketplace = createMarketplaceClient({ url: urls.market, user: facts.marketUser, key: facts.marketKey });
  return createActivityReader({
    source: createTradeportActivity(marketplace),
    clock: systemClock,
    log: { warn: () => {} },
  });
};

test('a first sight that comes second makes nothing known: what happened since is told', async () => {
  const rocks = await world.follow(product.activity);
  indexerWrites(world.sandbox, {});
  const late = await openReader().readPast(rocks.marketId);
  expect(late.drafts.some(({ type }) => type === 'buy')).toBe(true);
  await createTrackedStore(kyselyOver<ActivityTables>(world.database.pool), times).recordPast(rocks.id, late);
  await product.start();
  await world.waitUntilTold(1);
});

test('a collection is due again between 30 and 45 seconds later, by chance (rulings R4)', async () => {
  await world.follow(product.activity);
  const { pool } = world.database;
  const store = createPollStore(kyselyOver<ActivityTables>(pool), { ...times, pollMinMs: 30_000, pollMaxMs: 45_000 });
  const dueAfterS: number[] = [];
  while (dueAfterS.length < 12) {
    await pool.query('update tracked_collections set poll_due_at = now()');
    const [claim] = await store.claim(1, ['groups']);
    await store.recordFailure(claim!, 'timeout');
    const { rows } = await pool.query<{ due_after_s: number }>(
      'select extract(epoch from poll_due_at - last_checked_at)::float8 as due_after_s from tracked_collections',
    );
    dueAfterS.push(rows[0]!.due_after_s);
  }
  expect(Math.min(...dueAfterS)).toBeGreaterThan(29.9);
  expect(Math.max(...dueAfterS)).toBeLessThan(45.1);
  expect(new Set(dueAfterS.map(Math.round)).size).toBeGreaterThan(1);
});

describe('a copy whose claim was taken while it read', () => {
  test('writes nothing and tells nobody', async () => {
    const rocks = await world.follow(product.activity);
    const store = createPollStore(kyselyOver<ActivityTables>(world.database.pool), times);
    const reader = openReader();
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
