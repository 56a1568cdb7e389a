import { expect, test, vi } from 'vitest';

import { suiCoinType } from '../shared/sui-address.ts';
import { createSuiPrice } from './sui-price.ts';

const now = () => new Date('2026-11-20T12:00:00.000Z');
const quotesOf = (ageMs: number) =>
  new Map([[suiCoinType, { pricePicoUsd: 3_500_000_000_000n, asOf: new Date(now().getTime() - ageMs) }]]);
const quotes = quotesOf(0);
const clock = { now };

test('the first answer after a start waits for the first price', async () => {
  const prices = createSuiPrice({ readPrices: () => Promise.resolve(quotes) }, clock);
  expect(await prices()).toBe('3.5');
});

test('the wait for a price that does not come ends after 1.5 seconds', async () => {
  const prices = createSuiPrice({ readPrices: () => Promise.withResolvers<typeof quotes>().promise }, clock);
  vi.useFakeTimers();
  try {
    const asked = prices();
    await vi.advanceTimersByTimeAsync(1_499);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('a price that cannot be read is unknown at once', async () => {
  const prices = createSuiPrice({ readPrices: () => Promise.reject(new Error('down')) }, clock);
  expect(await prices()).toBeNull();
});

test.each([
  [14, '3.5'],
  [15, null],
])('a price that was just read, and is %i minutes old by its source, is %s', async (ageMinutes, usd) => {
  const prices = createSuiPrice({ readPrices: () => Promise.resolve(quotesOf(ageMinutes * 60_000)) }, clock);
  expect(await prices()).toBe(usd);
});
