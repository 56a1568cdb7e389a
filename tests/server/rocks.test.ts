import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { ownerOf } from '../../sandbox/world/ownership.ts';
import type { HolderAnswer } from '../../src/market/rocks-contract.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { openRocks } from '../support/open-rocks.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let database: TestDatabase;
let copy: ReturnType<typeof openRocks>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  sandbox.world.reset();
  database = await testDatabase();
  copy = openRocks(sandbox, database);
});
afterEach(async () => {
  await copy.stop();
  await sandbox.faults.clear();
  await database.drop();
});

const holder = (address: string) => copy.ask('/api/holders/{address}', { address });
const everything = { color: null, listed: null, owner: null, sort: 'number' } as const;
const byPrice = { ...everything, listed: true, sort: 'price' } as const;

function allRocks() {
  const { total, pageSize } = copy.catalog.firstPage();
  const pages = Array.from({ length: Math.ceil(total / pageSize) }, (_, at) => copy.catalog.page(everything, at + 1));
  return pages.flatMap(({ rocks }) => rocks);
}

const ownRocks = () => [...sandbox.world.state.nfts.values()].filter(({ collectionKey }) => collectionKey === 'rocks');

test('every rock is shown with the owner, place, color and price from the chain and the marketplace', async () => {
  await copy.start();
  const { state } = sandbox.world;
  const expected = ownRocks().map((nft) => {
    const kiosk = nft.place.kind === 'kiosk' ? state.kiosks.get(nft.place.kioskId) : undefined;
    const listing = state.listings.find(({ nftId, listed }) => nftId === nft.id && listed);
    return {
      number: nft.number,
      owner: ownerOf(state, nft),
      place:
        nft.place.kind === 'simple-listing'
          ? 'escrow'
          : kiosk?.capKind === 'origin-byte-kiosk'
            ? 'kiosk'
            : (kiosk?.capKind ?? 'wallet'),
      color: nft.colour?.name ?? null,
      price: listing?.priceMist?.toString() ?? null,
    };
  });
  const shown = allRocks().map(({ number, owner, place, color, listing }) => {
    return { number, owner: owner?.address, place, color, price: listing?.priceMist ?? null };
  });
  expect(shown).toEqual(expected.toSorted((one, other) => one.number - other.number));
});

test('a sold rock belongs to its buyer, and its history shows the sale, without a second poll of the marketplace', async () => {
  await copy.start();
  const [listed] = copy.catalog.page(byPrice, 1).rocks;
  const buyer = `0x${'b'.repeat(64)}`;
  sandbox.world.buy({ nftId: listed?.objectId ?? '', buyer });
  const now = () => copy.catalog.find(listed?.number ?? 0);
  await until('it is the buyer’s', () => now()?.owner?.address === buyer, 30_000);
  expect(now()).toMatchObject({ listing: null, lastSale: { priceMist: listed?.listing?.priceMist } });
  const page = await copy.catalog.rock(listed?.number ?? 0);
  expect(page?.history[0]).toMatchObject({ kind: 'sale', from: listed?.owner?.address, to: buyer });
  const held = copy.catalog.holder(buyer, null);
  expect(held.count).toBe(1);
  expect(held.rocks[0]?.since).toBe(page?.history[0]?.at);
}, 60_000);

test("a share of the treasury is total / minted for each rock, to the micro-USD, with the treasury's age", async () => {
  await copy.start();
  const { owner } = allRocks().find(({ owner: each }) => each !== null) ?? {};
  const address = owner?.address ?? '';
  const valuePerRock = { asOf: '2026-11-25T00:00:00.000Z', state: 'stale' } as const;
  const treasury = { totalUsdValue: 1_247.5, valuePerRock: { mintedCount: 382 }, figures: { valuePerRock } };
  const { count, share } = copy.catalog.holder(address, treasury);
  const microUsd = Math.round((1_247_500_000 * count) / 382);
  const percent = Math.round((10_000 * count) / 382) / 100;
  expect(share).toEqual({ usd: microUsd / 1_000_000, percent, ...valuePerRock });
  const asked = await holder(address);
  const unknown = { usd: null, percent: null, asOf: null, state: 'unavailable' };
  expect(asked).toMatchObject({ status: 200, body: { data: { share: unknown } } });
});

