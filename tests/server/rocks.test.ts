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
  const { total, pageSize } = copy.book.firstPage().data;
  const pages = Array.from({ length: Math.ceil(total / pageSize) }, (_, at) => copy.book.page(everything, at + 1));
  return pages.flatMap(({ data }) => data.rocks);
}

const ownRocks = () => [...sandbox.world.state.nfts.values()].filter(({ collectionKey }) => collectionKey === 'rocks');

test('every rock is there with the owner, the place, the color and the price that the chain and the market have', async () => {
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

test('who buys a rock has it, and its history says so, without a second poll of the marketplace', async () => {
  await copy.start();
  const [listed] = copy.book.page(byPrice, 1).data.rocks;
  const buyer = `0x${'b'.repeat(64)}`;
  sandbox.world.buy({ nftId: listed?.objectId ?? '', buyer });
  const now = () => copy.book.find(listed?.number ?? 0);
  await until('it is the buyer’s', () => now()?.owner?.address === buyer, 30_000);
  expect(now()).toMatchObject({ listing: null, lastSale: { priceMist: listed?.listing?.priceMist } });
  const page = await copy.book.rock(listed?.number ?? 0);
  expect(page?.data.history[0]).toMatchObject({ kind: 'sale', from: listed?.owner?.address, to: buyer });
  const { data } = copy.book.holder(buyer, null);
  expect(data.count).toBe(1);
  expect(data.rocks[0]?.since).toBe(page?.data.history[0]?.at);
}, 60_000);

test('a share of the treasury is total / minted for each rock, to the micro-USD, and as old as that', async () => {
  await copy.start();
  const { owner } = allRocks().find(({ owner: each }) => each !== null) ?? {};
  const address = owner?.address ?? '';
  const valuePerRock = { asOf: '2026-11-25T00:00:00.000Z', state: 'stale' } as const;
  const treasury = { totalUsdValue: 1_247.5, valuePerRock: { mintedCount: 382 }, figures: { valuePerRock } };
  const { count, share } = copy.book.holder(address, treasury).data;
  const microUsd = Math.round((1_247_500_000 * count) / 382);
  const percent = Math.round((10_000 * count) / 382) / 100;
  expect(share).toEqual({ usd: microUsd / 1_000_000, percent, ...valuePerRock });
  const asked = await holder(address);
  const unknown = { usd: null, percent: null, asOf: null, state: 'unavailable' };
  expect(asked).toMatchObject({ status: 200, body: { data: { share: unknown } } });
});

test('a rock that is for sale in another coin than SUI is for sale without a price, and is no floor', async () => {
  await copy.start();
  const [listed, next] = copy.book.page(byPrice, 1).data.rocks;
  const { listedCount } = copy.book.collection().data;
  const of = { collection: 'rocks', nftId: listed?.objectId ?? '', priceCoin: '0x5::usdc::USDC' };
  sandbox.world.reportAction({ ...of, type: 'relist', priceMist: 50_000_000n });
  await until('its price is gone', () => copy.book.find(listed?.number ?? 0)?.listing?.priceMist === null, 40_000);
  expect(copy.book.page(byPrice, 1).data.rocks[0]?.number).toBe(next?.number);
  const floorSui = Number(next?.listing?.priceMist) / 1e9;
  expect(copy.book.collection().data).toMatchObject({ listedCount, floorSui });
}, 60_000);

test('a rock that is for sale at a price that cannot be read is for sale, not ‘not for sale’', async () => {
  const listings = sandbox.world.state.listings.filter((row) => row.collectionKey === 'rocks' && row.listed);
  listings[0]!.priceMist = null;
  await copy.start();
  expect(copy.book.collection().data.listedCount).toBe(listings.length);
  expect(copy.book.page({ ...byPrice, sort: 'number' }, 1).data.total).toBe(listings.length);
  const shown = copy.book.page(byPrice, 1).data.rocks;
  expect(shown.filter(({ listing }) => listing?.priceMist === null)).toHaveLength(
    shown.some(({ objectId }) => objectId === listings[0]?.nftId) ? 1 : 0,
  );
}, 60_000);

test('rows that the marketplace no longer has end no daily reading of the last week', async () => {
  await copy.start();
  await until('the past is read', () => copy.book.reach().isComplete, 60_000);
  const { state } = sandbox.world;
  state.actions = state.actions.filter(({ blockTimeMs }) => blockTimeMs < Date.now() - 30 * 86_400_000);
  const runs = async () => database.rows<{ state: string }>("select state from pgboss.job where name = 'rocks-past'");
  const before = (await runs()).length;
  await database.rows("update pgboss.job set start_after = now() where name = 'rocks-begin' and state = 'created'");
  await until('it is read again', async () => (await runs()).length > before, 40_000);
  await until('it is over', async () => (await runs()).every(({ state: each }) => each === 'completed'), 20_000);
  expect(copy.book.reach().isComplete).toBe(true);
}, 120_000);

test('what is still to be given goes with the watch when COLLECTION_TYPE is another', async () => {
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

test('a rock whose listing was cancelled is soon for sale nowhere, and no floor', async () => {
  await copy.start();
  const [first, second, next] = copy.book.page(byPrice, 1).data.rocks;
  // The first one may be seen with what else is read after the start.
  for (const rock of [first, second]) {
    sandbox.world.unlist({ nftId: rock?.objectId ?? '' });
    await until('it is not for sale', () => copy.book.find(rock?.number ?? 0)?.listing === null, 40_000);
  }
  expect(copy.book.collection().data.floorSui).toBe(Number(next?.listing?.priceMist) / 1e9);
}, 90_000);

const inAYear = () => Date.now() + 365 * 86_400_000;

test('an owner is shown by the name that the chain has for the address, everywhere', async () => {
  const first = ownRocks().toSorted((one, other) => one.number - other.number)[0];
  const owner = (first && ownerOf(sandbox.world.state, first)) ?? '';
  // Before another name that it may have.
  sandbox.world.state.names.unshift({ name: 'grug.sui', address: owner, expiresAtMs: inAYear() });
  await copy.start();
  await until('the name is read', () => allRocks()[0]?.owner?.name === 'grug.sui');
  for (const rock of allRocks()) expect(rock.owner?.name === 'grug.sui').toBe(rock.owner?.address === owner);
  const number = first?.number ?? 0;
  expect((await copy.book.rock(number))?.data.owner).toEqual({ address: owner, name: 'grug.sui' });
  expect(copy.book.holder(owner, null).data.name).toBe('grug.sui');
});

test('a holder is found by a name too, in each of its forms, and the answer says whose address it is', async () => {
  await copy.start();
  const owner = allRocks().find(({ owner: each }) => each !== null)?.owner?.address ?? '';
  const { names } = sandbox.world.state;
  names.push({ name: 'bone.sui', address: owner, expiresAtMs: inAYear() });
  names.push({ name: 'young.bone.sui', address: owner, expiresAtMs: inAYear() });
  const { count } = ((await holder(owner)).body as HolderAnswer).data;
  for (const name of ['bone.sui', '@bone', 'BONE.sui', 'young.bone.sui', 'young@bone']) {
    const found = await holder(name);
    expect(found).toMatchObject({
      status: 200,
      body: { data: { address: owner, count } },
    });
  }
});

test('a name that does not exist or has expired is not found, and one sentence says so', async () => {
  for (const name of ['nobody.sui', 'oldbone.sui', '@oldbone']) {
    const found = await holder(name);
    expect(found).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(found.body).toMatchObject({
      message: expect.stringMatching(/^No address has the name .+, or it has expired\.$/),
    });
  }
});

test('while the chain is away a name cannot be looked up, which is said, and an address still can', async () => {
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

test('asking for one name after the other cannot keep the chain from everybody else', async () => {
  sandbox.requests.reset();
  const asked = await Promise.all(Array.from({ length: 60 }, (_, at) => holder(`nobody-${at}.sui`)));
  expect(sandbox.requests.of('sui').count).toBe(30);
  expect(asked.filter(({ status }) => status === 404)).toHaveLength(30);
  expect(asked.filter(({ status }) => status === 503)).toHaveLength(30);
  expect(await holder('nobody-1.sui')).toMatchObject({ status: 404 });
});

test('an owner whose name was read is found by it even when too many names are asked for', async () => {
  const [first] = ownRocks();
  const owner = (first && ownerOf(sandbox.world.state, first)) ?? '';
  sandbox.world.state.names.unshift({ name: 'grug.sui', address: owner, expiresAtMs: inAYear() });
  await copy.start();
  await until('the name is read', () => copy.book.named('grug.sui') === owner);
  await Promise.all(Array.from({ length: 30 }, (_, at) => holder(`nobody-${at}.sui`)));
  expect(await holder('nobody-30.sui')).toMatchObject({ status: 503 });
  expect(await holder('@grug')).toMatchObject({ status: 200, body: { data: { address: owner, name: 'grug.sui' } } });
});
