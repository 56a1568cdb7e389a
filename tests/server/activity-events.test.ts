import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { ActivityTransfer, TrackedCollection } from '../../src/market/contract.ts';
import {
  type ActivityWorld,
  type RunningCollections,
  indexerWrites,
  startActivityWorld,
} from '../support/activity-world.ts';
import { until } from '../support/until.ts';

let world: ActivityWorld;
let product: RunningCollections;
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

const told = () => world.toldEvents(product.activity);
const rock = (number: number) =>
  [...world.sandbox.world.state.nfts.values()].find((nft) => nft.collectionKey === 'rocks' && nft.number === number)!;
const unlistedRocks = () => {
  const { nfts, listings } = world.sandbox.world.state;
  const listed = new Set(listings.filter((row) => row.listed).map(({ nftId }) => nftId));
  return [...nfts.values()].filter((nft) => nft.collectionKey === 'rocks' && !listed.has(nft.id));
};
const listedRock = () => world.sandbox.world.state.listings.find((row) => row.collectionKey === 'rocks' && row.listed)!;

describe('a piece that changes hands without a sale (rulings R5)', () => {
  test('is given to listeners with both wallets, but is neither reported to groups nor counted', async () => {
    const heard: ActivityTransfer[] = [];
    const listener = world.recorder('groups', ({ transfers }) => void heard.push(...transfers));
    await world.copy({ listeners: [listener] }).start();
    await product.stop();
    const nft = unlistedRocks()[0]!;
    const since = new Date();
    world.sandbox.world.transfer({ nftId: nft.id, address: buyer });
    const { sender } = world.sandbox.world.state.actions.at(-1)!;
    await until('the listener got the transfer', () => heard.some(({ receiver }) => receiver === buyer));
    expect(heard.find(({ receiver }) => receiver === buyer)).toMatchObject({ sender, receiver: buyer });
    expect(await world.told()).toEqual([]);
    expect(await product.activity.summary(rocks.id, since)).toMatchObject({
      saleCount: 0,
      mintCount: 0,
      topSale: null,
    });
  });
});

describe('the first sight of a collection', () => {
  test('reports no earlier events', async () => {
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
    const { rows } = await world.database.pool.query<{ count: string }>('select count(*) from activity_events');
    expect(Number(rows[0]?.count)).toBeGreaterThan(10);
  });

  test('reads the latest sale and the last day at once', async () => {
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

  test("gives the marketplace's facts about it", () => {
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

describe('each event is reported once, with the right kind', () => {
  test('a mint: the minter is the buyer', async () => {
    const nft = world.sandbox.world.mint({ address: buyer, priceMist: 10n * sui });
    await world.waitUntilTold(1);
    expect(await told()).toMatchObject([
      {
        kind: 'mint',
        type: 'mint',
        buyer,
        seller: null,
        priceMist: 10n * sui,
        nftObjectId: nft.id,
        nftName: nft.name,
      },
    ]);
  });

  test("a sale: from seller to buyer, by the marketplace's clock", async () => {
    const { nftId, seller, priceMist } = listedRock();
    world.sandbox.world.buy({ nftId, buyer });
    await world.waitUntilTold(1);
    const action = world.sandbox.world.state.actions.at(-1)!;
    expect(await told()).toMatchObject([
      {
        kind: 'sale',
        type: 'buy',
        buyer,
        seller,
        priceMist,
        foreignCoinType: null,
        marketName: 'tradeport',
        transactionDigest: action.txId,
        happenedAt: new Date(action.blockTimeMs),
        nftObjectId: nftId,
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
    await world.waitUntilTold(5);
    await world.polled(rocks.id);
    const events = await told();
    expect(events.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
      'listing list',
      'listing relist',
      'bid solo-bid',
      'bid collection-bid',
      'sale accept-bid',
    ]);
    expect(events[2]).toMatchObject({ buyer: bidder, seller: null, nftObjectId: rock(100).id });
    expect(events[3]).toMatchObject({ buyer: bidder, nftObjectId: null });
    expect(events[4]).toMatchObject({ buyer: bidder, priceMist: 9n * sui });
  });

  test('a sale in another coin: with that price, and none in SUI', async () => {
    const priceCoin = '0xdba3::usdc::USDC';
    indexerWrites(world.sandbox, { priceCoin, priceMist: 25_000_000n });
    await world.waitUntilTold(1);
    expect(await told()).toMatchObject([{ priceMist: null, foreignCoinType: priceCoin, foreignRawAmount: '25000000' }]);
    const since = new Date(world.sandbox.world.now().getTime() - 60_000);
    expect(await product.activity.summary(rocks.id, since)).toMatchObject({
      saleCount: 1,
      saleVolumeMist: 0n,
      pricedSaleCount: 0,
      topSale: null,
    });
  });

  test('but not transfers, cancelled bids or unknown types', async () => {
    world.sandbox.world.transfer({ nftId: rock(101).id, address: buyer });
    indexerWrites(world.sandbox, { type: 'teleport' });
    await world.polled(rocks.id);
    expect(await world.told()).toEqual([]);
  });

  test('with the floor before and after, and the listings of the hour before', async () => {
    const heard: { floorBeforeMist: bigint | null; floorMist: bigint | null; earlier: number; gapMs: number }[] = [];
    await product.stop();
    const listener = world.recorder('groups', ({ events, floorBeforeMist, collection, earlierListings, gapMs }) => {
      // A poll that reads the last hour again may bring earlier transfers.
      if (!events.some(({ kind }) => kind === 'listing')) return;
      heard.push({ floorBeforeMist, floorMist: collection.floorMist, earlier: earlierListings.length, gapMs });
    });
    await world.copy({ listeners: [listener] }).start();
    const { floorMist } = world.sandbox.world.facts('rocks');
    const [one, other] = unlistedRocks();
    world.sandbox.world.list({ nftId: one!.id, priceMist: sui });
    await world.waitUntilTold(1);
    world.sandbox.world.list({ nftId: other!.id, priceMist: 2n * sui });
    await world.waitUntilTold(2);
    expect(heard).toMatchObject([
      { floorBeforeMist: floorMist, floorMist: sui, earlier: 0 },
      { floorBeforeMist: sui, floorMist: sui, earlier: 1 },
    ]);
    for (const { gapMs } of heard) expect(gapMs).toBeLessThan(15_000);
  });
});

describe('counts and sums', () => {
  test('of a span, with its top sale', async () => {
    const since = new Date(world.sandbox.world.now().getTime() - 60_000);
    indexerWrites(world.sandbox, { priceMist: 5n * sui });
    const top = indexerWrites(world.sandbox, { priceMist: 9n * sui });
    indexerWrites(world.sandbox, { priceMist: null });
    world.sandbox.world.mint({ address: buyer, priceMist: 10n * sui });
    await world.waitUntilTold(4);
    expect(await product.activity.summary(rocks.id, since)).toMatchObject({
      mintCount: 1,
      saleCount: 3,
      saleVolumeMist: 14n * sui,
      pricedSaleCount: 2,
      listingCount: 0,
      bidCount: 0,
      topSale: { transactionDigest: top.txId },
    });
  });
});
