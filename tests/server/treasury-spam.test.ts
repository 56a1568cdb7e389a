import { afterEach, expect, test } from 'vitest';
import type { Treasury } from '../../src/treasury/treasury.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { startTreasuryWorld } from '../support/running-treasury.ts';
import type { TreasuryWorld } from '../support/running-treasury.ts';
import { until } from '../support/until.ts';

let world: TreasuryWorld;
afterEach(() => world.end());

const started = async (): Promise<Treasury> => {
  const treasury = world.copy();
  await treasury.start();
  await until('the first snapshot is there', () => treasury.snapshot() !== null, 60_000);
  return treasury;
};

test('one worthless coin with the longest type the chain allows is listed separately, and stops nothing', async () => {
  world = await startTreasuryWorld();
  const argument = `0x${'a'.repeat(64)}::${'m'.repeat(128)}::${'S'.repeat(128)}`;
  const coinType = `0x${'b'.repeat(64)}::spam::SPAM<${Array(16).fill(argument).join(', ')}>`;
  world.sandbox.world.addCoin({ coinType, metadata: null });
  world.sandbox.world.setBalance({ coinType, coinBalance: 5n });
  const snapshot = (await started()).snapshot();
  expect(snapshot?.totalUsdValue).toBeGreaterThan(0);
  const row = snapshot?.uncountedTokens.find((token) => token.coinType.startsWith(`0x${'b'.repeat(64)}`));
  expect(row?.coinType.length).toBeLessThan(1_100);
});

test('with more kiosks than can be read, coins are still read, and the last good NFT count stays and turns stale', async () => {
  world = await startTreasuryWorld();
  const treasury = await started();
  await world.settled();
  const before = treasury.snapshot();
  for (let index = 0; index < 205; index += 1) {
    world.sandbox.world.createKiosk({ holder: world.sandbox.facts.treasuryAddress });
  }
  world.sandbox.world.setBalance({ coinType: suiCoinType, coinBalance: 13_000_000_000_000n });
  await world.refresh(treasury);
  await world.refresh(treasury);
  const after = await world.refresh(treasury);
  expect(after.balance).toEqual({ balanceInSui: 13_000 });
  expect(after.figures.balanceInSui.state).toBe('live');
  expect(after.figures.nftHoldings).toMatchObject({ state: 'stale', asOf: before?.asOf });
  expect(after.nftBreakdown.map(({ count }) => count)).toEqual(before?.nftBreakdown.map(({ count }) => count));
});

test('1,100 worthless coins do not hide what the treasury holds', async () => {
  world = await startTreasuryWorld();
  for (let index = 0; index < 1_100; index += 1) {
    const coinType = `0x${(65_536 + index).toString(16).padStart(64, '0')}::s::S`;
    world.sandbox.world.addCoin({ coinType, metadata: null });
    world.sandbox.world.setBalance({ coinType, coinBalance: 1n });
  }
  const treasury = await started();
  const symbols = treasury.snapshot()?.tokenBreakdown.map(({ symbol }) => symbol);
  expect(symbols).toEqual(expect.arrayContaining(['SUI', 'USDC', 'suiUSDT', 'CETUS', 'DEEP', 'BUCK', 'WAL', 'NAVX']));
  // Nor do they make the answers long: a hundred are listed, possible impersonators first, and the rest is a number.
  const snapshot = treasury.snapshot();
  expect(snapshot?.uncountedTokens).toHaveLength(100);
  expect(snapshot?.uncountedTokens[0]?.reason).toBe('impersonator');
  expect(snapshot?.uncountedTokenCount).toBeGreaterThan(1_100);
  expect(treasury.noscriptHtml()).toMatch(/1,1\d\d unpriced or unverified holdings are not counted/);
});

test('nor do 20,100 worthless coins: all balances are read, within the time that a refresh has', async () => {
  world = await startTreasuryWorld();
  for (let index = 0; index < 20_100; index += 1) {
    const coinType = `0x${(65_536 + index).toString(16).padStart(64, '0')}::s::S`;
    world.sandbox.world.addCoin({ coinType, metadata: null });
    world.sandbox.world.setBalance({ coinType, coinBalance: 1n });
  }
  const snapshot = (await started()).snapshot();
  expect(snapshot?.uncountedTokenCount).toBeGreaterThan(20_100);
  expect(snapshot?.tokenBreakdown.map(({ symbol }) => symbol)).toContain('SUI');
});
