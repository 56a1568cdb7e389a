import { describe, expect, test } from 'vitest';

import { proveSums, unexplainedText } from './ledger-proof.ts';

const coin = (coinType: string, unexplainedRaw: bigint) => ({
  coinType,
  openingRaw: 0n,
  inRaw: 0n,
  outRaw: 0n,
  closingRaw: 0n,
  chainRaw: unexplainedRaw,
  unexplainedRaw,
});
const textOf = (...coins: readonly ReturnType<typeof coin>[]) =>
  unexplainedText({ checkpoint: 1n, coins }, (coinType) =>
    coinType === 'sui'
      ? { symbol: 'SUI', decimals: 9 }
      : coinType === 'odd'
        ? { symbol: 'O\u202Edd', decimals: 0 }
        : null,
  );

describe('balances from about the time of a checkpoint', () => {
  const proofWith = (at: bigint, inBalance: boolean) => {
    const sums = [{ coinType: 'sui', openingRaw: 0n, inRaw: 10n, outRaw: 0n }];
    const changes = [{ coinType: 'sui', raw: 3n, checkpoint: at }];
    const { coins } = proveSums(sums, changes, new Map([['sui', inBalance ? 10n : 7n]]), 100n);
    return coins[0]?.unexplainedRaw;
  };

  test('may be from before or after a nearby change', () => {
    for (const at of [81n, 99n, 100n, 101n, 120n]) {
      expect([proofWith(at, false), proofWith(at, true)], String(at)).toEqual([0n, 0n]);
    }
  });

  test('do not include a much later change: what they have beyond the ledger is unexplained', () => {
    expect([proofWith(121n, false), proofWith(121n, true)]).toEqual([0n, 3n]);
  });
});

test('an unexplained difference is given in whole coins, with its sign; coins that add up are not mentioned', () => {
  expect(textOf(coin('sui', 0n))).toBeNull();
  expect(textOf(coin('sui', 12_500_000_000n), coin('odd', 0n))).toBe('+12.5 SUI');
  expect(textOf(coin('sui', -1n))).toBe('-0.000000001 SUI');
});

test('a coin without metadata is given in base units, and an odd symbol is cleaned', () => {
  expect(textOf(coin('0x02::rock::ROCK', 7n), coin('odd', -3n))).toBe('+7 base units of 0x2::rock::ROCK, -3 Odd');
});

test('only the first three of many coins are named', () => {
  const many = ['a', 'b', 'c', 'd'].map((name) => coin(`0x1::${name}::${name}`, 1n));
  const first = ['a', 'b', 'c'].map((name) => `+1 base units of 0x1::${name}::${name}`).join(', ');
  expect(textOf(...many)).toBe(`${first} and 1 more coin`);
  expect(textOf(...many, coin('sui', 1n))).toBe(`${first} and 2 more coins`);
});
