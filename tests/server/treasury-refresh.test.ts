import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findReadyAmong } from '../../src/http/route.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { Treasury } from '../../src/treasury/treasury.ts';
import { treasurySnapshot } from '../../src/treasury/contract.ts';
import { refreshMs, startTreasuryWorld } from '../support/running-treasury.ts';
import type { TreasuryWorld } from '../support/running-treasury.ts';
import { until } from '../support/until.ts';

let world: TreasuryWorld;
let treasury: Treasury;

const start = async (): Promise<void> => {
  treasury = world.copy();
  await treasury.start();
  await until('the first snapshot is there', () => treasury.snapshot() !== null);
};

beforeEach(async () => {
  world = await startTreasuryWorld();
});

afterEach(() => world.end());

test('a clock that is set back during a refresh does not delay the next one', async () => {
  const rightNow = Date.now;
  let setBackMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => rightNow() - (setBackMs += 3_600_000));
  await start().finally(() => vi.restoreAllMocks());
  await world.settled();
  world.sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 9_000_000_000_000n });
  expect((await world.refresh(treasury)).balance).toEqual({ balanceInSui: 9_000 });
});

describe('the first snapshot', () => {
  test('counts the seeded tokens and NFTs, lists the troublesome ones separately and fits the contract', async () => {
    await start();
    await until('the metadata of the coins listed separately is read', () =>
      (treasury.snapshot()?.uncountedTokens ?? []).every((row) => row.reason !== 'unpriced' || row.symbol !== null),
    );
    const snapshot = treasury.snapshot();
    expect(treasurySnapshot.parse(snapshot)).toEqual(snapshot);
    const reasons = Object.fromEntries(
      (snapshot?.uncountedTokens ?? []).map((row) => [
        row.coinType.split('::').slice(2).join('::').split('<')[0],
        row.reason,
      ]),
    );
    expect(reasons).toEqual({
      USDC: 'impersonator',
      CLAIM: 'unpriced',
      FREE: 'unpriced',
      LP: 'no-metadata',
      ROCKET: 'low-confidence',
      CAVE: 'unpriced',
    });
    expect(snapshot?.balance?.balanceInSui).toBe(12_354.518203117);
    expect(snapshot?.tokenBreakdown.find((row) => row.coinType === suiCoinType)).toMatchObject({
      price: 1.8342,
      rawBalance: '12354518203117',
      state: 'live',
    });
    const counted = snapshot?.nftBreakdown.map((row) => [row.count, row.listedCount]);
    expect(counted).toEqual(
      expect.arrayContaining([
        [6, 0],
        [7, 2],
        [7, 0],
      ]),
    );
    expect(snapshot?.checkpoint).toMatch(/^\d+$/);
    expect(snapshot?.valuePerRock).toMatchObject({ mintedCount: 412 });
  });

  test('has totals that are the sums of its rows', async () => {
    await start();
    const snapshot = treasury.snapshot();
    const micro = (value: number | null | undefined): number => Math.round((value ?? Number.NaN) * 1e6);
    const tokens = (snapshot?.tokenBreakdown ?? []).reduce((sum, row) => sum + micro(row.usdValue), 0);
    const nfts = (snapshot?.nftBreakdown ?? []).reduce((sum, row) => sum + micro(row.totalValueUsd), 0);
    expect(micro(snapshot?.tokenTotalUsd)).toBe(tokens);
    expect(micro(snapshot?.nftTotalValueUsd)).toBe(nfts);
    expect(micro(snapshot?.totalUsdValue)).toBe(tokens + nfts);
    expect(tokens).toBeGreaterThan(0);
    expect(nfts).toBeGreaterThan(0);
  });
});

test('staking moves SUI out of the balance, but not out of the treasury', async () => {
  world.sandbox.world.stake({ amount: 5_000_000_000_000n });
  await start();
  const snapshot = treasury.snapshot();
  const [staked, sui] = ['Staked SUI', 'SUI'].map((symbol) =>
    snapshot?.tokenBreakdown.find((row) => row.symbol === symbol),
  );
  expect(staked).toMatchObject({ rawBalance: '5000000000000', price: sui?.price, state: 'live' });
  expect(snapshot?.balance?.balanceInSui).toBeCloseTo(7_354.52, 1);
  expect((staked?.usdValue ?? 0) + (sui?.usdValue ?? 0)).toBeCloseTo(12_354.52 * 1.8342, 0);
});

describe('a steady refresh', () => {
  test('requests no metadata, and makes at most one call per kiosk plus 12', async () => {
    await start();
    await world.settled();
    await world.refresh(treasury);
    world.sandbox.requests.reset();
    await world.refresh(treasury);
    const { byOperation, count } = world.sandbox.requests.of('sui');
    const kiosks = byOperation['StateService/ListDynamicFields'] ?? 0;
    expect(kiosks).toBe(5);
    expect(byOperation['StateService/GetCoinInfo'] ?? 0).toBe(0);
    const others = ['market', 'prices', 'pricesFallback'].map((name) => world.sandbox.requests.of(name).count);
    expect(count - kiosks + others.reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(12);
  });

  test('shows a new balance, and nothing else changes', async () => {
    await start();
    const before = treasury.snapshot();
    world.sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 13_000_000_000_000n });
    const after = await world.refresh(treasury);
    expect(after.balance).toEqual({ balanceInSui: 13_000 });
    expect(Date.parse(after.asOf) - Date.parse(before?.asOf ?? '')).toBe(refreshMs);
    expect(after.nftBreakdown).toEqual(before?.nftBreakdown.map((row) => ({ ...row, floorAsOf: after.asOf })));
  });
});

