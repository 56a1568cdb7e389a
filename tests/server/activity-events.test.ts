import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Collections } from '../../src/collections/collections.ts';
import type { ActivityEvent, TrackedCollection } from '../../src/collections/contract.ts';
import { type ActivityWorld, indexerWrites, startActivityWorld } from '../support/activity-world.ts';
import { until } from '../support/until.ts';

let world: ActivityWorld;
let product: Collections;
let rocks: TrackedCollection;
const buyer = `0x${'b'.repeat(64)}`;
const bidder = `0x${'d'.repeat(64)}`;
const sui = 1_000_000_000n;

beforeEach(async () => {
  world = await startActivityWorld();
  product = world.copy();
  rocks = await world.follow(product.activity);
  await product.start();
});
afterEach(() => world.end());

const told = async (): Promise<readonly ActivityEvent[]> => {
  const ids = await world.told();
  const events = new Map((await product.activity.events(ids.map(BigInt))).map((event) => [event.id.toString(), event]));
  return ids.map((id) => events.get(id)!);
};
const toldTypes = async () => (await told()).map(({ type }) => type);
const waitUntilTold = (count: number) =>
  until(`${count} events are told`, async () => (await world.told()).length >= count);
const rock = (number: number) =>
  [...world.sandbox.world.state.nfts.values()].find((nft) => nft.collectionKey === 'rocks' && nft.number === number)!;
const unlistedRocks = () => {
  const { nfts, listings } = world.sandbox.world.state;
  const listed = new Set(listings.filter((row) => row.listed).map(({ nftId }) => nftId));
  return [...nfts.values()].filter((nft) => nft.collectionKey === 'rocks' && !listed.has(nft.id));
};
const listedRock = () => world.sandbox.world.state.listings.find((row) => row.collectionKey === 'rocks' && row.listed)!;

describe('the first sight of a collection', () => {
  test('tells nobody what happened before, however much it was', async () => {
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
    const { rows } = await world.database.pool.query<{ count: string }>('select count(*) from activity_events');
    expect(Number(rows[0]?.count)).toBeGreaterThan(10);
  });

  test('knows the latest sale and the last day at once', async () => {
    const { activity } = product;
    const { state } = world.sandbox.world;
    const sales = state.actions.filter(
      (row) => row.collectionKey === 'rocks' && ['buy', 'accept-bid', 'accept-collection-bid'].includes(row.type),
    );
    const last = sales.toSorted((one, other) => other.blockTimeMs - one.blockTimeMs)[0]!;
    expect((await activity.latestSale(rocks.id))?.transactionDigest).toBe(last.txId);
    const newestMs = Math.max(...state.actions.map(({ blockTimeMs }) => blockTimeMs));
    const since = new Date(newestMs - 20 * 3_600_000);
    const { saleCount, completeSince } = await activity.summary(rocks.id, since);
    expect(saleCount).toBe(sales.filter(({ blockTimeMs }) => blockTimeMs >= since.getTime()).length);
    expect(completeSince).toEqual(since);
  });

  test('gives what the marketplace says of it', () => {
    const facts = world.sandbox.world.facts('rocks');
    expect(rocks).toMatchObject({
      name: 'Sui Rocks',
      slug: world.sandbox.facts.collectionType,
      isVerified: true,
      floorMist: facts.floorMist,
      mintedCount: facts.supply,
      ownerCount: facts.ownerCount,
      listedCount: facts.listedCount,
      failingSince: null,
    });
  });
});

