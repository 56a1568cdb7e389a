import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FaultKind } from '../../sandbox/faults/fault-board.ts';
import { findReadyAmong } from '../../src/http/route.ts';
import { treasurySnapshot } from '../../src/treasury/contract.ts';
import type { TreasurySnapshot } from '../../src/treasury/contract.ts';
import type { Treasury } from '../../src/treasury/treasury.ts';
import { routeRequest } from '../support/route-request.ts';
import { refreshMs, startTreasuryWorld } from '../support/running-treasury.ts';
import type { TreasuryWorld, WorldOptions } from '../support/running-treasury.ts';
import { until } from '../support/until.ts';

let world: TreasuryWorld;

const startWorld = async (options: WorldOptions = { impatient: true }): Promise<Treasury> => {
  world = await startTreasuryWorld(options);
  const treasury = world.copy();
  await treasury.start();
  await until('the first snapshot is there', () => treasury.snapshot() !== null);
  await world.settled();
  return treasury;
};

const break_ = async (kind: FaultKind, ...services: string[]): Promise<void> => {
  for (const service of services) await world.sandbox.faults.set(service, { kind, delayMs: 5_000 });
};

/** Recovery needs no restart; a busy machine may need a second refresh. */
const recover = async (treasury: Treasury, isLive: (snapshot: TreasurySnapshot) => boolean): Promise<void> => {
  await world.sandbox.faults.clear();
  await until('the figures are live again', async () => isLive(await world.refresh(treasury)));
};

const everyWay: FaultKind[] = [
  '429',
  '500',
  'hang',
  'slow',
  'truncated',
  'malformed',
  'wrong-types',
  'reset',
  'refused',
];

describe('an upstream down, in each way', () => {
  let treasury: Treasury;
  beforeAll(async () => {
    treasury = await startWorld();
  });
  afterAll(() => world.end());

  describe('the full node down: nothing new is published, the last good figures stay with their age', () => {
    test.each(everyWay)('%s', async (kind) => {
      const before = treasury.snapshot();
      await break_(kind, 'sui');
      const during = await world.refresh(treasury, 3 * refreshMs);
      expect(during).toMatchObject({ asOf: before?.asOf, totalUsdValue: before?.totalUsdValue, state: 'stale' });
      expect(during.balance).toEqual(before?.balance);
      expect(during.figures.balanceInSui.state).toBe('stale');
      expect(treasury.snapshotAgeSeconds()).toBe((3 * refreshMs) / 1_000);
      await recover(treasury, ({ state, asOf }) => state === 'live' && asOf === world.clock.now().toISOString());
    });
  });

  describe('prices down: fresh balances at the last good prices, visibly stale, then live again', () => {
    test.each(everyWay)('%s', async (kind) => {
      const before = treasury.snapshot();
      await break_(kind, 'prices', 'pricesFallback');
      const during = await world.refresh(treasury, 3 * refreshMs);
      expect(during).toMatchObject({ asOf: world.clock.now().toISOString(), totalUsdValue: before?.totalUsdValue });
      expect(during).toMatchObject({ state: 'stale' });
      expect(during.figures).toMatchObject({ suiPrice: { state: 'stale' }, balanceInSui: { state: 'live' } });
      expect(during.tokenBreakdown.map((row) => row.usdValue)).toEqual(
        before?.tokenBreakdown.map((row) => row.usdValue),
      );
      await recover(treasury, ({ figures }) => figures.suiPrice.state === 'live');
    });
  });

  describe('the marketplace down: floors keep their last good value with their age, then live again', () => {
    test.each(everyWay)('%s', async (kind) => {
      const before = treasury.snapshot();
      await break_(kind, 'market');
      const during = await world.refresh(treasury, 3 * refreshMs);
      expect(during).toMatchObject({
        asOf: world.clock.now().toISOString(),
        nftTotalValueSui: before?.nftTotalValueSui,
        totalUsdValue: before?.totalUsdValue,
        state: 'stale',
      });
      expect(during.nftBreakdown.map((row) => row.state)).toEqual(before?.nftBreakdown.map(() => 'stale'));
      expect(during.tokenBreakdown.map((row) => row.state)).toEqual(before?.tokenBreakdown.map(() => 'live'));
      expect(during.figures).toMatchObject({
        nftHoldings: { state: 'live' },
        tokenTotalUsd: { state: 'live' },
        nftTotalValueSui: { state: 'stale', asOf: before?.figures.nftTotalValueSui.asOf },
        nftTotalAtBestBidSui: { state: 'stale' },
        valuePerRock: { state: 'stale' },
        allocation: { state: 'stale' },
      });
      await recover(treasury, ({ nftBreakdown }) => nftBreakdown.every((row) => row.state === 'live'));
    });
  });
});

