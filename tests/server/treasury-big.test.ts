import { afterEach, describe, expect, test } from 'vitest';
import { startTreasuryWorld } from '../support/running-treasury.ts';
import type { TreasuryWorld } from '../support/running-treasury.ts';
import { until } from '../support/until.ts';

let world: TreasuryWorld;
afterEach(() => world.end());

const upstreams = ['sui', 'market', 'prices', 'pricesFallback'];
const kioskCall = 'StateService/ListDynamicFields';

describe('a treasury of 200 coin types and 1,000 NFTs in 50 kiosks', () => {
  test('is read with at most one call per kiosk plus 12, not counting the first read of metadata', async () => {
    world = await startTreasuryWorld({
      sandbox: { seed: { treasury: { coinTypes: 200, nfts: 1_000, kiosks: 50 } } },
    });
    const treasury = world.copy();
    await treasury.start();
    await until('the first snapshot is there', () => treasury.snapshot() !== null);
    await world.settled();
    await world.refresh(treasury);
    world.sandbox.requests.reset();
    const snapshot = await world.refresh(treasury);
    const calls = upstreams.reduce((sum, name) => sum + world.sandbox.requests.of(name).count, 0);
    const kiosks = world.sandbox.requests.of('sui').byOperation[kioskCall] ?? 0;
    const list = Object.fromEntries(upstreams.map((name) => [name, world.sandbox.requests.of(name).byOperation]));
    expect(kiosks).toBe(50);
    expect(calls - kiosks, JSON.stringify(list)).toBeLessThanOrEqual(12);
    expect(snapshot.tokenBreakdown.length + snapshot.uncountedTokenCount).toBe(200);
    const held = [...snapshot.nftBreakdown, ...snapshot.uncountedNfts].reduce((sum, row) => sum + row.count, 0);
    expect(held).toBe(1_000);
  });
});
