import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';
import { moveCoins } from '../../sandbox/world/moving-coins.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { TreasuryReading } from '../../src/treasury/core/reading.ts';
import { monthAfter, monthOf, monthStart } from '../../src/shared/utc-month.ts';
import type { Statement } from '../../src/treasury/core/statement-check.ts';
import { startDaysScene } from '../support/days-scene.ts';
import { monthWithoutStatement, startLedgerScene } from '../support/ledger-scene.ts';

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

const gem = `0x${'7'.repeat(64)}::gem::GEM`;
const gemMetadata = { decimals: 6, symbol: 'GEM', name: 'Gem', iconUrl: null };
const quoteOfGem = (asOf: Date) => ({
  pricePicoUsd: 2_000_000_000_000n,
  confidence: null,
  asOf,
  source: 'geckoterminal',
});

test('what a stranger sends of a coin that is part of the total is a movement in every sum, and no gain of price', async () => {
  let valued: Partial<Pick<TreasuryReading, 'metadata' | 'prices'>> = {};
  let counted: readonly string[] = [];
  const scene = await startDaysScene({ valued: () => valued, countedNow: () => counted });
  const { world } = scene.sandbox;
  world.addCoin({ coinType: gem, metadata: gemMetadata });
  await scene.read();
  await scene.keepReading(new Date(Date.now() - 86_400_000), { total: 50_000_000_000n, token: 40_000_000_000n });
  world.receive({ coinType: gem, amount: 5_000_000_000n, from: stranger });
  await scene.read();
  await scene.keepReading(new Date(), { total: 60_000_000_000n, token: 50_000_000_000n });
  await scene.price();
  const apart = await scene.page({ apart: 'true' });
  expect(apart.entries[0]).toMatchObject({ kind: 'other', changes: [{ coinType: gem }] });
  expect(apart.coins.map(({ coinType }) => coinType)).not.toContain(gem);

  // Its price is trusted now. Until the ledger knows the coin, the split is unknown rather than false.
  const at = new Date();
  valued = {
    metadata: new Map([[gem, { coinType: gem, ...gemMetadata }]]),
    prices: new Map([[gem, { quote: quoteOfGem(at), readAt: at }]]),
  };
  counted = [gem];
  expect((await scene.trend()).changes[0]).toMatchObject({ usd: 10_000, movedUsd: null, priceUsd: null });
  await scene.read();
  await scene.price();
  const { apart: stillApart, coins, entries } = await scene.page();
  expect(stillApart).toBe(apart.apart - 1);
  expect(entries[0]).toMatchObject({ kind: 'transfer-in', usdAtTime: 10_000, counterparty: { address: stranger } });
  expect(coins.find(({ coinType }) => coinType === gem)).toMatchObject({
    symbol: 'GEM',
    inRaw: '5000000000',
    unexplainedRaw: '0',
  });
  expect((await scene.trend()).changes[0]).toMatchObject({ usd: 10_000, movedUsd: 10_000, priceUsd: 0 });
  expect((await scene.csv()).text).toContain(gem);

  world.receive({ coinType: gem, amount: 1n, from: stranger });
  await scene.read();
  expect((await scene.entries({ coin: gem })).map(({ kind }) => kind)).toEqual(['transfer-in', 'transfer-in']);
  await scene.end();
});

test('what came in a month whose statement was made leaves that statement unchanged; the sums of the next one close', async () => {
  let valued: Partial<Pick<TreasuryReading, 'metadata' | 'prices'>> = {};
  const scene = await startLedgerScene({ valued: () => valued });
  const { world } = scene.sandbox;
  const before = monthOf(new Date(monthStart(monthWithoutStatement()).getTime() - 40 * 86_400_000));
  const month = monthAfter(before);
  const receiveIn = async (amount: bigint, at: string): Promise<void> => {
    world.receive({ coinType: gem, amount, from: stranger });
    await scene.read();
    for (const table of ['ledger_entries', 'ledger_changes']) {
      const ofGem = `digest in (select digest from ledger_changes where coin_type = '${gem}' and raw = ${amount})`;
      await scene.database.rows(`update ${table} set happened_at = '${at}' where ${ofGem}`);
    }
    await scene.price();
  };
  world.addCoin({ coinType: gem, metadata: gemMetadata });
  await receiveIn(5n, `${before}-11T00:00:00Z`);
  await scene.database.rows(`update ledger_readings set covered_at = '${month}-02T00:00:00Z'`);
  await scene.makeStatements();
  const made = await scene.statementFile(before);
  expect(made).not.toContain(gem);

  const at = new Date();
  valued = {
    metadata: new Map([[gem, { coinType: gem, ...gemMetadata }]]),
    prices: new Map([[gem, { quote: quoteOfGem(at), readAt: at }]]),
  };
  await scene.read();
  await receiveIn(2n, `${month}-11T00:00:00Z`);
  await scene.makeStatements();
  expect(await scene.statementFile(before)).toBe(made);
  const { coins } = JSON.parse(await scene.statementFile(month)) as Statement;
  expect(coins.find(({ coinType }) => coinType === gem)).toMatchObject({
    openingRaw: '0',
    unaskedRaw: '5',
    inRaw: '2',
    closingRaw: '7',
  });
  await scene.end();
});
