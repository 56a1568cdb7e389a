import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nextPollInMs } from '../../src/market/poll/activity.ts';
import { createPollStore } from '../../src/market/poll/poll-store.ts';
import { createTrackedStore } from '../../src/market/poll/tracked-store.ts';
import { readNews, readPast } from '../../src/market/poll/read-activity.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import type { ActivityListener } from '../../src/market/contract.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { systemClock } from '../../src/process/in-time.ts';
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
const everyCollection = ['sui-rocks', 'lava-lizards', 'cave-bats', 'glow-worms'];

describe('copies of the product share the collections', () => {
  test('and together report each event once', async () => {
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

  test('and together poll no more often than one copy alone', async () => {
    const copies = Array.from({ length: 4 }, () => world.copy({ pollMs: [500, 600] }));
    await world.follow(product.activity);
    world.sandbox.requests.reset();
    const startedMs = Date.now();
    await Promise.all(copies.map((copy) => copy.start()));
    await until('three polls were made', () => askedCount() >= 3);
    await until('three seconds have passed', () => Date.now() - startedMs > 3_000);
    // The first poll at once, then one per shortest wait. If each of the four copies polled, it would be four times as many.
    expect(askedCount()).toBeLessThanOrEqual(1 + (Date.now() - startedMs) / 500);
  });

  test('and take over at once from a copy that stops', async () => {
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

const reading = () => {
  const { facts, urls } = world.sandbox;
  const market = createMarketCall({ url: urls.market, user: facts.marketUser, key: facts.marketKey });
  return { market, clock: systemClock, log: { warn: () => {} } };
};

test('a first reading that finishes after another one is dropped, so later events are still reported', async () => {
  const rocks = await world.follow(product.activity);
  const db = typedKysely(world.database.pool);
  const row = await createTrackedStore(db).watched(String(rocks.id));
  const before = { ...row!, seededAt: null, pollCount: '0' };
  indexerWrites(world.sandbox, {});
  const late = await readPast(reading(), rocks.marketId);
  expect(late.drafts.some(({ type }) => type === 'buy')).toBe(true);
  expect(await createPollStore(db).record(before, late, new Map())).toBeNull();
  await product.start();
  await world.waitUntilTold(1);
});

test('a collection is polled again after a random time between 30 and 45 seconds (rulings R4)', () => {
  const times = { TRACKER_POLL_MIN_MS: 30_000, TRACKER_POLL_MAX_MS: 45_000 };
  const inSeconds = [0, 0.5, 0.999].map((chance) => nextPollInMs(times, chance) / 1_000);
  for (const [index, seconds] of [30, 37.5, 44.985].entries()) expect(inSeconds[index]).toBeCloseTo(seconds, 1);
});

test('more watches on a collection bring no poll forward, but a collection without a poll job gets one', async () => {
  const rocks = await world.follow(product.activity);
  const waiting = () =>
    world.database.rows<{ count: number }>(
      "select count(*)::int as count from pgboss.job where name = 'market-poll' and state < 'active'",
    );
  await world.follow(product.activity, 'sui-rocks', 'group 2');
  expect(await waiting()).toEqual([{ count: 1 }]);
  await world.database.pool.query('delete from pgboss.job');
  await world.database.pool.query(
    "update tracked_collections set last_checked_at = last_checked_at - interval '1 hour'",
  );
  await product.start();
  await world.polled(rocks.id);
});

describe('a poll that finishes after a later one', () => {
  test('writes nothing and reports nothing', async () => {
    const rocks = await world.follow(product.activity);
    const database = typedKysely(world.database.pool);
    const [store, tracked] = [createPollStore(database), createTrackedStore(database)];
    const begin = async () => (await tracked.watched(rocks.id.toString()))!;
    const slow = await begin();
    const quick = await begin();
    indexerWrites(world.sandbox, {});
    const news = await readNews(reading(), rocks.marketId, slow);
    expect(news.drafts.some(({ type }) => type === 'buy')).toBe(true);

    const listeners = new Map<string, ActivityListener>([['groups', world.recorder('groups')]]);
    expect(await store.record(quick, news, listeners)).toEqual(['groups']);
    const before = await world.database.pool.query('select * from tracked_collections');
    expect(await store.record(slow, news, listeners)).toBeNull();
    await store.recordFailure(slow, 'timeout');
    expect((await world.database.pool.query('select * from tracked_collections')).rows).toEqual(before.rows);
    expect(await world.told()).toHaveLength(1);
  });
});
