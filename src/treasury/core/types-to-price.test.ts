import { describe, expect, test } from 'vitest';
import { suiCoinType } from '../../shared/sui-address.ts';
import { knownCoins } from './known-coins.ts';
import { coinTypeLengthMax, typesToPrice } from './types-to-price.ts';

const spam = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${String(index).padStart(64, '0')}::s::S`);
const usdc = knownCoins.find(({ symbol }) => symbol === 'USDC')?.coinTypes[0] ?? '';
const bought = `0x${'f'.repeat(64)}::rock::ROCK`;
const never = (): boolean => false;

describe('rulings R3: a wallet flooded with worthless coins still counts what it holds', () => {
  test('SUI, known coins and coins with a price come before everything else', () => {
    const held = [...spam(5_000), bought, usdc, suiCoinType];
    const asked = typesToPrice(held, (type) => type === bought, knownCoins, { max: 10, round: 0 });
    expect(asked.slice(0, 3)).toEqual([suiCoinType, usdc, bought]);
    expect(asked).toHaveLength(10);
  });

  test('the others take turns until each was asked', () => {
    const held = spam(95);
    const rounds = Array.from({ length: 11 }, (_, round) => typesToPrice(held, never, knownCoins, { max: 11, round }));
    expect(new Set(rounds.flat())).toEqual(new Set([suiCoinType, ...held]));
    for (const asked of rounds) expect(new Set(asked).size).toBe(11);
  });

  test('a type nested to absurdity is not asked', () => {
    const absurd = `0x${'a'.repeat(64)}::s::S<${'b'.repeat(coinTypeLengthMax)}>`;
    expect(typesToPrice([absurd], never, knownCoins, { max: 10, round: 3 })).toEqual([suiCoinType]);
  });

  test('SUI is asked even when none is held', () => {
    expect(typesToPrice([], never, knownCoins, { max: 10, round: 0 })).toEqual([suiCoinType]);
  });
});
