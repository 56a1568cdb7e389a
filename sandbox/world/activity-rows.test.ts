import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

type Action = {
  id: string;
  type: string;
  tx_id: string;
  block_time: string;
  market_name: string | null;
  price_coin: string | null;
  nft: { token_id: string; name: string; media_url: string | null; token_id_index: number } | null;
};
type Answer = { data: { sui: { collections: { floor: unknown; supply: number }[]; actions: Action[] } } };

/** The query of a poller: one collection and its activity since a time, oldest first, in one call. */
async function poll(collection: string, since: Date, page = { limit: 50, offset: 0 }): Promise<Answer['data']['sui']> {
  const query = `query ($id: uuid!, $since: timestamp!, $limit: Int!, $offset: Int!) { sui {
    collections(where: {id: {_eq: $id}}) { floor supply }
    actions(where: {collection_id: {_eq: $id}, block_time: {_gte: $since}},
      order_by: [{block_time: asc}, {tx_index: asc}], limit: $limit, offset: $offset) {
      id type tx_id block_time market_name price_coin nft { token_id name media_url ranking token_id_index } } } }`;
  const id = sandbox.world.state.collections.get(collection)!.rowId;
  const answer = await fetch(sandbox.urls.market, {
    method: 'POST',
    headers: { 'x-api-user': sandbox.facts.marketUser, 'x-api-key': sandbox.facts.marketKey },
    body: JSON.stringify({ query, variables: { id, since: since.toISOString().replace('Z', ''), ...page } }),
  });
  return ((await answer.json()) as Answer).data.sui;
}
const control = async (command: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(`${sandbox.urls.console}/control/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const reply = (await answer.json()) as { data: unknown; message?: string };
  if (!answer.ok) throw new Error(reply.message);
  return reply.data;
};
const minuteAgo = () => new Date(Date.now() - 60_000);

test('a burst adds many rows at once, read oldest first and page by page, and the counts agree', async () => {
  const since = minuteAgo();
  const before = (await poll('rocks', since)).collections[0]!.supply;
  await control('burst', { collection: 'rocks', kind: 'mint', count: 60 });
  await control('burst', { collection: 'rocks', kind: 'buy', count: 5 });
  const first = await poll('rocks', since);
  const second = await poll('rocks', since, { limit: 50, offset: 50 });
  const all = [...first.actions, ...second.actions];
  expect([first.actions.length, second.actions.length, new Set(all.map(({ id }) => id)).size]).toEqual([50, 15, 65]);
  expect(all.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 60 }, () => 'mint'),
    ...Array.from({ length: 5 }, () => 'buy'),
  ]);
  expect(first.collections[0]!.supply).toBe(before + 60);
  expect(all[0]?.nft).toMatchObject({ token_id_index: 413, name: 'Sui Rock #413' });
});

test('a late row appears now with an older block time', async () => {
  await control('burst', { collection: 'rocks', kind: 'list', count: 1 });
  const nftId = [...sandbox.world.state.nfts.keys()][50];
  await control('report-action', { collection: 'rocks', type: 'buy', nftId, priceMist: '5', agoMs: 30_000 });
  const { actions } = await poll('rocks', minuteAgo());
  expect(actions.map(({ type }) => type)).toEqual(['buy', 'list']);
});

test('a second market reports the same sale: the same transaction under another row id', async () => {
  await control('burst', { collection: 'rocks', kind: 'buy', count: 1 });
  await control('repeat-action', { type: 'buy', marketName: 'bluemove' });
  const { actions } = await poll('rocks', minuteAgo());
  expect(actions.map(({ market_name }) => market_name)).toEqual(['tradeport', 'bluemove']);
  expect([new Set(actions.map(({ tx_id }) => tx_id)).size, new Set(actions.map(({ id }) => id)).size]).toEqual([1, 2]);
});

test('the same row can be repeated, id included', async () => {
  await control('burst', { collection: 'rocks', kind: 'mint', count: 1 });
  await control('repeat-action', { times: 2 });
  const { actions } = await poll('rocks', minuteAgo());
  expect([actions.length, new Set(actions.map(({ id }) => id)).size]).toEqual([3, 1]);
});

test('a row can have an unknown type, no NFT and a coin other than SUI', async () => {
  const priceCoin = '0x2::usdc::USDC';
  await control('report-action', { collection: 'rocks', type: 'teleport', priceCoin, priceMist: '1', sender: '0x1' });
  const { actions } = await poll('rocks', minuteAgo());
  expect(actions).toMatchObject([{ type: 'teleport', nft: null, price_coin: priceCoin }]);
});

test('a thousand more collections can be added at once and queried', async () => {
  const added = (await control('add-collections', { count: 1000 })) as { key: string }[];
  expect(new Set(added.map(({ key }) => key)).size).toBe(1000);
  const { collections, actions } = await poll(added.at(-1)!.key, minuteAgo());
  expect(collections).toMatchObject([{ supply: 2 }]);
  expect(actions.map(({ type }) => type).toSorted()).toEqual(['list', 'mint', 'mint']);
});

test('an NFT can have any picture: none, a foreign URL, or one of the odd pictures of the console', async () => {
  const { id } = sandbox.world.mint({ address: '0x1' });
  const picture = async () => (await poll('rocks', minuteAgo())).actions[0]?.nft?.media_url;
  expect(await picture()).toBe(new URL('/image/rock/413.svg', sandbox.urls.market).href);
  await control('set-image', { nftId: id, image: 'ipfs://bafy/1.png' });
  expect(await picture()).toBe('ipfs://bafy/1.png');
  await control('set-image', { nftId: id, image: null });
  expect(await picture()).toBeNull();
  await control('set-image', { nftId: id, image: '/image/odd/not-an-image' });
  const answer = await fetch((await picture())!);
  expect([answer.headers.get('content-type'), (await answer.text()).slice(0, 9)]).toEqual(['image/png', '<!doctype']);
});

test('each odd picture has the fault its name says', async () => {
  const odd = (name: string, options: RequestInit = {}) =>
    fetch(`${sandbox.urls.console}/image/odd/${name}`, { redirect: 'manual', ...options });
  expect((await (await odd('too-large')).arrayBuffer()).byteLength).toBeGreaterThan(20 * 1024 * 1024);
  expect((await (await odd('vast')).arrayBuffer()).byteLength).toBeLessThan(2000);
  expect((await (await odd('empty')).arrayBuffer()).byteLength).toBe(0);
  expect([(await odd('missing')).status, (await odd('broken')).status]).toEqual([404, 500]);
  expect((await odd('inward')).headers.get('location')).toContain('169.254.169.254');
  await expect(odd('slow', { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout');
});
