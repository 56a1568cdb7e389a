import { describe, expect, test } from 'vitest';
import { confirmsJump, judgeJump, jumpPercent } from './jump-check.ts';

describe('rulings R3: a total that moves by more than 50 % is confirmed before it is published', () => {
  test.each([
    { last: null, next: 5n, verdict: 'publish' },
    { last: null, next: null, verdict: 'publish' },
    { last: 100n, next: 150n, verdict: 'publish' },
    { last: 100n, next: 50n, verdict: 'publish' },
    { last: 100n, next: 151n, verdict: 'confirm' },
    { last: 100n, next: 49n, verdict: 'confirm' },
    { last: 0n, next: 1n, verdict: 'confirm' },
    { last: 100n, next: 0n, verdict: 'confirm' },
    { last: 100n, next: null, verdict: 'hold' },
  ])('from $last to $next: $verdict', ({ last, next, verdict }) => {
    expect(judgeJump(last, next)).toBe(verdict);
  });

  test.each([
    { first: 1_000n, second: 1_000n, confirms: true },
    { first: 1_000n, second: 1_020n, confirms: true },
    { first: 1_000n, second: 980n, confirms: true },
    { first: 1_000n, second: 1_021n, confirms: false },
    { first: 1_000n, second: null, confirms: false },
    { first: 0n, second: 0n, confirms: true },
  ])('a second read of $second after $first confirms: $confirms', ({ first, second, confirms }) => {
    expect(confirmsJump(first, second)).toBe(confirms);
  });

  test('the flag says by how many per cent, with its sign', () => {
    const confirmedAt = new Date(0);
    expect(jumpPercent({ previousMicroUsd: 200n, nextMicroUsd: 500n, confirmedAt })).toBe(150);
    expect(jumpPercent({ previousMicroUsd: 200n, nextMicroUsd: 50n, confirmedAt })).toBe(-75);
    expect(jumpPercent({ previousMicroUsd: 0n, nextMicroUsd: 50n, confirmedAt })).toBe(100);
  });
});
