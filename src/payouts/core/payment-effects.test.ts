import { describe, expect, test } from 'vitest';

import { suiCoinType } from '../../shared/sui-address.ts';
import type { Simulated } from '../../sources/sui/chain-transaction.ts';
import { budgetFor, differenceFrom, type Meant } from './payment-effects.ts';

const treasury = `0x${'a'.repeat(64)}`;
const usdc = `0x${'d'.repeat(64)}::usdc::USDC`;
const addressOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const coinObject = (type: string): string => `0x${'2'.padStart(64, '0')}::coin::Coin<${type}>`;
const wallet = (address: string) => ({ kind: 'wallet', address }) as const;

/** A payment to five, and what an honest node says of it. */
function honest(coinType: string): { readonly meant: Meant; readonly simulated: Simulated } {
  const payments = [1, 2, 3, 4, 5].map((number) => ({ address: addressOf(number), raw: BigInt(number * 100) }));
  const gas = { computationMist: 1_000n, storageMist: 5_000n, rebateMist: 900n };
  const isSui = coinType === suiCoinType;
  const [gasCoins, coins] = [[{ objectId: '0x1c' }], [{ objectId: '0x2c' }, { objectId: '0x3c' }]];
  const balanceChanges = [
    ...payments.map((each) => ({ ...each, coinType })),
    ...(isSui ? [] : [{ address: treasury, coinType, raw: -1_500n }]),
    { address: treasury, coinType: suiCoinType, raw: isSui ? -6_600n : -5_100n },
  ];
  const change = { before: null, isCreated: false, isDeleted: false, objectType: coinObject(coinType) };
  const objects = [
    ...payments.map(({ address }, index) => ({
      ...change,
      objectId: `0xnew${index}`,
      after: wallet(address),
      isCreated: true,
    })),
    { ...change, objectId: '0x1c', after: wallet(treasury) },
    { ...change, objectId: '0x2c', after: null, isDeleted: true },
  ];
  return {
    meant: { sender: treasury, coinType, payments, gasCoins, coins, budgetMist: 9_000n },
    simulated: {
      kind: 'ran',
      failure: null,
      gas,
      balanceChanges,
      objects,
      sender: treasury,
      gasPayer: treasury,
      budgetMist: 9_000n,
    },
  };
}

describe.each([
  ['SUI', suiCoinType],
  ['another coin', usdc],
])('a simulation of a payment in %s', (_name, coinType) => {
  const { meant, simulated } = honest(coinType);
  const liar = addressOf(666);

  test('that does what the plan says has no difference', () => {
    expect(differenceFrom(meant, simulated)).toBeNull();
  });

  test.each<[string, Partial<Simulated>]>([
    ['has another sender', { sender: liar }],
    ['has another who pays the gas', { gasPayer: liar }],
    ['has another budget', { budgetMist: 9_001n }],
    ['says nothing of its budget', { budgetMist: null }],
    ['costs more than its budget', { gas: { ...simulated.gas, storageMist: 50_000n } }],
    ['costs other gas than leaves the treasury', { gas: { ...simulated.gas, rebateMist: 901n } }],
    [
      'pays one unit more',
      {
        balanceChanges: simulated.balanceChanges.map((each, at) => (at === 0 ? { ...each, raw: each.raw + 1n } : each)),
      },
    ],
    [
      'pays somebody else',
      { balanceChanges: simulated.balanceChanges.map((each, at) => (at === 0 ? { ...each, address: liar } : each)) },
    ],
    ['forgets somebody', { balanceChanges: simulated.balanceChanges.slice(1) }],
    [
      'moves a third coin',
      { balanceChanges: [...simulated.balanceChanges, { address: treasury, coinType: `${usdc}2`, raw: -1n }] },
    ],
    [
      'gives a coin object to somebody else',
      { objects: simulated.objects.map((each, at) => (at === 0 ? { ...each, after: wallet(liar) } : each)) },
    ],
    ['makes one more object', { objects: [...simulated.objects, { ...simulated.objects[0]!, objectId: '0xmore' }] }],
    [
      'makes an object of another type',
      {
        objects: simulated.objects.map((each, at) => (at === 0 ? { ...each, objectType: '0x2::kiosk::Kiosk' } : each)),
      },
    ],
    [
      'touches what it does not name',
      { objects: [...simulated.objects, { ...simulated.objects.at(-1)!, objectId: '0x9c' }] },
    ],
    [
      'gives away what it names',
      {
        objects: simulated.objects.map((each) => (each.objectId === '0x1c' ? { ...each, after: wallet(liar) } : each)),
      },
    ],
    ['makes no object for somebody', { objects: simulated.objects.slice(1) }],
  ])('that %s is told in a sentence', (_what, change) => {
    expect(differenceFrom(meant, { ...simulated, ...change })).toMatch(/^[A-Z].*\.$/);
  });
});

test('a budget has room for a little more than was used, and does not rely on what is given back', () => {
  expect(budgetFor({ computationMist: 1_000n, storageMist: 5_000n, rebateMist: 900n }, 2n)).toBe(7_100n);
  expect(budgetFor({ computationMist: 1_000n, storageMist: 5_000n, rebateMist: 90_000n }, 2n)).toBe(3_000n);
});
