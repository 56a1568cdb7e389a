import { expect, test } from 'vitest';

import { suiCoinType } from '../shared/sui-address.ts';
import { createSuiPrice, usdSoon } from './sui-price.ts';

const quotes = new Map([[suiCoinType, { pricePicoUsd: 3_500_000_000_000n }]]);
const now = () => new Date('2026-11-20T12:00:00.000Z');
const never = { now, after: () => () => {} };

test('the first answer after a start waits for the first price', async () => {
  const prices = createSuiPrice({ readPrices: () => Promise.resolve(quotes) }, never);
  expect(prices.usdPerSui()).toBeNull();
  expect(await usdSoon(prices, never)).toBe('3.5');
});

test('a price that does not come is not waited for longer than 1.5 seconds', async () => {
  const prices = createSuiPrice({ readPrices: () => Promise.withResolvers<typeof quotes>().promise }, never);
  const waits: number[] = [];
  const after = (delayMs: number, run: () => void) => {
    waits.push(delayMs);
    run();
    return () => {};
  };
  expect(await usdSoon(prices, { after })).toBeNull();
  expect(waits).toEqual([1500]);
});

test('a price that cannot be read is told as unknown at once', async () => {
  const prices = createSuiPrice({ readPrices: () => Promise.reject(new Error('down')) }, never);
  expect(await usdSoon(prices, never)).toBeNull();
});
