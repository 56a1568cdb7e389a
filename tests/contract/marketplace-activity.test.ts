import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { type ActivityQuery, readActivity } from '../../src/sources/tradeport/activity.ts';
import { createMarketCall, type MarketCall } from '../../src/sources/tradeport/market-call.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { serveOnLoopback } from '../support/serve-on-loopback.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
let query: ActivityQuery;
beforeAll(async () => {
  sandbox = await startSandbox();
  const marketId = sandbox.world.state.collections.get('rocks')!.rowId;
  const types = ['mint', 'buy', 'list'];
  query = { marketId, types, since: new Date(0), offset: 0, limit: 50, order: 'oldest-first' };
});
afterAll(() => sandbox.stop());
const open = (limits: Partial<CallLimits> = {}): MarketCall => {
  const { marketUser: user, marketKey: key } = sandbox.facts;
  return createMarketCall({ url: sandbox.urls.market, user, key, limits });
};
const actionsOf = (types: readonly string[]) =>
  sandbox.world.state.actions.filter((row) => row.collectionKey === 'rocks' && types.includes(row.type));

describe('a page of activity', () => {
  test('takes one call for the collection as it is now and its events since a given time, oldest first', async () => {
    const rows = actionsOf(query.types);
    const since = new Date(rows.at(-20)!.blockTimeMs);
    sandbox.requests.reset();
    const page = await readActivity(open(), { ...query, since });
    expect(sandbox.requests.of('market').count).toBe(1);
    const facts = sandbox.world.facts('rocks');
    expect(page.collection).toMatchObject({
      marketId: query.marketId,
      slug: sandbox.facts.collectionType,
      name: 'Sui Rocks',
      isVerified: true,
      floorMist: facts.floorMist,
      mintedCount: facts.supply,
      ownerCount: facts.ownerCount,
    });
    expect(page.listedCount).toBe(facts.listedCount);
    const expected = rows
      .filter((row) => row.blockTimeMs >= since.getTime())
      .toSorted((one, other) => one.blockTimeMs - other.blockTimeMs || one.txIndex - other.txIndex);
    expect(page.actions.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(page).toMatchObject({ rowCount: expected.length, unreadableCount: 0 });
    for (const [index, action] of page.actions.entries()) {
      const row = expected[index]!;
      expect(action).toMatchObject({
        type: row.type,
        priceMist: row.priceMist,
        foreignCoinType: null,
        transactionDigest: row.txId,
        // Written without a zone, but UTC.
        happenedAt: new Date(row.blockTimeMs),
        nftObjectId: row.nftId,
      });
    }
  });

  test('can begin at an offset, and can be newest first', async () => {
    const first = await readActivity(open(), { ...query, limit: 10 });
    const second = await readActivity(open(), { ...query, limit: 10, offset: 5 });
    expect(second.actions.slice(0, 5)).toEqual(first.actions.slice(5));
    const newest = await readActivity(open(), { ...query, limit: 1, order: 'newest-first' });
    const last = actionsOf(query.types).toSorted((one, other) => other.blockTimeMs - one.blockTimeMs)[0]!;
    expect(newest.actions[0]?.happenedAt).toEqual(new Date(last.blockTimeMs));
  });

  test('has the rows of one transaction in the same order on every page', async () => {
    const { actions } = sandbox.world.state;
    const last = actions.findLast((row) => row.collectionKey === 'rocks')!;
    const moment = { ...last, type: 'mint', blockTimeMs: last.blockTimeMs + 1_000 };
    const ids = ['c', 'a', 'b'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
    actions.push(...ids.map((id) => ({ ...moment, id })));
    const page = { ...query, since: new Date(moment.blockTimeMs) };
    const read = async (order: ActivityQuery['order']) =>
      (await readActivity(open(), { ...page, order })).actions.map(({ id }) => id);
    expect(await read('oldest-first')).toEqual(ids.toSorted());
    expect(await read('newest-first')).toEqual(ids.toSorted().toReversed());
    actions.splice(-3);
  });

  test('says whether there are more rows, at any limit', async () => {
    const all = await readActivity(open(), { ...query, limit: 1_000 });
    const more = async (offset: number, limit: number) =>
      (await readActivity(open(), { ...query, offset, limit })).hasMore;
    expect(await more(0, all.rowCount - 1)).toBe(true);
    expect(await more(all.rowCount - 1, 50)).toBe(false);
    expect(await more(all.rowCount, 50)).toBe(false);
  });

  test('of a collection that the marketplace does not know is Unavailable', async () => {
    const marketId = '00000000-0000-4000-8000-000000000000';
    await expect(readActivity(open(), { ...query, marketId })).rejects.toMatchObject({ reason: 'collection-unknown' });
  });

  describeOutages('activity', {
    sandbox: () => sandbox,
    services: ['market'],
    kinds: ['500', 'malformed', 'wrong-types', 'empty'],
    open: (limits) => {
      const client = open(limits);
      return () => readActivity(client, query);
    },
  });
});

describe('unusual rows that the sandbox never writes', () => {
  const collection = {
    id: 'c',
    slug: '0x1::a::B',
    title: 'T',
    cover_url: null,
    floor: 1,
    supply: 1,
    num_owners: 1,
    verified: true,
  };
  const action = {
    id: 'a',
    type: 'buy',
    price: '1000000000',
    price_coin: null,
    sender: '0x5',
    receiver: '0xb',
    tx_id: 'D1',
    block_time: '2026-11-20T10:00:00.5',
    market_name: 'tradeport',
    nft: { token_id: '0x7', name: 'Rock #7', media_url: 'https://a.example/7.png', ranking: 3 },
  };
  const listings_aggregate = { aggregate: { count: 4 } };

  async function read(sui: object) {
    const url = await serveOnLoopback((_request, response) => response.end(JSON.stringify({ data: { sui } })));
    const client = createMarketCall({ url, user: 'u', key: 'k' });
    return readActivity(client, { ...query, marketId: 'c' });
  }
  const readAction = async (change: object) =>
    (await read({ collections: [collection], listings_aggregate, actions: [{ ...action, ...change }] })).actions[0];

  test('addresses and ids become canonical', async () => {
    expect(await readAction({})).toMatchObject({
      sender: `0x${'5'.padStart(64, '0')}`,
      receiver: `0x${'b'.padStart(64, '0')}`,
      happenedAt: new Date('2026-11-20T10:00:00.500Z'),
      nftObjectId: `0x${'7'.padStart(64, '0')}`,
      nftName: 'Rock #7',
      nftRank: 3,
    });
  });

  test.each([null, '', 'SUI', 'sui', '0x2::sui::SUI', `0x${'2'.padStart(64, '0')}::sui::SUI`])(
    'a price in %j is SUI',
    async (price_coin) => {
      expect(await readAction({ price_coin })).toMatchObject({ priceMist: 1_000_000_000n, foreignCoinType: null });
    },
  );

  test.each([
    ['0xdba3::usdc::USDC', '2500000'],
    ['USDC', 2.5],
  ])('a price in %s is kept as written and never counted as SUI', async (price_coin, price) => {
    expect(await readAction({ price_coin, price })).toMatchObject({
      priceMist: null,
      foreignCoinType: price_coin,
      foreignRawAmount: String(price),
    });
  });

  test.each([
    [12_500_000_000, 12_500_000_000n],
    ['12500000000.0', 12_500_000_000n],
    [0, 0n],
    [null, null],
  ])('a price of %j is %s MIST', async (price, priceMist) => {
    expect(await readAction({ price })).toMatchObject({ priceMist });
  });

  test.each([
    ['without a wallet', { sender: null, receiver: 'nobody' }, { sender: null, receiver: null }],
    ['without a piece', { nft: null }, { nftObjectId: null, nftName: null }],
    ['without a transaction', { tx_id: null }, { transactionDigest: null }],
    [
      'with a name of another type',
      { nft: { ...action.nft, name: 7, ranking: 'x' } },
      { nftName: null, nftRank: null },
    ],
    [
      'with characters that the database cannot store',
      { nft: { ...action.nft, name: 'Rock\0 \ud83d' }, market_name: '\0' },
      { nftName: 'Rock', marketName: null },
    ],
    [
      'with invisible characters in a name',
      { nft: { ...action.nft, name: 'Sui\u200bRocks\n#7' } },
      { nftName: 'SuiRocks #7' },
    ],
  ])('an action %s is read', async (_what, change, expected) => {
    expect(await readAction(change)).toMatchObject(expected);
  });

  test('a long name is cut, a long id never is', async () => {
    const long = 'x'.repeat(5_000);
    expect((await readAction({ nft: { ...action.nft, name: long } }))?.nftName).toHaveLength(200);
    expect(await readAction({ tx_id: long })).toBeUndefined();
  });

  test.each([
    ['price', 'twelve'],
    ['price', {}],
    ['price', -1],
    ['block_time', 'soon'],
    ['type', 7],
    ['id', ''],
    ['nft', { token_id: null }],
    ['tx_id', 'a\0b'],
  ])('an action whose %s is %j is left out and counted; the others are read', async (field, value) => {
    const actions = [{ ...action, [field]: value }, { ...action, id: 'b' }, 'nonsense'];
    const page = await read({ collections: [collection], listings_aggregate, actions });
    expect(page).toMatchObject({ rowCount: 3, unreadableCount: 2, actions: [{ id: 'b' }] });
  });

  test('an unknown activity type is passed on unchanged', async () => {
    expect(await readAction({ type: 'teleport' })).toMatchObject({ type: 'teleport' });
  });

  test('an unreadable collection is null, and hides no action', async () => {
    const page = await read({ collections: [{ ...collection, floor: 'high' }], listings_aggregate, actions: [action] });
    expect(page).toMatchObject({ collection: null, actions: [{ id: 'a' }] });
  });

  test('an unreadable count of listings is null', async () => {
    expect((await read({ collections: [collection], listings_aggregate: {}, actions: [] })).listedCount).toBeNull();
  });

  test.each([
    ['no row can be read', { collections: [7], listings_aggregate, actions: [] }],
    [
      'several actions come and none can be read',
      { collections: [collection], listings_aggregate, actions: [1, 2, 3] },
    ],
    ['a table is missing', { collections: [collection], listings_aggregate }],
  ])('if %s, the answer is malformed', async (_what, sui) => {
    await expect(read(sui)).rejects.toMatchObject({ reason: 'malformed-answer' });
  });
});