describe('worse days', () => {
  afterEach(() => world.end());

  describe('only a part of an upstream down', () => {
    test('a single kiosk that cannot be read: nothing new is published', async () => {
      const treasury = await startWorld({});
      const before = treasury.snapshot();
      await world.sandbox.faults.set('sui', { kind: '500', operation: 'StateService/ListDynamicFields', times: 1 });
      expect((await world.refresh(treasury)).asOf).toBe(before?.asOf);
      expect(world.warnings).toContain('Treasury refresh failed; trying again');
      expect((await world.refresh(treasury)).asOf).not.toBe(before?.asOf);
    });

    test('DefiLlama alone down: the fallback prices count as estimates', async () => {
      const treasury = await startWorld();
      const before = treasury.snapshot();
      await break_('500', 'prices');
      const during = await world.refresh(treasury);
      expect(during.totalUsdValue).toBe(before?.totalUsdValue);
      expect(during.figures.totalUsdValue.state).toBe('estimated');
      expect(during.figures.suiPrice).toMatchObject({ state: 'estimated', source: 'geckoterminal' });
    });
  });

  test('an answer of the marketplace without the collections held: floors keep their last good value for a day', async () => {
    const treasury = await startWorld();
    const before = treasury.snapshot();
    for (const collection of world.sandbox.world.state.collections.values()) collection.onMarketplace = false;
    const during = await world.refresh(treasury, 3 * refreshMs);
    expect(during).toMatchObject({ totalUsdValue: before?.totalUsdValue, valuePerRock: before?.valuePerRock });
    expect(during.nftBreakdown.map(({ state }) => state)).toEqual(before?.nftBreakdown.map(() => 'stale'));
    expect((await world.refresh(treasury, 24 * 60 * refreshMs)).nftBreakdown).toEqual([]);
  });

  describe('without a snapshot to fall back on', () => {
    test('everything down: the answer is 503 at once; recovery needs no restart', async () => {
      world = await startTreasuryWorld({ impatient: true });
      await break_('500', 'sui', 'market', 'prices', 'pricesFallback');
      const treasury = world.copy();
      await treasury.start();
      const balance = treasury.routes.find((route) => route.path === '/api/treasury/balance');
      const answer = balance?.handle(routeRequest());
      expect(await answer).toMatchObject({ status: 503, body: { code: 'treasury-not-read-yet' } });
      expect(findReadyAmong(treasury.routes)('/api/treasury/balance')).toBeUndefined();
      expect(treasury.noscriptHtml()).toContain('has not been read yet');
      await world.sandbox.faults.clear();
      await until('it recovers by itself', () => {
        world.clock.advance(1_000);
        return treasury.snapshot() !== null;
      });
    });

    test('prices never known: balances are shown, totals are null and never 0', async () => {
      world = await startTreasuryWorld({ impatient: true });
      await break_('500', 'prices', 'pricesFallback');
      const treasury = world.copy();
      await treasury.start();
      await until('the first snapshot is there', () => treasury.snapshot() !== null);
      expect(treasury.snapshot()).toMatchObject({ totalUsdValue: null, tokenTotalUsd: null, nftTotalValueUsd: null });
      expect(treasury.snapshot()?.balance?.balanceInSui).toBeGreaterThan(0);
      expect(treasury.snapshot()?.nftTotalValueSui).toBeGreaterThan(0);
      expect(treasurySnapshot.safeParse(treasury.snapshot()).success).toBe(true);
      await recover(treasury, ({ totalUsdValue }) => (totalUsdValue ?? 0) > 0);
    });
  });

  describe('restarts and stops', () => {
    test('a restart serves the last good snapshot at once, byte for byte, with every upstream down', async () => {
      const first = await startWorld();
      const before = findReadyAmong(first.routes)('/api/treasury/balance');
      await first.stop();
      await break_('refused', 'sui', 'market', 'prices', 'pricesFallback');
      const second = world.copy();
      await second.start();
      expect(findReadyAmong(second.routes)('/api/treasury/balance')?.etag).toBe(before?.etag);
      world.clock.advance(2 * refreshMs + 1_000);
      expect(second.snapshot()).toMatchObject({ asOf: first.snapshot()?.asOf, state: 'stale' });
    });

    test('after a restart with the marketplace down its last floors stay, with their time', async () => {
      const first = await startWorld();
      const before = first.snapshot();
      await first.stop();
      await break_('refused', 'market');
      const second = world.copy();
      await second.start();
      const during = await world.refresh(second, 3 * refreshMs);
      expect(during).toMatchObject({
        asOf: world.clock.now().toISOString(),
        nftTotalValueSui: before?.nftTotalValueSui,
        figures: { nftTotalValueSui: { state: 'stale', asOf: before?.figures.nftTotalValueSui.asOf } },
      });
    });

    test('a figure turns stale by age alone, and the ready answer says so without any new refresh', async () => {
      const treasury = await startWorld();
      const live = findReadyAmong(treasury.routes)('/api/treasury/balance');
      let changes = 0;
      treasury.onChange(() => (changes += 1));
      await treasury.stop();
      const other = world.copy();
      await break_('refused', 'sui');
      await other.start();
      world.clock.advance(2 * refreshMs);
      expect(other.snapshot()?.state).toBe('live');
      world.clock.advance(2);
      expect(other.snapshot()?.state).toBe('stale');
      expect(findReadyAmong(other.routes)('/api/treasury/balance')?.etag).not.toBe(live?.etag);
      expect(findReadyAmong(other.routes)('/api/treasury/balance')?.identity.toString()).toContain('"state":"stale"');
    });

    test('an upstream that hangs for ever is abandoned at the deadline, and the job goes on', async () => {
      const treasury = await startWorld({ deadlineMs: 3_000 });
      await break_('hang', 'sui');
      const asked = world.sandbox.requests.of('sui').count;
      world.clock.advance(refreshMs);
      await until('the refresh hangs', () => {
        world.clock.advance(0);
        return world.sandbox.requests.of('sui').count > asked;
      });
      await until('it ends', () => world.warnings.includes('Treasury refresh failed; trying again'));
      await world.sandbox.faults.clear();
      expect((await world.refresh(treasury)).asOf).toBe(world.clock.now().toISOString());
    });

    test('a stop does not wait for a hanging upstream', async () => {
      const treasury = await startWorld({});
      await break_('hang', 'sui', 'market', 'prices');
      const asked = world.sandbox.requests.of('sui').count;
      world.clock.advance(refreshMs);
      await until('the refresh hangs', () => {
        world.clock.advance(0);
        return world.sandbox.requests.of('sui').count > asked;
      });
      const startedMs = performance.now();
      await treasury.stop();
      expect(performance.now() - startedMs).toBeLessThan(1_000);
      expect(world.warnings).toEqual([]);
    });
  });
});