describe('what happens is told once, as what it is', () => {
  test('a mint: the minter is the buyer', async () => {
    const nft = world.sandbox.world.mint({ address: buyer, priceMist: 10n * sui });
    await waitUntilTold(1);
    expect(await told()).toMatchObject([
      {
        kind: 'mint',
        type: 'mint',
        buyer,
        seller: null,
        priceMist: 10n * sui,
        nft: { objectId: nft.id, name: nft.name },
      },
    ]);
  });

  test('a sale: from seller to buyer, by the clock of the marketplace', async () => {
    const { nftId, seller, priceMist } = listedRock();
    world.sandbox.world.buy({ nftId, buyer });
    await waitUntilTold(1);
    const action = world.sandbox.world.state.actions.at(-1)!;
    expect(await told()).toMatchObject([
      {
        kind: 'sale',
        type: 'buy',
        buyer,
        seller,
        priceMist,
        foreignPrice: null,
        marketName: 'tradeport',
        transactionDigest: action.txId,
        happenedAt: new Date(action.blockTimeMs),
        nft: { objectId: nftId },
      },
    ]);
  });

  test('listings, relistings, bids and accepted bids', async () => {
    const { world: outside } = world.sandbox;
    const { nftId } = listedRock();
    outside.unlist({ nftId });
    outside.list({ nftId, priceMist: 20n * sui });
    outside.relist({ nftId, priceMist: 19n * sui });
    const solo = outside.bid({ nftId: rock(100).id, bidder, priceMist: 9n * sui });
    outside.collectionBid({ collection: 'rocks', bidder, priceMist: 8n * sui, count: 2 });
    outside.acceptBid({ bidId: solo.id });
    await waitUntilTold(5);
    await world.polled(rocks.id);
    const events = await told();
    expect(events.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
      'listing list',
      'listing relist',
      'bid solo-bid',
      'bid collection-bid',
      'sale accept-bid',
    ]);
    expect(events[2]).toMatchObject({ buyer: bidder, seller: null, nft: { objectId: rock(100).id } });
    expect(events[3]).toMatchObject({ buyer: bidder, nft: null });
    expect(events[4]).toMatchObject({ buyer: bidder, priceMist: 9n * sui });
  });

  test('transfers, cancelled bids and words that are not known are not told', async () => {
    world.sandbox.world.transfer({ nftId: rock(101).id, address: buyer });
    indexerWrites(world.sandbox, { type: 'teleport' });
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
  });

  test('the floor before and after, and the listings of the hour before, come with the news', async () => {
    const heard: { floorBeforeMist: bigint | null; floorMist: bigint | null; earlier: number; gapMs: number }[] = [];
    await product.stop();
    const listener = world.recorder('groups', ({ floorBeforeMist, collection, earlierListings, gapMs }) =>
      heard.push({ floorBeforeMist, floorMist: collection.floorMist, earlier: earlierListings.length, gapMs }),
    );
    await world.copy({ listeners: [listener] }).start();
    const { floorMist } = world.sandbox.world.facts('rocks');
    const [one, other] = unlistedRocks();
    world.sandbox.world.list({ nftId: one!.id, priceMist: sui });
    await waitUntilTold(1);
    world.sandbox.world.list({ nftId: other!.id, priceMist: 2n * sui });
    await waitUntilTold(2);
    expect(heard).toMatchObject([
      { floorBeforeMist: floorMist, floorMist: sui, earlier: 0 },
      { floorBeforeMist: sui, floorMist: sui, earlier: 1 },
    ]);
    for (const { gapMs } of heard) expect(gapMs).toBeLessThan(15_000);
  });
});

