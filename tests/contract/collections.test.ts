import { describe, expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { collectionsScene } from '../support/collections-scene.ts';
import { describeOutages } from './outages.ts';

const { sandbox, open, owner, typeOf } = collectionsScene();

describe('holdings', () => {
  test('are the NFTs directly owned and in every kiosk whose cap the wallet holds, listed or not', async () => {
    const holdings = open();
    const held = new Map((await holdings.readHoldings(owner())).map((each) => [each.collectionType, each]));
    const shares = [...held].map(([type, { count, kioskCount, listedCount }]) => [
      type,
      [count, kioskCount, listedCount],
    ]);
    // As in sandbox/seed/treasury-nfts.ts: wallet, plain, personal and OriginByte kiosks.
    expect(Object.fromEntries(shares)).toEqual({
      [typeOf('rocks')]: [6, 4, 0],
      [typeOf('lava-lizards')]: [7, 7, 2],
      [typeOf('cave-bats')]: [7, 5, 0],
      [typeOf('glow-worms')]: [4, 3, 0],
      [typeOf('prime-boulders')]: [2, 2, 0],
      [typeOf('airdrop-voucher')]: [3, 0, 0],
    });
  });

  test('of an empty wallet are an empty list', async () => {
    expect(await open().readHoldings(`0x${'d'.repeat(64)}`)).toEqual([]);
  });

  test('are unknown, not smaller, if a single kiosk cannot be read', async () => {
    await sandbox().faults.set('sui', { kind: '500', operation: 'StateService/ListDynamicFields', times: 1 });
    await expect(open().readHoldings(owner())).rejects.toThrow(Unavailable);
  });

  test('of more than 200 kiosks are refused', async () => {
    const hoarder = `0x${'b'.repeat(64)}`;
    for (let kiosk = 0; kiosk < 201; kiosk += 1) sandbox().world.createKiosk({ holder: hoarder });
    await expect(open().readHoldings(hoarder)).rejects.toMatchObject({ reason: 'too-many-kiosks' });
  });

  test('of 1,000 NFTs in 50 kiosks take one call per kiosk and two more, many at once', async () => {
    const big = await startSandbox({ seed: { treasury: { coinTypes: 200, nfts: 1_000, kiosks: 50 } } });
    try {
      // Only with some latency do calls overlap enough to be counted.
      big.faults.setLatency('sui', 100);
      big.requests.reset();
      const held = await open({ world: big }).readHoldings(big.facts.treasuryAddress);
      expect(held.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
      expect(big.requests.of('sui').byOperation).toEqual({
        'StateService/ListOwnedObjects': 2,
        'StateService/ListDynamicFields': 50,
      });
      expect(big.requests.of('sui').maxInFlight).toBeGreaterThanOrEqual(20);
    } finally {
      await big.stop();
    }
  });

  describeOutages('HoldingsReader', {
    sandbox,
    services: ['sui'],
    kinds: ['429', '500', 'hang', 'truncated', 'malformed', 'wrong-types', 'empty', 'refused'],
    open: (limits) => {
      const copy = open({ limits });
      return () => copy.readHoldings(owner());
    },
  });
});

describe('market facts', () => {
  const asked = () => [typeOf('rocks'), typeOf('lava-lizards'), typeOf('prime-boulders'), typeOf('airdrop-voucher')];

  test("are the marketplace's; an unverified collection has no floor, and an unknown one is absent", async () => {
    const reader = open();
    const facts = await reader.readMarketFacts(asked());
    const rocks = sandbox().world.facts('rocks');
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

  test('include the highest active, unexpired collection bid', async () => {
    const price = 1_000_000_000_000n;
    const bidder = `0x${'8'.repeat(64)}`;
    const expiresAtMs = Date.now() + 86_400_000;
    sandbox().world.collectionBid({ collection: 'lava-lizards', bidder, priceMist: price, expiresAtMs });
    const facts = await open().readMarketFacts(asked());
    expect(facts.get(typeOf('lava-lizards'))?.bestBidMist).toBe(price);
    const later = new Date(expiresAtMs);
    const expired = await open({ now: () => later }).readMarketFacts(asked());
    expect(expired.get(typeOf('lava-lizards'))?.bestBidMist).not.toBe(price);
  });

  test('take two calls, for any number of collections', async () => {
    sandbox().requests.reset();
    await open().readMarketFacts(asked());
    expect(sandbox().requests.of('market').count).toBe(2);
  });

  describeOutages('MarketReader', {
    sandbox,
    services: ['market'],
    kinds: ['429', '503', 'hang', 'malformed', 'wrong-types', 'empty', 'reset'],
    open: (limits) => {
      const copy = open({ limits });
      return () => copy.readMarketFacts([typeOf('rocks')]);
    },
  });
});
