import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

type Row = Record<string, unknown>;
type Reply = { data?: { sui: Record<string, Row[]> }; errors?: { message: string }[] };

const post = (query: string, variables: Row = {}, headers: Record<string, string> = {}) =>
  fetch(sandbox.urls.market, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-user': sandbox.facts.marketUser,
      'x-api-key': sandbox.facts.marketKey,
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });

async function ask(query: string, variables: Row = {}): Promise<Record<string, Row[]>> {
  const reply = (await (await post(query, variables)).json()) as Reply;
  if (!reply.data) throw new Error(JSON.stringify(reply.errors));
  return reply.data.sui;
}

const rocks = () => sandbox.world.state.collections.get('rocks')!;

describe('refusals of the marketplace', () => {
  test('a call without the right user and key is 401', async () => {
    expect((await post('{ sui { nfts { id } } }', {}, { 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await post('{ sui { nfts { id } } }', {}, { 'x-api-user': '' })).status).toBe(401);
  });

  test.each([
    ['introspection', '{ __schema { types { name } } }', {}],
    ['an unknown field', '{ sui { collections { id mood } } }', {}],
    ['an unknown operator', '{ sui { collections(where: {title: {_sounds: "x"}}) { id } } }', {}],
    [
      'a uuid variable declared as String',
      'query($i: String!) { sui { collections(where: {id: {_eq: $i}}) { id } } }',
      { i: 'x' },
    ],
    ['text that is not GraphQL', 'select * from collections', {}],
  ])('%s is 200 with one unhelpful message', async (_what, query, variables) => {
    const answer = await post(query, variables);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ errors: [{ message: 'Invalid GraphQL query' }] });
  });
});

describe('answers of the marketplace', () => {
  test('a collection is found by its on-chain type and by its semantic slug', async () => {
    const query = `query($s: String!) { sui {
      collections(where: {_or: [{slug: {_eq: $s}}, {semantic_slug: {_eq: $s}}]}) { id title floor supply num_owners verified }
    } }`;
    const byType = await ask(query, { s: sandbox.facts.collectionType });
    expect(byType.collections).toEqual((await ask(query, { s: 'sui-rocks' })).collections);
    const facts = sandbox.world.facts('rocks');
    expect(byType.collections![0]).toMatchObject({ supply: 412, verified: true, num_owners: facts.ownerCount });
    expect(BigInt(byType.collections![0]!.floor as string)).toBe(facts.floorMist);
  });

  test('uuid variables, _ilike, _is_null and _in filter', async () => {
    const { collections } = await ask(
      'query($i: uuid!) { sui { collections(where: {id: {_eq: $i}, title: {_ilike: "%ROCKS%"}}) { title } } }',
      { i: rocks().rowId },
    );
    expect(collections).toEqual([{ title: 'Sui Rocks' }]);
    const { actions } = await ask(
      '{ sui { actions(where: {type: {_in: ["collection-bid"]}, nft_id: {_is_null: true}}) { type nft { id } } } }',
    );
    expect(actions!.length).toBeGreaterThan(0);
    for (const action of actions!) expect(action).toEqual({ type: 'collection-bid', nft: null });
  });

  test('order_by, limit and offset page through activity from new to old without gaps', async () => {
    const query = `query($o: Int!) { sui { actions(order_by: [{block_time: desc}, {tx_index: desc}], limit: 20, offset: $o) { id block_time } } }`;
    const pages = [await ask(query, { o: 0 }), await ask(query, { o: 20 })].flatMap((page) => page.actions!);
    expect(new Set(pages.map((row) => row.id)).size).toBe(40);
    const times = pages.map((row) => String(row.block_time));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times[0]).not.toMatch(/Z$/);
  });

  test('block_time compares as an instant', async () => {
    const since = new Date(sandbox.world.state.startedAtMs - 86_400_000).toISOString();
    const query = 'query($t: timestamp!) { sui { actions(where: {block_time: {_gte: $t}}) { block_time } } }';
    const { actions } = await ask(query, { t: since });
    const expected = sandbox.world.state.actions.filter((row) => row.blockTimeMs >= Date.parse(since));
    expect(actions).toHaveLength(expected.length);
  });

  test('amounts are numbers in some rows and strings in others, and still compare correctly', async () => {
    const { listings } = await ask(
      '{ sui { listings(where: {listed: {_eq: true}}, order_by: [{price: asc}]) { price price_str } } }',
    );
    expect(new Set(listings!.map((row) => typeof row.price))).toEqual(new Set(['number', 'string']));
    const amounts = listings!.map((row) => Number(row.price));
    expect(amounts).toEqual(amounts.toSorted((one, other) => one - other));
    for (const row of listings!) expect(String(row.price)).toBe(row.price_str);
  });

  test('rows of ended listings stay, marked as not listed and without a price', async () => {
    const { listings } = await ask('{ sui { listings(where: {listed: {_eq: false}}) { price } } }');
    expect(listings!.length).toBeGreaterThan(10);
    for (const row of listings!) expect(row.price).toBeNull();
  });

  test('relations accept their own arguments', async () => {
    const listed = sandbox.world.state.listings.find((row) => row.listed)!;
    const { nfts } = await ask(
      `query($t: String!) { sui { nfts(where: {token_id: {_eq: $t}}) {
        owner listed collection { title } listings(where: {listed: {_eq: true}}, order_by: {price: asc}) { seller }
      } } }`,
      { t: listed.nftId },
    );
    expect(nfts![0]).toMatchObject({ listed: true, owner: listed.seller, listings: [{ seller: listed.seller }] });
  });

  test('aggregates return counts and extremes', async () => {
    const sui = (await ask(`{ sui {
      listings_aggregate(where: {listed: {_eq: true}, collection: {semantic_slug: {_eq: "sui-rocks"}}}) { aggregate { count min { price } } }
      nfts_aggregate(where: {collection: {semantic_slug: {_eq: "sui-rocks"}}}) { aggregate { count(columns: [owner], distinct: true) } }
    } }`)) as unknown as Record<string, { aggregate: Row }>;
    const facts = sandbox.world.facts('rocks');
    expect(sui.listings_aggregate!.aggregate).toMatchObject({
      count: facts.listedCount,
      min: { price: String(facts.floorMist) },
    });
    expect(sui.nfts_aggregate!.aggregate.count).toBe(facts.ownerCount);
  });
});

