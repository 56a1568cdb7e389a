import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { typedKysely } from '../../src/db/connect.ts';
import type { RockEvent } from '../../src/market/core/rock-history.ts';
import type { Rock } from '../../src/market/core/rocks.ts';
import { createOwnerNames } from '../../src/market/rocks/owner-names.ts';
import { createRockCatalog } from '../../src/market/rocks/rock-catalog.ts';
import { createRockStore } from '../../src/market/rocks/rock-store.ts';
import { systemClock } from '../../src/process/in-time.ts';
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
});
afterEach(async () => {
  await copy.stop();
  await database.drop();
});

const byPrice = { color: null, listed: true, owner: null, sort: 'price' } as const;
const ownRocks = () => [...sandbox.world.state.nfts.values()].filter(({ collectionKey }) => collectionKey === 'rocks');
const historyOf = async (number: number) => (await copy.catalog.rock(number))?.history ?? [];
const told = new Set(['mint', 'buy', 'accept-bid', 'accept-collection-bid', 'list', 'relist', 'transfer', 'burn']);

test.each([
  { pages: 'full pages', rowsMax: () => Infinity },
  { pages: 'pages shorter than requested', rowsMax: () => 250 },
  { pages: 'pages with the first one empty', rowsMax: (page: number) => (page === 1 ? 0 : 250) },
  { pages: 'pages with the third one empty', rowsMax: (page: number) => (page === 3 ? 0 : 250) },
])(
  'the past is read from the first mint to its end, each event once, in $pages',
  async ({ rowsMax }) => {
    copy = openRocks(sandbox, database, { pastRowsMax: rowsMax });
    await copy.start();
    await until('the past is read', () => copy.catalog.reach().isComplete, 60_000);
    const { actions } = sandbox.world.state;
    const rows = Map.groupBy(
      actions.filter(({ type }) => told.has(type)),
      ({ nftId }) => nftId,
    );
    for (const { id, number } of ownRocks()) {
      const expected = (rows.get(id) ?? []).map(({ txId }) => txId);
      const history = await historyOf(number);
      expect(history.map(({ digest }) => digest ?? '').toSorted()).toEqual(expected.toSorted());
      const times = history.map(({ at }) => at);
      expect(times).toEqual(times.toSorted().toReversed());
    }
    expect((await historyOf(1)).at(-1)).toMatchObject({ kind: 'mint', from: null });
  },
  90_000,
);

test('an event that the marketplace reports a day late is added to the history', async () => {
  copy = openRocks(sandbox, database);
  await copy.start();
  await until('the past is read', () => copy.catalog.reach().isComplete, 60_000);
  const { rows } = await database.pool.query<{ lastAt: Date }>('select max(happened_at) as "lastAt" from rock_events');
  const [rock] = ownRocks();
  const { number } = sandbox.world.mint({ address: `0x${'7'.repeat(64)}` });
  // From now on polls read at most an hour back.
  await until('there is news', async () => (await historyOf(number)).length > 0, 40_000);
  const agoMs = Date.now() - (rows[0]?.lastAt.getTime() ?? 0) + 26 * 3_600_000;
  const { txId } = sandbox.world.reportAction({ collection: 'rocks', type: 'transfer', nftId: rock?.id ?? '', agoMs });
  await database.pool.query(
    "update pgboss.job set start_after = now() where name = 'rocks-begin' and state = 'created'",
  );
  const isKnown = async () => (await historyOf(rock?.number ?? 0)).some(({ digest }) => digest === txId);
  await until('the late event is in the history', isKnown, 40_000);
  expect(copy.catalog.reach().isComplete).toBe(true);
}, 120_000);

test('rocks that the marketplace omits for a while stay, and all rocks keep the age of the last complete reading', async () => {
  copy = openRocks(sandbox, database);
  await copy.start();
  const { asOf, total } = copy.catalog.firstPage();
  const [listed] = copy.catalog.page(byPrice, 1).rocks;
  const { missedByIndexer } = sandbox.world.state;
  for (const { id } of ownRocks()) if (id !== listed?.objectId) missedByIndexer.add(id);
  const buyer = `0x${'c'.repeat(64)}`;
  sandbox.world.buy({ nftId: listed?.objectId ?? '', buyer });
  await until('it is read again', () => copy.catalog.find(listed?.number ?? 0)?.owner?.address === buyer, 40_000);
  expect(copy.catalog.firstPage()).toMatchObject({ asOf, total });
}, 60_000);