describe('nothing is told twice', () => {
  test('the same sale reported by two markets', async () => {
    const first = indexerWrites(world.sandbox, {});
    indexerWrites(world.sandbox, { txId: first.txId, nftId: first.nftId, marketName: 'bluemove' });
    await waitUntilTold(1);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('the same sale reported by the second market minutes later', async () => {
    const first = indexerWrites(world.sandbox, {});
    await waitUntilTold(1);
    indexerWrites(world.sandbox, { txId: first.txId, nftId: first.nftId, marketName: 'bluemove' });
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(1);
  });

  test('a row whose piece the indexer learns later', async () => {
    const row = indexerWrites(world.sandbox, { nftId: null });
    await waitUntilTold(1);
    row.nftId = rock(7).id;
    await world.polled(rocks.id);
    expect(await told()).toMatchObject([{ nft: null }]);
  });

  test('two pieces in one transaction are two sales, a sale and a listing of one piece are two events', async () => {
    const txId = 'OneTransaction';
    indexerWrites(world.sandbox, { txId, nftId: rock(1).id });
    indexerWrites(world.sandbox, { txId, nftId: rock(2).id });
    indexerWrites(world.sandbox, { txId, nftId: rock(2).id, type: 'list' });
    await waitUntilTold(3);
    await world.polled(rocks.id);
    expect(await toldTypes()).toEqual(['buy', 'buy', 'list']);
  });
});

describe('nothing is lost', () => {
  test('a row that the indexer writes nine minutes late', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    indexerWrites(world.sandbox, { blockTimeMs: nowMs });
    await waitUntilTold(1);
    indexerWrites(world.sandbox, { blockTimeMs: nowMs - 9 * 60_000 });
    await waitUntilTold(2);
  });

  test('a row that the indexer writes 59 minutes late is found by the deep reading', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    indexerWrites(world.sandbox, { blockTimeMs: nowMs });
    await waitUntilTold(1);
    indexerWrites(world.sandbox, { blockTimeMs: nowMs - 59 * 60_000 });
    await waitUntilTold(2);
  });

  test('rows in another order than they happened are told in the order they happened', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    await product.stop();
    for (const minutes of [1, 3, 2]) {
      indexerWrites(world.sandbox, { blockTimeMs: nowMs - minutes * 60_000, txId: `minus ${minutes}` });
    }
    await world.copy().start();
    await waitUntilTold(3);
    expect((await told()).map(({ transactionDigest }) => transactionDigest)).toEqual(['minus 3', 'minus 2', 'minus 1']);
  });

  test('a burst of more than a page, and of more than one poll can read', async () => {
    const nowMs = world.sandbox.world.now().getTime();
    for (let count = 0; count < 1_130; count += 1) {
      indexerWrites(world.sandbox, { type: 'list', nftId: rock((count % 400) + 1).id, blockTimeMs: nowMs + count });
    }
    await waitUntilTold(1_130);
    await world.polled(rocks.id);
    expect(new Set(await world.told()).size).toBe(1_130);
    expect(await world.told()).toHaveLength(1_130);
  }, 60_000);

  test('a burst of one single moment that is larger than a poll', async () => {
    const blockTimeMs = world.sandbox.world.now().getTime();
    for (let count = 0; count < 1_130; count += 1) indexerWrites(world.sandbox, { blockTimeMs });
    await waitUntilTold(1_130);
    expect(new Set(await world.told()).size).toBe(1_130);
  }, 60_000);

  test('what happens while no copy runs', async () => {
    await product.stop();
    world.sandbox.world.mint({ address: buyer });
    world.sandbox.world.mint({ address: buyer });
    const next = world.copy();
    await next.start();
    await waitUntilTold(2);
    await world.polled(rocks.id);
    expect(await world.told()).toHaveLength(2);
  });

  test('a long absence stays one for every poll that catches up', async () => {
    await product.stop();
    for (let count = 0; count < 1_010; count += 1) indexerWrites(world.sandbox, { nftId: rock((count % 400) + 1).id });
    await world.database.pool.query("update tracked_collections set caught_up_at = caught_up_at - interval '2 hours'");
    await world.copy().start();
    await waitUntilTold(1_010);
    const { rows } = await world.database.pool.query<{ min: number }>('select min(gap_ms) from told');
    expect(rows[0]?.min).toBeGreaterThan(7_200_000);
  }, 60_000);

  test('what comes after a row that is dated years ahead', async () => {
    indexerWrites(world.sandbox, { blockTimeMs: Date.parse('2099-01-01T00:00:00Z') });
    await waitUntilTold(1);
    indexerWrites(world.sandbox, {});
    await waitUntilTold(2);
  });
});

describe('counts and sums', () => {
  test('of a span, with its top sale', async () => {
    const since = new Date(world.sandbox.world.now().getTime() - 60_000);
    indexerWrites(world.sandbox, { priceMist: 5n * sui });
    const top = indexerWrites(world.sandbox, { priceMist: 9n * sui });
    indexerWrites(world.sandbox, { priceMist: null });
    world.sandbox.world.mint({ address: buyer, priceMist: 10n * sui });
    await waitUntilTold(4);
    expect(await product.activity.summary(rocks.id, since)).toMatchObject({
      mintCount: 1,
      mintVolumeMist: 10n * sui,
      saleCount: 3,
      saleVolumeMist: 14n * sui,
      listingCount: 0,
      bidCount: 0,
      topSale: { transactionDigest: top.txId },
    });
  });
});