describe('changes are visible at once', () => {
  test('a sale ends the listing, moves the owner and is the newest action', async () => {
    const row = sandbox.world.state.listings.find((each) => each.listed && each.collectionKey === 'rocks')!;
    const seller = row.seller;
    sandbox.world.buy({ nftId: row.nftId, buyer: '0x77' });
    const { actions } = await ask(
      '{ sui { actions(order_by: [{block_time: desc}, {tx_index: desc}], limit: 1) { type sender receiver nft { owner listed } } } }',
    );
    const buyer = `0x${'0'.repeat(62)}77`;
    expect(actions).toEqual([{ type: 'buy', sender: seller, receiver: buyer, nft: { owner: buyer, listed: false } }]);
  });

  test('the fixed floor of an unverified collection is returned unchanged', async () => {
    const { collections } = await ask('{ sui { collections(where: {verified: {_eq: false}}) { title floor } } }');
    expect(collections).toHaveLength(1);
    expect(String(collections![0]!.floor)).toBe('99999000000000');
  });

  test('accepting a collection bid lowers its remaining count by one', async () => {
    const bidder = sandbox.facts.treasuryAddress;
    const bid = sandbox.world.collectionBid({ collection: 'rocks', bidder, priceMist: 5n, count: 2 });
    const rock = [...sandbox.world.state.nfts.values()].find(
      (nft) => nft.number === 100 && nft.collectionKey === 'rocks',
    )!;
    sandbox.world.acceptBid({ bidId: bid.id, nftId: rock.id });
    const { bids } = await ask(
      'query($i: uuid!) { sui { bids(where: {id: {_eq: $i}}) { status remaining_count nft { id } } } }',
      {
        i: bid.id,
      },
    );
    expect(bids).toEqual([{ status: 'active', remaining_count: 1, nft: null }]);
  });
});
