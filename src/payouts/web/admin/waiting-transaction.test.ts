import { describe, expect, test } from 'vitest';
import { suiCoinType } from '../../../shared/sui-address.ts';
import { transactions } from './payouts-calls.ts';
import { differencesFromPlan } from './waiting-transaction.tsx';

const coin = { type: suiCoinType, symbol: 'SUI', decimals: 9 } as const;
const addressOf = (digit: string): string => `0x${digit.repeat(64)}`;
const line = (digit: string, raw: string, ...rocks: number[]) => ({ address: addressOf(digit), raw, rocks });
const plan = [line('a', '2000000000', 1, 2), line('b', '1000000000', 3), line('c', '1000000000', 4)];
const differences = (received: typeof plan, leavesRaw = '3000000000') =>
  differencesFromPlan({ received, leavesRaw, gasMist: '1' }, plan, coin);

describe('what a transaction pays is held against the plan, line by line', () => {
  test('one that pays some lines of the plan as they stand has no differences', () => {
    expect(differences([line('a', '2000000000', 1, 2), line('c', '1000000000', 4)])).toEqual([]);
  });

  test.each([
    ['another address', [line('d', '3000000000', 1)], '0xdddd…dddd gets 3 SUI and is not in the plan.'],
    ['another amount', [line('a', '3000000000', 1, 2)], '0xaaaa…aaaa gets 3 SUI; the plan says 2 SUI.'],
    ['other rocks', [line('a', '2000000000', 1, 9), line('c', '1000000000', 4)], 'is paid for other rocks'],
    ['a line twice', [line('a', '2000000000', 1, 2), line('a', '1000000000', 1)], 'is paid a second time, 1 SUI.'],
  ])('%s is named', (_what, received, sentence) => {
    expect(differences(received)).toEqual([expect.stringContaining(sentence)]);
  });

  test('more that leaves than those paid get is named', () => {
    expect(differences([line('b', '1000000000', 3)], '1000000001')).toEqual([
      '1.000000001 SUI leaves the treasury; those paid get 1 SUI.',
    ]);
  });
});

test('gas below zero, where merged coins give back more storage than was used, is known like any other', () => {
  const effects = { received: plan, leavesRaw: '4000000000', gasMist: '-956120' };
  const answer = transactions.parse({ transactions: [{ digest: 'a', gasMist: '-956120', effects }], open: {} });
  expect(answer.transactions?.[0]).toMatchObject({ gasMist: '-956120', effects });
});
