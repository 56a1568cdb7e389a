import { describe, expect, test } from 'vitest';
import { ago, meme, minuteMs, now, quote } from '../../../tests/support/treasury-reading.ts';
import { suiCoinType, usableTypeLengthMax } from '../../shared/sui-address.ts';
import { knownCoins } from './known-coins.ts';
import {
  carryJump,
  carryPrices,
  confirmedJump,
  judgeJump,
  jumpPercent,
  sourceReadings,
  typesToPrice,
} from './next-reading.ts';
import type { TreasuryReading } from './reading.ts';

const hourMs = 60 * minuteMs;
const last = new Map([[meme, { quote: quote('3'), readAt: ago(hourMs) }]]);

describe('last good prices', () => {
  test('are all kept during an outage, however old', () => {
    const old = new Map([[meme, { quote: quote('3'), readAt: ago(1_000 * hourMs) }]]);
    expect(carryPrices(old, null, [meme], now)).toEqual(old);
  });

  test('are kept for a day when an answer lacks the coin, with the time of their reading; then the coin is unpriced', () => {
    expect(carryPrices(last, new Map(), [meme], now)).toEqual(last);
    const dayOld = new Map([[meme, { quote: quote('3'), readAt: ago(24 * hourMs) }]]);
    expect(carryPrices(dayOld, new Map(), [meme], now).size).toBe(0);
  });

  test('are replaced by a new quote, even a doubtful one', () => {
    const doubtful = quote('9', { confidence: 0.1 });
    expect(carryPrices(last, new Map([[meme, doubtful]]), [meme], now).get(meme)).toEqual({
      quote: doubtful,
      readAt: now,
    });
  });

  test('that were doubtful stay until a source with a confidence answers: one without it does not make the coin count', () => {
    const doubtful = new Map([[meme, { quote: quote('9', { confidence: 0.1 }), readAt: ago(100 * hourMs) }]]);
    const fallback = quote('9', { confidence: null, source: 'geckoterminal' });
    expect(carryPrices(doubtful, new Map([[meme, fallback]]), [meme], now)).toEqual(doubtful);
    for (const [before, answer] of [
      [doubtful, quote('9')],
      [last, fallback],
    ] as const)
      expect(carryPrices(before, new Map([[meme, answer]]), [meme], now).get(meme)?.quote).toEqual(answer);
  });

  test('are dropped for coins that are no longer held', () => {
    expect(carryPrices(last, new Map(), [suiCoinType], now).size).toBe(0);
  });
});

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
    const jump = confirmedJump({ last: 100n, first, second }, new Date(0));
    expect(jump !== null).toBe(confirms);
  });

  test('a jump is flagged with the total of the second read, and not at all while a total is unknown', () => {
    const confirmedAt = new Date(0);
    const totals = { last: 100n, first: 1_000n, second: 1_010n };
    expect(confirmedJump(totals, confirmedAt)).toEqual({ previousMicroUsd: 100n, nextMicroUsd: 1_010n, confirmedAt });
    for (const unknown of [{ last: null }, { first: null }, { second: null }, { second: 2_000n }])
      expect(confirmedJump({ ...totals, ...unknown }, confirmedAt)).toBeNull();
  });

  test('the flag gives the change in per cent, with its sign', () => {
    const confirmedAt = new Date(0);
    expect(jumpPercent({ previousMicroUsd: 200n, nextMicroUsd: 500n, confirmedAt })).toBe(150);
    expect(jumpPercent({ previousMicroUsd: 200n, nextMicroUsd: 50n, confirmedAt })).toBe(-75);
    expect(jumpPercent({ previousMicroUsd: 0n, nextMicroUsd: 50n, confirmedAt })).toBeNull();
  });
});

test('a confirmed jump stays flagged for a day', () => {
  const jump = { previousMicroUsd: 1n, nextMicroUsd: 5n, confirmedAt: ago(23 * hourMs) };
  expect(carryJump(jump, now)).toBe(jump);
  expect(carryJump({ ...jump, confirmedAt: ago(24 * hourMs) }, now)).toBeNull();
});

const spam = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${String(index).padStart(64, '0')}::s::S`);
const usdc = knownCoins.USDC?.[0] ?? '';
const bought = `0x${'f'.repeat(64)}::rock::ROCK`;
const never = (): boolean => false;

describe('rulings R3: a wallet flooded with worthless coins still counts what it holds', () => {
  test('SUI, known coins and coins with a price come before everything else', () => {
    const held = [...spam(5_000), bought, usdc, suiCoinType];
    const asked = typesToPrice(held, (type) => type === bought, { max: 10, round: 0 });
    expect(asked.slice(0, 3)).toEqual([suiCoinType, usdc, bought]);
    expect(asked).toHaveLength(10);
  });

  test('the others take turns until every price has been requested', () => {
    const held = spam(95);
    const rounds = Array.from({ length: 11 }, (_, round) => typesToPrice(held, never, { max: 11, round }));
    expect(new Set(rounds.flat())).toEqual(new Set([suiCoinType, ...held]));
    for (const asked of rounds) expect(new Set(asked).size).toBe(11);
  });

  test('so do fewer than a refresh takes, since a service may price only the first 300', () => {
    const held = spam(950);
    const rounds = Array.from({ length: 10 }, (_, round) => typesToPrice(held, never, { max: 1_000, round }));
    expect(new Set(rounds.flatMap((asked) => asked.slice(0, 300)))).toEqual(new Set([suiCoinType, ...held]));
    for (const asked of rounds) expect(new Set(asked).size).toBe(951);
  });

  test('no price is requested for an absurdly long type', () => {
    const absurd = `0x${'a'.repeat(64)}::s::S<${'b'.repeat(usableTypeLengthMax)}>`;
    expect(typesToPrice([absurd], never, { max: 10, round: 3 })).toEqual([suiCoinType]);
  });

  test('the price of SUI is requested even when none is held', () => {
    expect(typesToPrice([], never, { max: 10, round: 0 })).toEqual([suiCoinType]);
  });
});

const chainReadAt = new Date('2026-11-22T14:10:00Z');
const earlier = new Date('2026-11-22T13:40:00Z');
const readingWith = (pricesReadAt: readonly Date[], balances = 1): TreasuryReading => ({
  balances: Array.from({ length: balances }, () => ({ coinType: '0x2::sui::SUI', rawBalance: 1n })),
  stakedMist: 0n,
  checkpoint: null,
  holdings: [],
  chainReadAt,
  holdingsReadAt: chainReadAt,
  metadata: new Map(),
  prices: new Map(
    pricesReadAt.map((readAt, index) => [
      `coin ${index}`,
      { readAt, quote: { pricePicoUsd: 1n, confidence: 1, asOf: readAt, source: 'x' } },
    ]),
  ),
  market: null,
  jump: null,
});
const chain = { source: 'chain', readAt: chainReadAt };

test.each([
  ['before the first reading the chain was never read', null, [{ source: 'chain', readAt: null }]],
  ['prices that came with the reading are not listed', readingWith([new Date(chainReadAt.getTime() + 900)]), [chain]],
  ['one coin without a new price is no failed service', readingWith([earlier, chainReadAt]), [chain]],
  [
    'carried-over prices are listed with their time',
    readingWith([earlier]),
    [chain, { source: 'prices', readAt: earlier }],
  ],
  ['prices that never came are listed without a time', readingWith([]), [chain, { source: 'prices', readAt: null }]],
  ['an empty wallet needs no price', readingWith([], 0), [chain]],
])('%s', (_name, given, expected) => {
  expect(sourceReadings(given)).toEqual(expected);
});
