import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { ownerOf } from '../../sandbox/world/ownership.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { silentLog as log } from '../../src/db/database-log.ts';
import { failureAnswerFor } from '../../src/http/failure-answer.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createCollections } from '../../src/market/collections.ts';
import { holderAnswer } from '../../src/market/rocks-contract.ts';
import { createRocks } from '../../src/market/rocks/rocks.ts';
import { systemClock as clock } from '../../src/process/in-time.ts';
import { hostsOfMarketHere } from '../../src/sources/pictures/download-image.ts';
import { createMarketCall } from '../../src/sources/tradeport/market-call.ts';
import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { askRoute } from '../support/route-request.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let database: TestDatabase;
let copy: ReturnType<typeof openCopy>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  sandbox.world.reset();
  database = await testDatabase();
  copy = openCopy();
});
afterEach(async () => {
  await copy.stop();
  await sandbox.faults.clear();
  await database.drop();
});

/** The product's rocks as main.ts wires them, on this test's database. */
function openCopy() {
  const { urls, facts } = sandbox;
  const jobs = createJobs({ url: database.url, log });
  const subscribers = new Set<() => void>();
  const sui = createSuiClient({ network: 'mainnet', baseUrl: urls.sui });
  const deps = {
    sui,
    backgroundSui: sui,
    marketplace: createMarketCall({ url: urls.market, user: facts.marketUser, key: facts.marketKey }),
    database: typedKysely(database.pool),
    changes: {
      publish: async () => subscribers.forEach((run) => run()),
      subscribe: (_topic: string, run: () => void) => {
        subscribers.add(run);
        return () => subscribers.delete(run);
      },
    },
    jobs,
    clock,
    log,
  };
  const settings = { network: 'mainnet', collectionType: facts.collectionType };
  const tracker = { pollMinMs: 300, pollMaxMs: 400 };
  const collections = createCollections({ ...deps, settings: { ...settings, tracker } });
  const { activity, ownership } = collections;
  const trustedImageHosts = hostsOfMarketHere(urls.market);
  const rockSettings = { ...settings, trustedImageHosts, publicUrl: 'https://rocks.example' };
  const rocks = createRocks({ ...deps, activity, ownership, settings: rockSettings, treasuryUsd: () => 1_110 });
  return {
    book: rocks.book,
    /** As GET /api/holders/{address} answers, or the reason why not. */
    holder: async (address: string) => {
      const route = rocks.routes.find(({ path }) => path === '/api/holders/{address}');
      if (route === undefined) throw new Error('There is no such call');
      const answer = await askRoute(route, { params: { address } }).catch((error: Error) => error);
      if (answer instanceof Error) return failureAnswerFor(answer);
      return { status: answer.status, body: 'body' in answer ? holderAnswer.parse(answer.body) : null };
    },
    start: async () => {
      await rocks.start();
      await jobs.start();
      await until('the rocks are read', () => rocks.book.firstPage().data.asOf !== null);
    },
    stop: async () => {
      await jobs.stop();
      await rocks.stop();
      await collections.stop();
    },
  };
}

const everything = { color: null, listed: null, owner: null, sort: 'number' } as const;

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

test('the past is read from the first mint on, each fact once', async () => {
  await copy.start();
  const rock = allRocks().find(({ lastSale }) => lastSale !== null);
  const historyOf = async (number: number) => (await copy.book.rock(number))?.data;
  await until('the past is read', async () => (await historyOf(1))?.isHistoryComplete === true);
  expect(rock).toBeDefined();
  const told = new Set(['mint', 'buy', 'accept-bid', 'accept-collection-bid', 'list', 'relist', 'transfer', 'burn']);
  const expected = sandbox.world.state.actions.filter((row) => row.nftId === rock?.objectId && told.has(row.type));
  const data = await historyOf(rock?.number ?? 0);
  expect(data?.history.map(({ digest }) => digest)).toEqual(expected.map(({ txId }) => txId).toReversed());
  expect(data?.history.at(-1)).toMatchObject({ kind: 'mint', from: null });
});

test('who buys a rock has it, and its history says so, without a second poll of the marketplace', async () => {
  await copy.start();
  const [listed] = copy.book.page({ ...everything, listed: true, sort: 'price' }, 1).data.rocks;
  const buyer = `0x${'b'.repeat(64)}`;
  sandbox.world.buy({ nftId: listed?.objectId ?? '', buyer });
  const now = () => copy.book.find(listed?.number ?? 0);
  await until('it is the buyer’s', () => now()?.owner?.address === buyer, 30_000);
  expect(now()).toMatchObject({ listing: null, lastSale: { priceMist: listed?.listing?.priceMist } });
  const page = await copy.book.rock(listed?.number ?? 0);
  expect(page?.data.history[0]).toMatchObject({ kind: 'sale', from: listed?.owner?.address, to: buyer });
  const { data } = copy.book.holder(buyer, 1_110);
  expect(data).toMatchObject({ count: 1, share: { usd: 2 } });
  expect(data.rocks[0]?.since).toBe(page?.data.history[0]?.at);
}, 60_000);

test('a marketplace that knows no rock for a while takes none away', async () => {
  await copy.start();
  const before = copy.book.firstPage().data;
  const { state } = sandbox.world;
  for (const { id } of ownRocks()) state.missedByIndexer.add(id);
  const [listed] = copy.book.page({ ...everything, listed: true, sort: 'price' }, 1).data.rocks;
  sandbox.world.buy({ nftId: listed?.objectId ?? '', buyer: `0x${'c'.repeat(64)}` });
  await until('it is read again', () => copy.book.firstPage().data.asOf !== before.asOf, 40_000);
  expect(copy.book.firstPage().data.total).toBe(before.total);
}, 60_000);

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
  const { body } = await copy.holder(owner);
  for (const name of ['bone.sui', '@bone', 'BONE.sui', 'young.bone.sui', 'young@bone']) {
    const found = await copy.holder(name);
    expect(found).toMatchObject({
      status: 200,
      body: { data: { address: owner, count: body && 'data' in body ? body.data.count : 0 } },
    });
  }
});

test('a name that does not exist or has expired is not found, and one sentence says so', async () => {
  for (const name of ['nobody.sui', 'oldbone.sui', '@oldbone']) {
    const found = await copy.holder(name);
    expect(found).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(found.body).toMatchObject({
      message: expect.stringMatching(/^No address has the name .+, or it has expired\.$/),
    });
  }
});

test('while the chain is away a name cannot be looked up, which is said, and an address still can', async () => {
  await sandbox.faults.set('sui', { kind: '500' });
  expect(await copy.holder('suirocks.sui')).toMatchObject({
    status: 503,
    body: {
      message: expect.stringMatching(/^The Sui full node does not answer right now\. Try again in \d+ seconds\.$/),
    },
  });
  expect(await copy.holder(`0x${'1'.repeat(64)}`)).toMatchObject({
    status: 200,
    body: { data: { count: 0, name: null } },
  });
});

test('asking for one name after the other cannot keep the chain from everybody else', async () => {
  sandbox.requests.reset();
  const asked = await Promise.all(Array.from({ length: 60 }, (_, at) => copy.holder(`nobody-${at}.sui`)));
  expect(sandbox.requests.of('sui').count).toBe(30);
  expect(asked.filter(({ status }) => status === 404)).toHaveLength(30);
  expect(asked.filter(({ status }) => status === 503)).toHaveLength(30);
  expect(await copy.holder('nobody-1.sui')).toMatchObject({ status: 404 });
});