test('a rock that the marketplace omits for a day keeps its own age, and the others get the new one', async () => {
  copy = openRocks(sandbox, database);
  await copy.start();
  const [listed] = copy.catalog.page(byPrice, 1).rocks;
  const lost = ownRocks().find(({ id }) => id !== listed?.objectId);
  sandbox.world.state.missedByIndexer.add(lost?.id ?? '');
  await database.pool.query("update rocks set read_at = read_at - interval '25 hours' where object_id = $1", [
    lost?.id,
  ]);
  await database.pool.query("update rock_readings set rocks_as_of = rocks_as_of - interval '25 hours'");
  const startedMs = Date.now();
  const buyer = `0x${'c'.repeat(64)}`;
  sandbox.world.buy({ nftId: listed?.objectId ?? '', buyer });
  await until('it is read again', () => copy.catalog.find(listed?.number ?? 0)?.owner?.address === buyer, 40_000);
  const ageOf = ({ asOf }: { readonly asOf: string | null }): number => startedMs - Date.parse(asOf ?? '');
  expect(ageOf(copy.catalog.firstPage())).toBeLessThan(60_000);
  const page = await copy.catalog.rock(lost?.number ?? 0);
  expect(page).toMatchObject({ objectId: lost?.id, state: 'stale' });
  expect(ageOf(page ?? { asOf: null })).toBeGreaterThan(24 * 3_600_000);
}, 60_000);

test('a burned rock no longer exists: it has no owner and is not counted', async () => {
  copy = openRocks(sandbox, database);
  await copy.start();
  const address = `0x${'6'.repeat(64)}`;
  const [burned, kept] = [sandbox.world.mint({ address }), sandbox.world.mint({ address })];
  await until('both are theirs', () => copy.catalog.holder(address, null).count === 2, 40_000);
  const mintedCount = () => copy.catalog.collection().mintedCount ?? 0;
  const mintedOfColors = () => copy.catalog.firstPage().colors.reduce((sum, { minted }) => sum + minted, 0);
  const before = [mintedCount(), mintedOfColors()];
  sandbox.world.burn({ nftId: burned.id });
  await until('one is gone', () => copy.catalog.holder(address, null).count === 1, 40_000);
  expect(copy.catalog.find(kept.number)?.owner?.address).toBe(address);
  expect([mintedCount(), mintedOfColors()]).toEqual(before.map((count) => count - 1));
  expect(copy.catalog.owners()?.map(({ number }) => number)).not.toContain(burned.number);
  expect(copy.catalog.firstPage().state).toBe('live');
  expect(await copy.ask('/api/rocks/{number}', { number: `${burned.number}` })).toMatchObject({
    status: 404,
    body: { message: `No rock has the number ${burned.number}.` },
  });
}, 90_000);

test('a rock in escrow at the marketplace still belongs to its seller, even if the seller holds other rocks', async () => {
  copy = openRocks(sandbox, database);
  await copy.start();
  const seller = `0x${'5'.repeat(64)}`;
  const [rock] = [sandbox.world.mint({ address: seller }), sandbox.world.mint({ address: seller })];
  const found = () => copy.catalog.find(rock?.number ?? 0);
  await until('the rock is read', () => found()?.place === 'wallet', 40_000);
  sandbox.world.list({ nftId: rock?.id ?? '', priceMist: 7_000_000_000n });
  await until('its listing is read', () => found()?.listing !== null, 40_000);
  expect(found()).toMatchObject({ place: 'escrow', owner: { address: seller } });
}, 90_000);

const ofOne = { network: 'mainnet', collectionType: '0x1::rock::Rock' };

test('the later of two readings of the database is shown, whichever takes longer', async () => {
  copy = openRocks(sandbox, database);
  const db = typedKysely(database.pool);
  const store = createRockStore(db, ofOne);
  const place = { owner: null, place: null, kioskId: null, listing: null };
  const rock = (number: number): Rock => {
    return { objectId: `0x${number}`, number, name: null, imageUrl: null, color: null, ...place, readAt: new Date() };
  };
  const slow = Promise.withResolvers<void>();
  let readings = 0;
  const rocks = async () => {
    const isFirst = ++readings === 1;
    const read = await store.rocks();
    if (isFirst) await slow.promise;
    return read;
  };
  const names = createOwnerNames(db, ofOne.network);
  const catalog = createRockCatalog({ ...store, rocks }, names, ofOne.collectionType, systemClock);
  await store.saveRocks([rock(1)], new Date());
  const first = catalog.load();
  await until('the first is being read', () => readings === 1);
  await store.saveRocks([rock(1), rock(2)], new Date());
  const second = catalog.load();
  // Long enough for the second to be read, if it does not wait.
  for (let asked = 0; asked < 50; asked += 1) await store.progress();
  slow.resolve();
  await Promise.all([first, second]);
  expect(catalog.firstPage().total).toBe(2);
  catalog.stop();
});

