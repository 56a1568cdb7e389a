import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { TrackedCollection } from '../../src/market/contract.ts';
import {
  type ActivityWorld,
  type RunningCollections,
  indexerWrites,
  startActivityWorld,
} from '../support/activity-world.ts';

let world: ActivityWorld;
let product: RunningCollections;
let rocks: TrackedCollection;
const buyer = `0x${'b'.repeat(64)}`;

beforeEach(async () => {
  world = await startActivityWorld();
  product = world.copy();
  rocks = await world.follow(product.activity);
  await product.start();
});
afterEach(() => world.end());

const told = () => world.toldEvents(product.activity);
const toldTypes = async () => (await told()).map(({ type }) => type);
const rock = (number: number) =>
  [...world.sandbox.world.state.nfts.values()].find((nft) => nft.collectionKey === 'rocks' && nft.number === number)!;

describe('no event is reported twice:', () => {
  test('the same sale reported by two markets', async () => {
    const first = indexerWrites(world.sandbox, {});
    indexerWrites(world.sandbox, { txId: first.txId, nftId: first.nftId, marketName: 'bluemove' });
    await world.waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('the same sale reported by the second market minutes later', async () => {
    const first = indexerWrites(world.sandbox, {});
    await world.waitUntilTold(1);
    indexerWrites(world.sandbox, { txId: first.txId, nftId: first.nftId, marketName: 'bluemove' });
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('the same row repeated by the indexer', async () => {
    indexerWrites(world.sandbox, {});
    world.sandbox.world.repeatAction({ type: 'buy', times: 3 });
    await world.waitUntilTold(1);
    world.sandbox.world.repeatAction({ type: 'buy', times: 60 });
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('a row whose piece the indexer adds later', async () => {
    const row = indexerWrites(world.sandbox, { nftId: null });
    await world.waitUntilTold(1);
    row.nftId = rock(7).id;
    await world.polled(rocks.id);
    expect(await told()).toMatchObject([{ nftObjectId: null }]);
  });

  test('but two pieces in one transaction are two sales, and a sale and a listing of one piece are two events', async () => {
    const txId = 'OneTransaction';
    indexerWrites(world.sandbox, { txId, nftId: rock(1).id });
    indexerWrites(world.sandbox, { txId, nftId: rock(2).id });
    indexerWrites(world.sandbox, { txId, nftId: rock(2).id, type: 'list' });
    await world.waitUntilTold(3);
    await world.polled(rocks.id);
    expect(await toldTypes()).toEqual(['buy', 'buy', 'list']);
  });
});

describe('no event is lost:', () => {
  test('a row that the indexer adds nine minutes late', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    indexerWrites(world.sandbox, { blockTimeMs: nowMs });
    await world.waitUntilTold(1);
    indexerWrites(world.sandbox, { blockTimeMs: nowMs - 9 * 60_000 });
    // At once, not only with the deep reading.
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(2);
  });

  test('a row that the indexer adds 59 minutes late is found by the deep reading', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    indexerWrites(world.sandbox, { blockTimeMs: nowMs });
    await world.waitUntilTold(1);
    indexerWrites(world.sandbox, { blockTimeMs: nowMs - 59 * 60_000 });
    await world.waitUntilTold(2);
  });

  test('mints of one transaction whose pieces the indexer does not know yet', async () => {
    const airdrop = [1, 2, 3].map(() => indexerWrites(world.sandbox, { type: 'mint', txId: 'Airdrop', nftId: null }));
    await world.waitUntilTold(3);
    airdrop.forEach((row, index) => (row.nftId = rock(index + 1).id));
    await world.polled(rocks.id);
    expect(await toldTypes()).toEqual(['mint', 'mint', 'mint']);
  });

  test('rows that come out of order are reported in the order they happened', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    await product.stop();
    for (const minutes of [1, 3, 2]) {
      indexerWrites(world.sandbox, { blockTimeMs: nowMs - minutes * 60_000, txId: `minus ${minutes}` });
    }
    await world.copy().start();
    await world.waitUntilTold(3);
    expect((await told()).map(({ transactionDigest }) => transactionDigest)).toEqual(['minus 3', 'minus 2', 'minus 1']);
  });

  test('a burst of more rows than one page and one poll can hold', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    for (let count = 0; count < 1_130; count += 1) {
      indexerWrites(world.sandbox, { type: 'list', nftId: rock((count % 400) + 1).id, blockTimeMs: nowMs + count });
    }
    await world.waitUntilTold(1_130);
    await world.polled(rocks.id);
    expect(new Set(await world.told()).size).toBe(1_130);
    expect(await world.told()).toHaveLength(1_130);
  }, 60_000);

  test('a burst within a single moment that is larger than a poll', async () => {
    const blockTimeMs = world.sandbox.world.now().getTime();
    for (let count = 0; count < 1_130; count += 1) indexerWrites(world.sandbox, { blockTimeMs });
    await world.waitUntilTold(1_130);
    expect(new Set(await world.told()).size).toBe(1_130);
  }, 60_000);

  test('events while no copy runs', async () => {
    await product.stop();
    world.sandbox.world.mint({ address: buyer });
    world.sandbox.world.mint({ address: buyer });
    const next = world.copy();
    await next.start();
    await world.waitUntilTold(2);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(2);
  });

  test('after a long absence, each poll that catches up gives the whole gap, and all but the last say that more follows', async () => {
    const hasMore: boolean[] = [];
    await product.stop();
    for (let count = 0; count < 1_010; count += 1) indexerWrites(world.sandbox, { nftId: rock((count % 400) + 1).id });
    await world.database.pool.query("update tracked_collections set caught_up_at = caught_up_at - interval '2 hours'");
    await world.copy({ listeners: [world.recorder('groups', (batch) => void hasMore.push(batch.hasMore))] }).start();
    await world.waitUntilTold(1_010);
    expect(hasMore.slice(0, 2)).toEqual([true, false]);
    const { rows } = await world.database.pool.query<{ min: number }>('select min(gap_ms) from told');
    expect(rows[0]?.min).toBeGreaterThan(7_200_000);
  }, 60_000);

  test('events of an absence after a row that is dated hours ahead', async () => {
    const nowMs = Date.now();
    indexerWrites(world.sandbox, { blockTimeMs: nowMs + 8 * 3_600_000 });
    await world.waitUntilTold(1);
    await world.polled(rocks.id);
    await product.stop();
    indexerWrites(world.sandbox, { blockTimeMs: nowMs + 3_600_000 });
    await world.copy({ now: () => new Date(Date.now() + 3 * 3_600_000) }).start();
    await world.waitUntilTold(2);
  });

  test('events after a row that is dated years ahead', async () => {
    indexerWrites(world.sandbox, { blockTimeMs: Date.parse('2099-01-01T00:00:00Z') });
    await world.waitUntilTold(1);
    indexerWrites(world.sandbox, {});
    await world.waitUntilTold(2);
  });
});