test('a rock for sale in another coin than SUI is shown without a price and does not set the floor, not even of the treasury', async () => {
  await copy.start();
  const [listed, next] = copy.catalog.page(byPrice, 1).rocks;
  const { listedCount } = copy.catalog.collection();
  const of = { collection: 'rocks', nftId: listed?.objectId ?? '', priceCoin: '0x5::usdc::USDC' };
  sandbox.world.reportAction({ ...of, type: 'relist', priceMist: 50_000_000n });
  await until('its price is gone', () => copy.catalog.find(listed?.number ?? 0)?.listing?.priceMist === null, 40_000);
  expect(copy.catalog.page(byPrice, 1).rocks[0]?.number).toBe(next?.number);
  const floorSui = Number(next?.listing?.priceMist) / 1e9;
  expect(copy.catalog.collection()).toMatchObject({ listedCount, floorSui });
  const type = sandbox.facts.collectionType;
  const fact = { verified: true, floorMist: 5n, asOf: new Date(Date.now() - 1_000) };
  const ownFloor = (verified: boolean) => copy.catalog.withOwnFloor(new Map([[type, { ...fact, verified }]])).get(type);
  expect(ownFloor(true)).toEqual({ ...fact, floorMist: BigInt(next?.listing?.priceMist ?? 0) });
  expect(ownFloor(false)?.floorMist).toBe(5n);
}, 60_000);

test('a rock for sale at an unreadable price is still shown as for sale', async () => {
  const listings = sandbox.world.state.listings.filter((row) => row.collectionKey === 'rocks' && row.listed);
  listings[0]!.priceMist = null;
  await copy.start();
  expect(copy.catalog.collection().listedCount).toBe(listings.length);
  expect(copy.catalog.page({ ...byPrice, sort: 'number' }, 1).total).toBe(listings.length);
  const shown = copy.catalog.page(byPrice, 1).rocks;
  expect(shown.filter(({ listing }) => listing?.priceMist === null)).toHaveLength(
    shown.some(({ objectId }) => objectId === listings[0]?.nftId) ? 1 : 0,
  );
}, 60_000);

test('the daily reading of the last week succeeds even if the marketplace has dropped those rows', async () => {
  await copy.start();
  await until('the past is read', () => copy.catalog.reach().isComplete, 60_000);
  const { state } = sandbox.world;
  state.actions = state.actions.filter(({ blockTimeMs }) => blockTimeMs < Date.now() - 30 * 86_400_000);
  const runs = async () => database.rows<{ state: string }>("select state from pgboss.job where name = 'rocks-past'");
  const before = (await runs()).length;
  await database.rows("update pgboss.job set start_after = now() where name = 'rocks-begin' and state = 'created'");
  await until('it is read again', async () => (await runs()).length > before, 40_000);
  await until('it is over', async () => (await runs()).every(({ state: each }) => each === 'completed'), 20_000);
  expect(copy.catalog.reach().isComplete).toBe(true);
}, 120_000);

test('a change of COLLECTION_TYPE deletes the watch on the old collection and its backlog', async () => {
  await database.pool.query(`
    insert into tracked_collections (market_id, slug, name, is_verified) values ('old', 'old', 'Old', true);
    insert into collection_watches (tracked_collection_id, listener, watcher) select id, 'rocks', 'rocks' from tracked_collections;
    insert into activity_backlogs (tracked_collection_id, listener, first_event_id, since)
      select id, 'rocks', 1, now() from tracked_collections`);
  await copy.start();
  const of = async (table: string) =>
    database.rows(
      `select 1 from ${table} join tracked_collections on id = tracked_collection_id where market_id = 'old'`,
    );
  await until('it is not watched any more', async () => (await of('collection_watches')).length === 0, 30_000);
  expect(await of('activity_backlogs')).toEqual([]);
}, 60_000);

test('a rock whose listing is cancelled is soon not for sale and does not set the floor, also while a bot that is off misses events', async () => {
  await copy.start();
  const [first, second, next] = copy.catalog.page(byPrice, 1).rocks;
  const cancel = async (rock: typeof first): Promise<void> => {
    sandbox.world.unlist({ nftId: rock?.objectId ?? '' });
    await until('it is not for sale', () => copy.catalog.find(rock?.number ?? 0)?.listing === null, 40_000);
  };
  // Other readings after the start may also find the first one.
  await cancel(first);
  await database.pool.query(`
    insert into activity_listeners (name, is_paused) values ('groups', true);
    insert into collection_watches (tracked_collection_id, listener, watcher) select id, 'groups', '-1' from tracked_collections;
    insert into activity_backlogs (tracked_collection_id, listener, first_event_id, since)
      select id, 'groups', 1, now() from tracked_collections`);
  await cancel(second);
  expect(copy.catalog.collection().floorSui).toBe(Number(next?.listing?.priceMist) / 1e9);
}, 90_000);

