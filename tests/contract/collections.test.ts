import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createMarketplaceClient } from '../../src/clients/marketplace/marketplace-client.ts';
import { createSuiClient } from '../../src/clients/sui/sui-client.ts';
import type { CollectionTables } from '../../src/collections/adapters/tables.ts';
import { type Collections, createCollections } from '../../src/collections/collections.ts';
import { collectionFactsAnswer } from '../../src/collections/contract.ts';
import type { CallLimits } from '../../src/platform/call-policy.ts';
import { kyselyOver } from '../../src/platform/database/connect.ts';
import { createLeases, type LeaseTables } from '../../src/platform/leases.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import type { HoldingsReader, MarketReader } from '../../src/treasury/ports.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { routeRequest } from '../support/route-request.ts';
import { until } from '../support/until.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
let database: TestDatabase;
let owner: string;
const running: Collections[] = [];
beforeAll(async () => {
  sandbox = await startSandbox();
  owner = sandbox.facts.treasuryAddress;
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await sandbox.faults.clear();
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await database.drop();
});

interface Making {
  readonly limits?: Partial<CallLimits>;
  readonly refreshMs?: number;
  readonly now?: () => Date;
  readonly world?: Sandbox;
}

/** A copy of the product's collections, on this test's database and the sandbox. */
function open({ limits = { retries: 0 }, refreshMs = 60_000, now = () => new Date(), world = sandbox }: Making = {}) {
  const { marketUser: user, marketKey: key, collectionType } = world.facts;
  const copy = createCollections({
    settings: { network: 'mainnet', collectionType, refreshMs },
    sui: createSuiClient({ network: 'mainnet', baseUrl: world.urls.sui, limits }),
    marketplace: createMarketplaceClient({ url: world.urls.market, user, key, limits }),
    db: kyselyOver<CollectionTables>(database.pool),
    leases: createLeases(kyselyOver<LeaseTables>(database.pool), { holder: `copy ${running.length}` }),
    clock: {
      now,
      after: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
    },
    log: { warn: () => {} },
  });
  running.push(copy);
  return copy;
}

const typeOf = (key: string): string => sandbox.world.state.collections.get(key)?.nftType ?? '';

