import { describe, expect, test } from 'vitest';

import { chooseCoins, coinsInOrder, type Needs } from './choose-coins.ts';

const sui = { symbol: 'SUI', decimals: 9 };
const coins = (...amounts: readonly number[]) =>
  amounts.map((raw, index) => ({ objectId: `c${index}`, raw: BigInt(raw) }));
const needs = (given: Partial<Needs> = {}): Needs => ({
  isSui: true,
  coin: sui,
  raw: 5n,
  openRaw: 5n,
  addressRaw: 0n,
  ...given,
});
const ids = (some: readonly { objectId: string }[]): string => some.map(({ objectId }) => objectId).join(' ');

describe('coin objects that a transaction spends', () => {
  test('the one that paid last goes first, then those that paid before, then the largest', () => {
    const held = coins(1, 9, 5, 5, 0);
    expect(ids(coinsInOrder(held, []))).toBe('c1 c2 c3 c0 c4');
    expect(ids(coinsInOrder(held, ['c0', 'gone', 'c4']))).toBe('c0 c4 c1 c2 c3');
  });

  test('SUI is paid out of the gas coins, and what is left of them is there for gas', () => {
    expect(chooseCoins(coins(9, 3), [], needs())).toMatchObject({ kind: 'chosen', coins: [], gasMaxMist: 7n });
    expect(chooseCoins(coins(5), [], needs())).toMatchObject({
      kind: 'short',
      message: expect.stringContaining('no SUI left for gas'),
    });
  });

  test('another coin is paid out of its own, and all SUI is there for gas, up to what a transaction may cost', () => {
    const chosen = chooseCoins(coins(9e10), coins(4, 3), needs({ isSui: false }));
    expect(chosen).toMatchObject({ kind: 'chosen', gasMaxMist: 50_000_000_000n });
    expect(chosen.kind === 'chosen' && ids(chosen.coins)).toBe('c0 c1');
    expect(chooseCoins([], coins(4, 3), needs({ isSui: false }))).toMatchObject({ kind: 'short' });
  });

  test('as many as fit are named, so that a payment by hand out of any of them comes in its way', () => {
    const many = coins(...Array.from({ length: 300 }, () => 1));
    const chosen = chooseCoins(many, many, needs({ isSui: false }));
    expect(chosen.kind === 'chosen' && [chosen.gasCoins.length, chosen.coins.length]).toEqual([256, 256]);
    expect(chooseCoins(many, [], needs({ raw: 280n, openRaw: 280n }))).toMatchObject({
      message: expect.stringContaining('Merge its coins first.'),
    });
  });

  test('nobody is paid before there is enough for everybody; what lies in the address balance is named', () => {
    const short = chooseCoins(coins(9), [], needs({ openRaw: 1_000_000_005n, addressRaw: 2_000_000_000n }));
    expect(short).toEqual({
      kind: 'short',
      message:
        'The treasury has 0.000000009 SUI in coin objects, but the open lines need 1.000000005 SUI. 2 SUI are in its address balance, which cannot be paid from: send them to the treasury as a coin first.',
    });
  });
});
