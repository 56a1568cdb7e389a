import { describe, expect, test } from 'vitest';

import { suiCoinType } from '../../shared/sui-address.ts';
import type { Simulated } from '../../sources/sui/chain-transaction.ts';
import {
  budgetFor,
  chooseCoins,
  coinsInOrder,
  differenceFrom,
  type IntendedTransaction,
  type Needs,
} from './transaction-rules.ts';

const sui = { symbol: 'SUI', decimals: 9 };
const coins = (...amounts: readonly number[]) =>
  amounts.map((raw, index) => ({ objectId: `c${index}`, raw: BigInt(raw) }));
const needs = (given: Partial<Needs> = {}): Needs => ({
  isSui: true,
  coin: sui,
  raw: 5n,
  openRaw: 5n,
  elsewhereRaw: 0n,
  ...given,
});
const ids = (some: readonly { objectId: string }[]): string => some.map(({ objectId }) => objectId).join(' ');

describe('coin objects that a transaction spends', () => {
  test('the one that paid last comes first, then those that paid before, then the largest', () => {
    const held = coins(1, 9, 5, 5, 0);
    expect(ids(coinsInOrder(held, []))).toBe('c1 c2 c3 c0 c4');
    expect(ids(coinsInOrder(held, ['c0', 'gone', 'c4']))).toBe('c0 c4 c1 c2 c3');
  });

  test('SUI is paid from the gas coins, and what is left of them is available for gas', () => {
    expect(chooseCoins(coins(9, 3), [], needs())).toMatchObject({ kind: 'chosen', coins: [], gasMaxMist: 7n });
    expect(chooseCoins(coins(5), [], needs())).toMatchObject({
      kind: 'short',
      message: expect.stringContaining('no SUI left for gas'),
    });
  });

  test('another coin is paid from its own coin objects, and all SUI is available for gas, up to what a transaction may cost', () => {
    const chosen = chooseCoins(coins(9e10), coins(4, 3), needs({ isSui: false }));
    expect(chosen).toMatchObject({ kind: 'chosen', gasMaxMist: 50_000_000_000n });
    expect(chosen.kind === 'chosen' && ids(chosen.coins)).toBe('c0 c1');
    expect(chooseCoins([], coins(4, 3), needs({ isSui: false }))).toMatchObject({ kind: 'short' });
  });

  test('as many as fit are named, so that a payment by hand from any of them blocks the transaction', () => {
    const many = coins(...Array.from({ length: 300 }, () => 1));
    const chosen = chooseCoins(many, many, needs({ isSui: false }));
    expect(chosen.kind === 'chosen' && [chosen.gasCoins.length, chosen.coins.length]).toEqual([256, 256]);
    expect(chooseCoins(many, [], needs({ raw: 280n, openRaw: 280n }))).toMatchObject({
      message: expect.stringContaining('Merge its coins first.'),
    });
  });

  test('nobody is paid until there is enough for everybody, and the refusal names the address balance', () => {
    const short = chooseCoins(coins(9), [], needs({ openRaw: 1_000_000_005n, elsewhereRaw: 2_000_000_000n }));
    expect(short).toEqual({
      kind: 'short',
      message:
        'The treasury has 0.000000009 SUI in coin objects, but the open lines need 1.000000005 SUI. 2 SUI are in its address balance or in party objects, which cannot be paid from: send them to the treasury as a coin first.',
    });
  });
});

const treasury = `0x${'a'.repeat(64)}`;
const usdc = `0x${'d'.repeat(64)}::usdc::USDC`;
const addressOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const coinObject = (type: string): string => `0x${'2'.padStart(64, '0')}::coin::Coin<${type}>`;
const wallet = (address: string) => ({ kind: 'wallet', address }) as const;

/** A payment to five addresses, and an honest node's simulation of it. */
function honest(coinType: string): { readonly meant: IntendedTransaction; readonly simulated: Simulated } {
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
    ['has another gas payer', { gasPayer: liar }],
    ['has another budget', { budgetMist: 9_001n }],
    ['names no budget', { budgetMist: null }],
    ['costs more than its budget', { gas: { ...simulated.gas, storageMist: 50_000n } }],
    ['costs a different amount of gas than leaves the treasury', { gas: { ...simulated.gas, rebateMist: 901n } }],
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
    ['leaves out a recipient', { balanceChanges: simulated.balanceChanges.slice(1) }],
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
      'touches an object that the transaction does not name',
      { objects: [...simulated.objects, { ...simulated.objects.at(-1)!, objectId: '0x9c' }] },
    ],
    [
      'gives away an object that the transaction names',
      {
        objects: simulated.objects.map((each) => (each.objectId === '0x1c' ? { ...each, after: wallet(liar) } : each)),
      },
    ],
    ['makes no object for somebody', { objects: simulated.objects.slice(1) }],
  ])('that %s is reported in a sentence', (_what, change) => {
    expect(differenceFrom(meant, { ...simulated, ...change })).toMatch(/^[A-Z].*\.$/);
  });
});

test('a budget has room for a little more than was used, and is never below the computation, whatever storage is refunded', () => {
  expect(budgetFor({ computationMist: 1_000n, storageMist: 5_000n, rebateMist: 900n }, 2n)).toBe(7_100n);
  expect(budgetFor({ computationMist: 1_000n, storageMist: 5_000n, rebateMist: 90_000n }, 2n)).toBe(3_000n);
});
