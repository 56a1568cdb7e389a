import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { readNews, readPast } from '../../src/market/poll/read-activity.ts';
import { createMarketCall, type MarketCall } from '../../src/sources/tradeport/market-call.ts';
import { readListedNfts, readNfts } from '../../src/sources/tradeport/nfts.ts';

let sandbox: Sandbox;
let market: MarketCall;
let marketId: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { marketUser: user, marketKey: key } = sandbox.facts;
  market = createMarketCall({ url: sandbox.urls.market, user, key });
  marketId = sandbox.world.state.collections.get('rocks')!.rowId;
});
afterAll(() => sandbox.stop());

/** An indexer that never gives more rows than `rowsMax`, however many are requested. */
const cutAt =
  (rowsMax: number): MarketCall =>
  (query, stop) =>
    market(
      {
        ...query,
        query: query.query.replace('limit: 1000', `limit: ${rowsMax}`),
        variables: { ...query.variables, ...('limit' in query.variables && { limit: rowsMax }) },
      },
      stop,
    );
const depsOf = (call: MarketCall) => ({ market: call, clock: { now: () => new Date() }, log: { warn: () => {} } });

test('a poll that finds only known events is one call', async () => {
  const { happenedAt: cursorAt } = (await readPast(depsOf(market), marketId)).drafts.at(-1)!;
  const progress = { knownFrom: null, cursorAt, isBehind: false, pollCount: '1' };
  sandbox.requests.reset();
  expect((await readNews(depsOf(market), marketId, progress)).drafts.length).toBeGreaterThan(0);
  expect(sandbox.requests.of('market').count).toBe(1);
});

describe('with a marketplace that gives fewer rows than requested', () => {
  test.each([10, 25])('a poll reads to the end, %d rows at a time', async (rowsMax) => {
    const cursorAt = new Date();
    for (let count = 0; count < 60; count += 1) sandbox.world.mint({ address: '0x77' });
    const progress = { knownFrom: null, cursorAt, isBehind: false, pollCount: '1' };
    const reading = await readNews(depsOf(cutAt(rowsMax)), marketId, progress);
    const minted = reading.drafts.filter(({ kind, happenedAt }) => kind === 'mint' && happenedAt >= cursorAt);
    expect(minted).toHaveLength(60);
    expect(reading.progress.isBehind).toBe(false);
  });

  test('the first sight reads as much as with any other', async () => {
    const first = await readPast(depsOf(market), marketId);
    expect(first.drafts.length).toBeGreaterThan(50);
    const cut = await readPast(depsOf(cutAt(25)), marketId);
    expect(cut.drafts.length).toBeGreaterThanOrEqual(first.drafts.length - 50);
    expect(cut.progress.knownFrom).not.toBeNull();
  });

  test("no piece and no listing of a wallet's is missing", async () => {
    const count = sandbox.world.facts('rocks').supply;
    expect((await readNfts(cutAt(25), marketId)).nfts).toHaveLength(count);
    const rocks = [...sandbox.world.state.nfts.values()].filter(({ collectionKey }) => collectionKey === 'rocks');
    const owner = `0x${'5'.repeat(64)}`;
    for (const { id } of rocks.slice(0, 3)) {
      sandbox.world.transfer({ nftId: id, address: owner });
      sandbox.world.list({ nftId: id, priceMist: 1_000_000_000n });
    }
    expect(await readListedNfts(cutAt(2), { marketId, owner })).toHaveLength(3);
  });
});
