import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { readBids, readCollections } from '../../src/sources/tradeport/collections.ts';
import { createMarketCall, type MarketCall } from '../../src/sources/tradeport/market-call.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { serveOnLoopback } from '../support/serve-on-loopback.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
let market: MarketCall;
let own: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  market = open();
  own = sandbox.facts.collectionType;
});
const open = (limits: Partial<CallLimits> = {}): MarketCall => {
  const { marketUser: user, marketKey: key } = sandbox.facts;
  return createMarketCall({ url: sandbox.urls.market, user, key, limits });
};
afterAll(() => sandbox.stop());

const readOwn = async () => (await readCollections(market, [own]))[0];

describe('collections', () => {
  test('come with their floor in MIST, supply, owners and verification', async () => {
    const facts = sandbox.world.facts('rocks');
    expect(await readOwn()).toMatchObject({
      slug: own,
      name: 'Sui Rocks',
      isVerified: true,
      floorMist: facts.floorMist,
      mintedCount: facts.supply,
      ownerCount: facts.ownerCount,
    });
  });

  test('that the marketplace does not know are absent', async () => {
    const slugs = [`0x${'e'.repeat(64)}::no::No`];
    expect(await readCollections(market, slugs)).toEqual([]);
  });

  test('without a floor have null, not zero', async () => {
    sandbox.world.setFloorRule({ collection: 'rocks', rule: { kind: 'fixed', floorMist: 0n } });
    expect((await readOwn())?.floorMist).toBeNull();
    sandbox.world.setFloorRule({ collection: 'rocks', rule: { kind: 'fixed', floorMist: null } });
    expect((await readOwn())?.floorMist).toBeNull();
    sandbox.world.setFloorRule({ collection: 'rocks', rule: { kind: 'lowest-listing' } });
  });
});

describe('bids', () => {
  test('are the active collection bids', async () => {
    const id = (await readOwn())?.marketId ?? '';
    const bids = await readBids(market, [id]);
    const { state } = sandbox.world;
    const standing = state.bids.filter(
      (bid) =>
        bid.collectionKey === 'rocks' && bid.type === 'collection' && bid.status === 'active' && bid.remainingCount > 0,
    );
    expect(bids.map(({ priceMist }) => priceMist)).toEqual(
      standing.map(({ priceMist }) => priceMist).toSorted((one, other) => Number(other - one)),
    );
  });

  test('expire in UTC, although the marketplace gives no time zone', async () => {
    const id = (await readOwn())?.marketId ?? '';
    const bids = await readBids(market, [id]);
    const expiries = new Set(sandbox.world.state.bids.map(({ expiresAtMs }) => expiresAtMs));
    for (const { expiresAt } of bids) expect(expiries).toContain(expiresAt?.getTime() ?? null);
  });
});

describe('keys', () => {
  test('a refused key has a reason of its own, not that of an outage', async () => {
    const refused = createMarketCall({ url: sandbox.urls.market, user: 'sandbox', key: 'wrong' });
    await expect(readCollections(refused, [own])).rejects.toMatchObject({
      reason: 'marketplace-key-refused',
    });
  });

  test('without a key no request is made', async () => {
    sandbox.requests.reset();
    const keyless = createMarketCall({ url: sandbox.urls.market, user: null, key: null });
    await expect(readCollections(keyless, [own])).rejects.toMatchObject({
      reason: 'marketplace-key-missing',
    });
    expect(sandbox.requests.of('market').count).toBe(0);
  });
});

