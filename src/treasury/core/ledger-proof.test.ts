import { expect, test } from 'vitest';

import { unexplainedText } from './ledger-proof.ts';

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

test('what is not explained is said in whole coins, with its sign; what adds up is not mentioned', () => {
  expect(textOf(coin('sui', 0n))).toBeNull();
  expect(textOf(coin('sui', 12_500_000_000n), coin('odd', 0n))).toBe('+12.5 SUI');
  expect(textOf(coin('sui', -1n))).toBe('-0.000000001 SUI');
});

test('a coin that the chain has not described is said in base units, an odd symbol without its tricks', () => {
  expect(textOf(coin('0x02::rock::ROCK', 7n), coin('odd', -3n))).toBe('+7 base units of 0x2::rock::ROCK, -3 Odd');
});

test('of many coins the first three are named', () => {
  const many = ['a', 'b', 'c', 'd'].map((name) => coin(`0x1::${name}::${name}`, 1n));
  const first = ['a', 'b', 'c'].map((name) => `+1 base units of 0x1::${name}::${name}`).join(', ');
  expect(textOf(...many)).toBe(`${first} and 1 more coin`);
  expect(textOf(...many, coin('sui', 1n))).toBe(`${first} and 2 more coins`);
});
