import { Transaction } from '@mysten/sui/transactions';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeTransaction } from '../../../tests/support/decode-transaction.ts';
import { buildPayment, type PaymentTerms } from './execution.ts';

const addressOf = (number: number | bigint): string => `0x${number.toString(16).padStart(64, '0')}`;
const digest = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const objects = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => ({
    objectId: addressOf(from + index),
    version: BigInt(index + 1),
    digest,
    madeBy: null,
  }));
const treasury = addressOf(0xaaaa);

const terms = (payments: PaymentTerms['payments'], gasCoins = 1, coins = 0): PaymentTerms => ({
  sender: treasury,
  gasCoins: objects(gasCoins, 1_000_000),
  gasPriceMist: 1_000n,
  budgetMist: 50_000_000n,
  coins: objects(coins, 2_000_000),
  payments,
  expiresEpoch: 951n,
});

const payment = fc.record({ address: fc.bigInt(1n, 2n ** 256n - 1n).map(addressOf), raw: fc.bigInt(1n, 2n ** 63n) });
const world = fc.record({
  payments: fc.uniqueArray(payment, { selector: ({ address }) => address, minLength: 1, maxLength: 40 }),
  gasCoins: fc.integer({ min: 1, max: 5 }),
  coins: fc.integer({ min: 0, max: 5 }),
});

test('the bytes of 1,000 random payments decode to exactly the requested terms', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ payments, gasCoins, coins }) => {
      const asked = terms(payments, gasCoins, coins);
      const { bytes } = await buildPayment(asked);
      const spent = [...asked.gasCoins, ...asked.coins].map(({ objectId, version }) => `${objectId}@${version}`);
      expect(decodeTransaction(bytes)).toEqual({
        sender: treasury,
        gasPayer: treasury,
        expiresEpoch: asked.expiresEpoch,
        payments,
        objects: spent,
      });
      expect(await buildPayment(asked)).toEqual(await buildPayment(asked));
    }),
    { numRuns: 1_000, seed: 22 },
  );
}, 120_000);

test('a thousand recipients, paid from the largest number of coin objects, stay within the limits of a transaction', async () => {
  const payments = Array.from({ length: 1_000 }, (_, index) => ({
    address: addressOf(index + 1),
    raw: 2n ** 62n + BigInt(index),
  }));
  const { bytes } = await buildPayment(terms(payments, 256, 256));
  expect(bytes.length).toBeLessThan(131_072 - 22_000);
  const { commands } = Transaction.from(bytes).getData();
  expect(commands.length).toBeLessThan(1_024);
  expect(
    Math.max(
      ...commands.map(
        ({ SplitCoins: split, MergeCoins: merge }) => split?.amounts.length ?? merge?.sources.length ?? 0,
      ),
    ),
  ).toBeLessThan(512);
});