describe('malformed answers', () => {
  async function marketThatSays(body: unknown): Promise<MarketCall> {
    const url = await serveOnLoopback((_request, response) => response.end(JSON.stringify(body)));
    return createMarketCall({ url, user: 'u', key: 'k' });
  }
  const row = { id: '1', slug: 's', title: 't', floor: 1, supply: 1, num_owners: 1, verified: true };
  const read = async (sui: unknown) => readCollections(await marketThatSays({ data: { sui } }), ['s']);

  test('with HTTP 200 but errors are Unavailable, even if there is data too', async () => {
    const says = { errors: [{ message: 'Invalid GraphQL query' }], data: { sui: { collections: [] } } };
    const broken = await marketThatSays(says);
    await expect(readCollections(broken, ['s'])).rejects.toMatchObject({
      reason: 'marketplace-query-refused',
    });
  });

  test.each([
    ['1500000000', 1_500_000_000n],
    [1_500_000_000, 1_500_000_000n],
    ['1500000000.0', 1_500_000_000n],
    [1.5e9, 1_500_000_000n],
    ['1.5e9', 1_500_000_000n],
    [null, null],
  ])('a floor of %j is %s MIST', async (floor, floorMist) => {
    expect((await read({ collections: [{ ...row, floor }] }))[0]?.floorMist).toBe(floorMist);
  });

  test.each(['', 'twelve', -1, '99999999999999999999999', {}, [1]])('a floor of %j is malformed', async (floor) => {
    await expect(read({ collections: [{ ...row, floor }] })).rejects.toMatchObject({ reason: 'malformed-answer' });
  });

  test('an unreadable bid, such as one until the year 10000, does not hide the others', async () => {
    const bid = { collection_id: '1', price: 7, expires_at: null, remaining_count: 1 };
    const readBidsOf = async (bids: readonly object[]) =>
      readBids(await marketThatSays({ data: { sui: { bids } } }), ['1']);
    const bids = await readBidsOf([{ ...bid, expires_at: '10000-01-01T00:00:00' }, bid]);
    expect(bids).toEqual([{ marketId: '1', priceMist: 7n, expiresAt: null }]);
    await expect(readBidsOf([{}, {}])).rejects.toMatchObject({ reason: 'malformed-answer' });
  });

  test('an unreadable unverified collection hides no other, but an unreadable verified one fails the reading', async () => {
    const odd = { ...row, id: '2', slug: 'odd', floor: 2 ** 64 };
    const says = (verified: unknown) => read({ collections: [{ ...odd, verified }, row] });
    for (const verified of [false, null]) expect(await says(verified)).toMatchObject([{ slug: 's' }]);
    for (const verified of [true, 'no']) {
      await expect(says(verified)).rejects.toMatchObject({ reason: 'malformed-answer' });
    }
  });

  test('a missing table is malformed, not empty', async () => {
    await expect(read({})).rejects.toMatchObject({ reason: 'malformed-answer' });
    await expect(read(null)).rejects.toMatchObject({ reason: 'malformed-answer' });
  });
});

test('if the marketplace gives fewer rows than requested, the missing collections and bids are requested too', async () => {
  const rowsMax = 25;
  const row = { title: 't', floor: 1, supply: 1, num_owners: 1, verified: true };
  const names = Array.from({ length: 60 }, (_, number) => `c${number}`);
  const bidders = names.flatMap((id) => Array.from({ length: id === 'c0' ? 24 : 1 }, () => id));
  const bid = { price: 7, expires_at: null, remaining_count: 1 };
  let calls = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    calls += 1;
    const body = await json(request);
    const { slugs = [], ids = [] } = (body as { variables: Partial<Record<string, string[]>> }).variables;
    const collections = slugs.map((slug) => ({ ...row, id: slug, slug })).slice(0, rowsMax);
    const bids = bidders.filter((id) => ids.includes(id)).map((id) => ({ ...bid, collection_id: id }));
    response.end(JSON.stringify({ data: { sui: { collections, bids: bids.slice(0, rowsMax) } } }));
  };
  const url = await serveOnLoopback((request, response) => void answer(request, response));
  const call = createMarketCall({ url, user: 'u', key: 'k' });
  const [collections, bids] = [await readCollections(call, names), await readBids(call, names)];
  expect(collections.map(({ slug }) => slug)).toEqual(names);
  expect(new Set(bids.map(({ marketId }) => marketId))).toEqual(new Set(names));
  expect(calls).toBeLessThanOrEqual(7);
});

describeOutages('collections', {
  sandbox: () => sandbox,
  services: ['market'],
  open: (limits) => {
    const client = open(limits);
    return () => readCollections(client, [own]);
  },
});