describe('holdings', () => {
  test('are the NFTs directly owned and in every kiosk whose cap the wallet holds, listed or not', async () => {
    const holdings: HoldingsReader = open();
    const held = new Map((await holdings.readHoldings(owner)).map((each) => [each.collectionType, each]));
    const shares = [...held].map(([type, { count, kioskCount, listedCount }]) => [
      type,
      [count, kioskCount, listedCount],
    ]);
    // As sandbox/seed/treasury-nfts.ts puts them: wallet, plain, personal and OriginByte kiosks.
    expect(Object.fromEntries(shares)).toEqual({
      [typeOf('rocks')]: [6, 4, 0],
      [typeOf('lava-lizards')]: [7, 7, 2],
      [typeOf('cave-bats')]: [7, 5, 0],
      [typeOf('glow-worms')]: [4, 3, 0],
      [typeOf('prime-boulders')]: [2, 2, 0],
      [typeOf('airdrop-voucher')]: [3, 0, 0],
    });
  });

  test('of an empty wallet are none', async () => {
    expect(await open().readHoldings(`0x${'d'.repeat(64)}`)).toEqual([]);
  });

  test('are unknown, not smaller, when a single kiosk cannot be read', async () => {
    await sandbox.faults.set('sui', { kind: '500', operation: 'StateService/ListDynamicFields', times: 1 });
    await expect(open().readHoldings(owner)).rejects.toThrow(Unavailable);
  });

  test('of more than 200 kiosks are refused', async () => {
    const hoarder = `0x${'b'.repeat(64)}`;
    for (let kiosk = 0; kiosk < 201; kiosk += 1) sandbox.world.createKiosk({ holder: hoarder });
    await expect(open().readHoldings(hoarder)).rejects.toMatchObject({ reason: 'too-many-kiosks' });
  });

  test('of 1,000 NFTs in 50 kiosks take one call a kiosk and four more, many at once', async () => {
    const big = await startSandbox({ seed: { treasury: { coinTypes: 200, nfts: 1_000, kiosks: 50 } } });
    try {
      // Only with some latency do calls overlap enough to be counted.
      big.faults.setLatency('sui', 100);
      big.requests.reset();
      const held = await open({ world: big }).readHoldings(big.facts.treasuryAddress);
      expect(held.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
      expect(big.requests.of('sui').byOperation).toEqual({
        'StateService/ListOwnedObjects': 4,
        'StateService/ListDynamicFields': 50,
      });
      expect(big.requests.of('sui').maxInFlight).toBeGreaterThanOrEqual(20);
    } finally {
      await big.stop();
    }
  });

  describeOutages('HoldingsReader', {
    sandbox: () => sandbox,
    services: ['sui'],
    kinds: ['429', '500', 'hang', 'truncated', 'malformed', 'wrong-types', 'empty', 'refused'],
    open: (limits) => {
      const copy = open({ limits });
      return () => copy.readHoldings(owner);
    },
  });
});

describe('market facts', () => {
  const asked = () => [typeOf('rocks'), typeOf('lava-lizards'), typeOf('prime-boulders'), typeOf('airdrop-voucher')];

  test('are what the marketplace says; an unverified collection has no floor that counts, an unknown one is absent', async () => {
    const reader: MarketReader = open();
    const facts = await reader.readMarketFacts(asked());
    const rocks = sandbox.world.facts('rocks');
    expect(facts.get(typeOf('rocks'))).toMatchObject({
      name: 'Sui Rocks',
      verified: true,
      floorMist: rocks.floorMist,
      mintedCount: rocks.supply,
      source: 'tradeport',
    });
    expect(facts.get(typeOf('prime-boulders'))).toMatchObject({ verified: false, floorMist: null, bestBidMist: null });
    expect(facts.has(typeOf('airdrop-voucher'))).toBe(false);
  });

  test('hold the highest active, unexpired collection bid', async () => {
    const price = 1_000_000_000_000n;
    const bidder = `0x${'8'.repeat(64)}`;
    const expiresAtMs = Date.now() + 86_400_000;
    sandbox.world.collectionBid({ collection: 'lava-lizards', bidder, priceMist: price, expiresAtMs });
    const facts = await open().readMarketFacts(asked());
    expect(facts.get(typeOf('lava-lizards'))?.bestBidMist).toBe(price);
    const later = new Date(expiresAtMs);
    const expired = await open({ now: () => later }).readMarketFacts(asked());
    expect(expired.get(typeOf('lava-lizards'))?.bestBidMist).not.toBe(price);
  });

  test('take two calls the first time and one from then on, whatever the number of collections', async () => {
    const copy = open();
    const callsOf = async () => {
      sandbox.requests.reset();
      await copy.readMarketFacts(asked());
      return sandbox.requests.of('market').count;
    };
    expect([await callsOf(), await callsOf(), await callsOf()]).toEqual([2, 1, 1]);
  });

  test('survive an outage and a restart with the time they are from', async () => {
    const before = await open().readMarketFacts(asked());
    await sandbox.faults.set('market', { kind: 'refused' });
    const after = await open().readMarketFacts(asked());
    expect(after).toEqual(before);
  });

  test('of a collection that was never answered are Unavailable during an outage: not "unknown there"', async () => {
    await open().readMarketFacts([typeOf('rocks')]);
    await sandbox.faults.set('market', { kind: '500' });
    await expect(open().readMarketFacts([typeOf('rocks'), typeOf('cave-bats')])).rejects.toThrow(Unavailable);
  });

  describeOutages('MarketReader without a last good answer', {
    sandbox: () => sandbox,
    services: ['market'],
    kinds: ['429', '503', 'hang', 'malformed', 'wrong-types', 'empty', 'reset'],
    open: (limits) => {
      const copy = open({ limits });
      return () => copy.readMarketFacts([typeOf('rocks')]);
    },
  });
});

describe("the product's own collection", () => {
  const isLive = (copy: Collections) => () => copy.factsSnapshot().data.state === 'live';

  test('GET /api/collection gives minted, floor, listed and holders with their age, and never waits for the outside', async () => {
    const copy = open();
    const [route] = copy.routes;
    expect(route).toMatchObject({ method: 'GET', path: '/api/collection', access: 'public' });
    const body = async () => (await route?.handle(routeRequest())) as { body: unknown };
    expect(collectionFactsAnswer.parse((await body()).body).data).toMatchObject({
      state: 'unavailable',
      floorSui: null,
    });
    await copy.start();
    await until('the facts are live', isLive(copy));
    const rocks = sandbox.world.facts('rocks');
    const listed = sandbox.world.state.listings.filter((row) => row.collectionKey === 'rocks' && row.listed);
    expect(collectionFactsAnswer.parse((await body()).body).data).toMatchObject({
      mintedCount: rocks.supply,
      maxSupply: 555,
      floorSui: Number(rocks.floorMist) / 1e9,
      listedCount: listed.length,
      holderCount: rocks.ownerCount,
    });
    expect(copy.noscriptHtml()).toContain(`${rocks.supply} of 555 minted`);
  });

  test('is shown after a restart during an outage, with its age', async () => {
    const first = open();
    await first.start();
    await until('the facts are live', isLive(first));
    await sandbox.faults.set('market', { kind: 'refused' });
    const second = open({ now: () => new Date(Date.now() + 3_600_000) });
    await second.start();
    expect(second.factsSnapshot().data).toMatchObject({
      state: 'stale',
      mintedCount: first.factsSnapshot().data.mintedCount,
      asOf: first.factsSnapshot().data.asOf,
    });
  });

  test('turns stale by age alone and says so, and recovers by itself', async () => {
    const copy = open({ refreshMs: 100 });
    const seen: string[] = [];
    copy.onChange(() => {
      const { state } = copy.factsSnapshot().data;
      if (seen.at(-1) !== state) seen.push(state);
    });
    await copy.start();
    await until('the facts are live', isLive(copy));
    await sandbox.faults.set('market', { kind: '500' });
    await until('the facts are stale', () => copy.factsSnapshot().data.state === 'stale');
    await sandbox.faults.clear();
    await until('the facts are live again', isLive(copy));
    expect(seen).toEqual(['live', 'stale', 'live']);
  });

  test('lets go of a marketplace that hangs when the product stops', async () => {
    await sandbox.faults.set('market', { kind: 'hang' });
    const copy = open();
    await copy.start();
    await until('the marketplace is asked', () => sandbox.requests.of('market').inFlight > 0);
    const startedMs = performance.now();
    await copy.stop();
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  test('is read by one copy for all', async () => {
    const copies = [open({ refreshMs: 200 }), open({ refreshMs: 200 }), open({ refreshMs: 200 })];
    await Promise.all(copies.map((copy) => copy.start()));
    await until('all copies are live', () => copies.every((copy) => isLive(copy)()));
    sandbox.requests.reset();
    const startedMs = Date.now();
    await until('five refreshes have passed', () => Date.now() - startedMs > 1_000);
    // Two calls a refresh (facts, listed count); three copies asking for themselves would make 30.
    expect(sandbox.requests.of('market').count).toBeLessThanOrEqual(14);
  });
});