test('until rocks have been read, no call says that there are none', async () => {
  copy = openRocks(sandbox, database);
  const notReadYet = { status: 503, body: { code: 'rocks-not-read-yet' } };
  expect(await copy.ask('/api/rocks/{number}', { number: '5' })).toMatchObject(notReadYet);
  expect(await copy.ask('/api/holders/{address}', { address: `0x${'1'.repeat(64)}` })).toMatchObject(notReadYet);
  expect(copy.catalog.firstPage()).toMatchObject({ state: 'unavailable', colors: [] });
  await copy.catalog.load();
  expect(copy.catalog.firstPage().colors).toEqual([]);
});

test('during the first search for the holders of kiosks, every rock is shown and no address is said to hold none', async () => {
  const walletsAfter = Promise.withResolvers<void>();
  copy = openRocks(sandbox, database, { walletsAfter: walletsAfter.promise });
  await copy.load();
  await copy.runJobs();
  await until('the rocks are listed', () => copy.catalog.firstPage().total === ownRocks().length);
  const [inWallet, inKiosk] = ['wallet', null].map((place) =>
    copy.catalog.firstPage().rocks.find((rock) => rock.place === place),
  );
  const data = copy.catalog.firstPage();
  expect(data).toMatchObject({ state: 'live', asOf: expect.any(String) });
  expect(data.colors.map(({ minted }) => minted)).not.toContain(0);
  expect(new Set(data.colors.map(({ holders }) => holders))).toEqual(new Set([null]));
  expect((await copy.ask('/api/rocks/{number}', { number: `${inKiosk?.number}` })).body).toMatchObject({
    data: { owner: null, color: expect.any(String) },
  });
  expect(copy.catalog.collection()).toMatchObject({ mintedCount: ownRocks().length, holderCount: null });
  expect(copy.catalog.owners()).toBeNull();
  const address = inWallet?.owner?.address ?? '';
  expect(await copy.ask('/api/holders/{address}', { address })).toMatchObject({ status: 503 });
  expect(await copy.ask('/api/rocks', {}, { owner: address })).toMatchObject({ status: 503 });
  walletsAfter.resolve();
  await until('owners are known', () => copy.catalog.owners()?.every(({ owner }) => owner !== null) === true, 40_000);
  expect(copy.catalog.firstPage()).toMatchObject({ state: 'live', total: ownRocks().length });
}, 60_000);

test('the history of a rock with very many listings leaves out only the oldest listings', async () => {
  copy = openRocks(sandbox, database);
  const objectId = '0x5';
  const event = (at: number, kind: RockEvent['kind']): RockEvent => {
    const facts = { priceMist: null, sender: null, receiver: null, transactionDigest: null };
    return { eventKey: `event ${at}`, objectId, kind, happenedAt: new Date(at * 1_000), ...facts };
  };
  const listings = Array.from({ length: 1_200 }, (_, at) => event(10 + at, 'listing'));
  const db = typedKysely(database.pool);
  const store = createRockStore(db, ofOne);
  const events = [event(1, 'mint'), event(2, 'sale'), event(3, 'transfer'), ...listings];
  await db.transaction().execute((trx) => store.saveNews(trx, events));
  const history = await store.history(objectId);
  expect(history.slice(-3).map(({ kind }) => kind)).toEqual(['transfer', 'sale', 'mint']);
  expect(history.filter(({ kind }) => kind === 'listing').map(({ eventKey }) => eventKey)).toEqual(
    listings
      .slice(-1_000)
      .toReversed()
      .map(({ eventKey }) => eventKey),
  );
});

test('the history of an earlier COLLECTION_TYPE becomes incomplete, so that it is read on if the type is set back', async () => {
  await database.pool.query(
    `insert into rock_readings (network, collection_type, is_history_complete) values ('mainnet', '0x9::old::Rock', true)`,
  );
  copy = openRocks(sandbox, database);
  await copy.start();
  const complete = () =>
    database.rows("select 1 from rock_readings where collection_type = '0x9::old::Rock' and is_history_complete");
  await until('its history is not complete any more', async () => (await complete()).length === 0, 30_000);
}, 60_000);
