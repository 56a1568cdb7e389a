import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';
import { moveCoins } from '../../sandbox/world/moving-coins.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { startLedgerScene } from '../support/ledger-scene.ts';

/** Rulings R8: whatever strangers send to a public wallet, its ledger goes on. */

const stranger = `0x${'5'.repeat(64)}`;

/** A type of 2,700 characters without repetition, which the database cannot compress. */
function longType(): string {
  const name = (seed: number): string =>
    createHash('sha512')
      .update(String(seed))
      .digest('base64')
      .replace(/[^A-Za-z]/g, '');
  const types = Array.from({ length: 12 }, (_, at) => `0x${name(at).length}::${name(at)}::${name(-at - 1)}`);
  return `0x${'b'.repeat(64)}::spam::SPAM<${types.join(', ')}>`;
}

test('a coin whose type is too long for a database key does not stop the ledger: it is left out, and everything else closes', async () => {
  const scene = await startLedgerScene();
  const { world, facts } = scene.sandbox;
  const coinType = longType();
  world.addCoin({ coinType, metadata: null });
  // Alone, then beside a coin that counts.
  world.setBalance({ coinType, coinBalance: 9n });
  world.receive({ coinType: suiCoinType, amount: 7n, from: stranger });
  const transaction = world.state.transactions.at(-1);
  if (transaction === undefined) throw new Error('Nothing was paid');
  moveCoins(world.state, transaction, { from: stranger, to: facts.treasuryAddress, coinType, amount: 7n });
  await scene.read();
  const { coins, complete } = await scene.page();
  expect(complete).toBe(true);
  expect(coins.length).toBeGreaterThan(2);
  expect(coins.filter(({ unexplainedRaw }) => unexplainedRaw !== '0')).toEqual([]);
  const entry = (await scene.entries()).find(({ digest }) => digest === transaction.digest);
  expect(entry?.changes).toMatchObject([{ coinType: suiCoinType, raw: '7' }]);
  await scene.end();
});

test('a ledger that leaves out kiosks whose caps strangers sent does not call itself complete, and goes on', async () => {
  const scene = await startLedgerScene();
  await scene.read();
  expect((await scene.page()).complete).toBe(true);
  await scene.database.rows('update ledger_readings set has_left_out_kiosks = true');
  scene.sandbox.world.receive({ coinType: suiCoinType, amount: 7n, from: stranger });
  await scene.read();
  expect(await scene.page()).toMatchObject({ complete: false, state: 'live' });
  expect((await scene.entries())[0]?.changes).toMatchObject([{ raw: '7' }]);
  await scene.end();
});