describe('rulings R3: a total that moves by more than 50 %', () => {
  test('is published at once when a second read confirms it, and flagged', async () => {
    await start();
    const before = treasury.snapshot()?.totalUsdValue ?? 0;
    world.sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 100_000_000_000_000n });
    const after = await world.refresh(treasury);
    expect(after.totalUsdValue).toBeGreaterThan(before * 1.5);
    expect(after.jump).toMatchObject({ previousUsdValue: before, nextUsdValue: after.totalUsdValue });
    expect(after.jump?.changePercent).toBeGreaterThan(50);
    // Later changes of the total are not part of that move.
    world.sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 110_000_000_000_000n });
    expect((await world.refresh(treasury)).jump).toEqual(after.jump);
  });

  test('is held back while two reads disagree; the old one stays, and the next refresh tries again', async () => {
    await start();
    const before = treasury.snapshot();
    const { sandbox, clock } = world;
    // The price is ten times too high for the first read only.
    sandbox.world.setPrice({ coinType: suiCoinType, priceUsd: '18.342', confidence: 0.99 });
    const { prices } = sandbox.requests.all();
    const asked = prices?.count ?? 0;
    const mend = until('the first read has its price', () => sandbox.requests.of('prices').count > asked).then(() =>
      sandbox.world.setPrice({ coinType: suiCoinType, priceUsd: '1.8342', confidence: 0.99 }),
    );
    sandbox.faults.setLatency('market', 300);
    const held = await world.refresh(treasury);
    await mend;
    expect(held.totalUsdValue).toBe(before?.totalUsdValue);
    expect(held.asOf).toBe(before?.asOf);
    expect(world.warnings).toContain(
      'The treasury total moved too far without being confirmed; the last good one stays',
    );
    sandbox.faults.setLatency('market', 0);
    clock.advance(1);
    expect((await world.refresh(treasury)).jump).toBeNull();
    expect(treasury.snapshot()?.asOf).not.toBe(before?.asOf);
  });

  test('or would become unknown is held back too, and the log says which of the two it was', async () => {
    await start();
    const before = treasury.snapshot();
    const { sandbox, warnings } = world;
    sandbox.world.setPrice({ coinType: suiCoinType, priceUsd: '1.8342', confidence: 0.5 });
    const held = await world.refresh(treasury);
    expect([held.totalUsdValue, held.asOf]).toEqual([before?.totalUsdValue, before?.asOf]);
    expect(warnings).toContain('The treasury total would become unknown; the last good one stays');
    expect(warnings.join(' ')).not.toContain('moved too far');
  });
});

describe('rulings R7: two copies on one database', () => {
  test('share one refresh, and both show it', async () => {
    await start();
    await world.settled();
    const other = world.copy();
    await other.start();
    expect(other.snapshot()).toEqual(treasury.snapshot());
    world.sandbox.requests.reset();
    await world.refresh(treasury);
    world.clock.advance(5_000);
    await until('both show the same time', () => other.snapshot()?.asOf === treasury.snapshot()?.asOf);
    expect(findReadyAmong(other.routes)('/api/treasury/balance')?.etag).toBe(
      findReadyAmong(treasury.routes)('/api/treasury/balance')?.etag,
    );
    expect(world.sandbox.requests.of('sui').byOperation['StateService/ListBalances']).toBe(1);
  });

  test('when one ends, the other carries on', async () => {
    await start();
    const other = world.copy();
    await other.start();
    await treasury.stop();
    expect(Date.parse((await world.refresh(other)).asOf)).toBe(world.clock.now().getTime());
  });
});

describe('a node that has stopped', () => {
  let stoppedAt: Date | null = null;
  beforeEach(async () => {
    stoppedAt = null;
    await world.end();
    world = await startTreasuryWorld({ sandbox: { now: () => stoppedAt ?? world.clock.now() } });
    await start();
  });

  test('answers, but its figures are as old as its newest checkpoint, and no value is stored for the time since', async () => {
    const points = () => world.database.rows('select at, total_micro_usd from treasury_history order by hour');
    stoppedAt = world.clock.now();
    const before = await points();
    world.sandbox.world.setPrice({ coinType: suiCoinType, priceUsd: '2' });
    const during = await world.refresh(treasury, 10 * refreshMs);
    expect(during).toMatchObject({ asOf: stoppedAt.toISOString(), state: 'stale' });
    expect(during.figures.totalUsdValue).toMatchObject({ asOf: stoppedAt.toISOString(), state: 'stale' });
    expect(treasury.sourceReadings()).toContainEqual({ source: 'chain', readAt: stoppedAt });
    expect(await points()).toEqual(before);
    stoppedAt = null;
    const after = await world.refresh(treasury);
    expect(after).toMatchObject({
      asOf: world.clock.now().toISOString(),
      figures: { balanceInSui: { state: 'live' } },
    });
    expect(await points()).not.toEqual(before);
  });

  test('does not bring back older figures when it answers instead of one that goes on', async () => {
    const shown = await world.refresh(treasury);
    stoppedAt = new Date(world.clock.now().getTime() - refreshMs / 2);
    world.sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 9_000_000_000_000n });
    const { asOf, balance } = await world.refresh(treasury);
    expect({ asOf, balance }).toEqual({ asOf: shown.asOf, balance: shown.balance });
    stoppedAt = null;
    expect((await world.refresh(treasury)).balance).toEqual({ balanceInSui: 9_000 });
  });
});
