import { afterEach, expect, test } from 'vitest';
import type { Treasury } from '../../src/treasury/treasury.ts';
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

test('one worthless coin with the longest type the chain allows is listed apart, and stops nothing', async () => {
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

test('1,100 worthless coins do not hide what the treasury holds', async () => {
  world = await startTreasuryWorld();
  for (let index = 0; index < 1_100; index += 1) {
    const coinType = `0x${(65_536 + index).toString(16).padStart(64, '0')}::s::S`;
    world.sandbox.world.addCoin({ coinType, metadata: null });
    world.sandbox.world.setBalance({ coinType, coinBalance: 1n });
  }
  const symbols = (await started()).snapshot()?.tokenBreakdown.map(({ symbol }) => symbol);
  expect(symbols).toEqual(expect.arrayContaining(['SUI', 'USDC', 'suiUSDT', 'CETUS', 'DEEP', 'BUCK', 'WAL', 'NAVX']));
});