const inAYear = () => Date.now() + 365 * 86_400_000;

test("an owner's on-chain name is shown everywhere", async () => {
  const first = ownRocks().toSorted((one, other) => one.number - other.number)[0];
  const owner = (first && ownerOf(sandbox.world.state, first)) ?? '';
  // First in the list, before any other name of this address.
  sandbox.world.state.names.unshift({ name: 'grug.sui', address: owner, expiresAtMs: inAYear() });
  await copy.start();
  await until('the name is read', () => allRocks()[0]?.owner?.name === 'grug.sui');
  for (const rock of allRocks()) expect(rock.owner?.name === 'grug.sui').toBe(rock.owner?.address === owner);
  const number = first?.number ?? 0;
  expect((await copy.catalog.rock(number))?.owner).toEqual({ address: owner, name: 'grug.sui' });
  expect(copy.catalog.holder(owner, null).name).toBe('grug.sui');
});

test('a holder is also found by name, in each of its forms, and the answer gives the address', async () => {
  await copy.start();
  const owner = allRocks().find(({ owner: each }) => each !== null)?.owner?.address ?? '';
  const { names } = sandbox.world.state;
  names.push({ name: 'bone.sui', address: owner, expiresAtMs: inAYear() });
  names.push({ name: 'young.bone.sui', address: owner, expiresAtMs: inAYear() });
  const { count } = ((await holder(owner)).body as { data: HolderAnswer }).data;
  for (const name of ['bone.sui', '@bone', 'BONE.sui', 'young.bone.sui', 'young@bone']) {
    const found = await holder(name);
    expect(found).toMatchObject({
      status: 200,
      body: { data: { address: owner, count } },
    });
  }
});

test('a name that does not exist or has expired gets 404 with one clear sentence', async () => {
  for (const name of ['nobody.sui', 'oldbone.sui', '@oldbone']) {
    const found = await holder(name);
    expect(found).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(found.body).toMatchObject({
      message: expect.stringMatching(/^The name .+ leads to no address, or has expired\.$/),
    });
  }
});

test('while the chain is down, names get a clear 503, and addresses are still answered', async () => {
  await copy.start();
  await sandbox.faults.set('sui', { kind: '500' });
  expect(await holder('suirocks.sui')).toMatchObject({
    status: 503,
    body: {
      message: expect.stringMatching(/^The Sui full node does not answer right now\. Try again in \d+ seconds?\.$/),
    },
  });
  expect(await holder(`0x${'1'.repeat(64)}`)).toMatchObject({
    status: 200,
    body: { data: { count: 0, name: null } },
  });
});

test('a flood of name look-ups is limited to 30 calls to the chain', async () => {
  sandbox.requests.reset();
  const asked = await Promise.all(Array.from({ length: 60 }, (_, at) => holder(`nobody-${at}.sui`)));
  expect(sandbox.requests.of('sui').count).toBe(30);
  expect(asked.filter(({ status }) => status === 404)).toHaveLength(30);
  expect(asked.filter(({ status }) => status === 503)).toHaveLength(30);
  expect(await holder('nobody-1.sui')).toMatchObject({ status: 404 });
});

test('an owner with a stored name is found by it even when too many names are looked up', async () => {
  const [first] = ownRocks();
  const owner = (first && ownerOf(sandbox.world.state, first)) ?? '';
  sandbox.world.state.names.unshift({ name: 'grug.sui', address: owner, expiresAtMs: inAYear() });
  await copy.start();
  await until('the name is read', () => copy.catalog.named('grug.sui') === owner);
  await Promise.all(Array.from({ length: 30 }, (_, at) => holder(`nobody-${at}.sui`)));
  expect(await holder('nobody-30.sui')).toMatchObject({ status: 503 });
  expect(await holder('@grug')).toMatchObject({ status: 200, body: { data: { address: owner, name: 'grug.sui' } } });
});
