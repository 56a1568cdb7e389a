import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { createPastPrices, type PastPriceSource, type PriceRange } from '../../src/sources/prices/llama-prices.ts';
import { priceAt } from '../../src/treasury/core/price-at.ts';
import { serveOnLoopback } from '../support/serve-on-loopback.ts';
import { describeOutages } from './outages.ts';

const startedAt = new Date('2026-11-20T00:00:00Z');
const now = new Date('2026-11-20T10:03:21Z');
const dayMs = 86_400_000;
const agoDays = (days: number): Date => new Date(now.getTime() - days * dayMs);
const fourteenMonths: PriceRange = { from: agoDays(426), to: now, every: 'day' };
const lastDays = (days: number, every: PriceRange['every'] = 'hour'): PriceRange => ({
  from: agoDays(days),
  to: now,
  every,
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => now, seed: { startedAt } });
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  sandbox.world.reset();
  sandbox.requests.reset();
});

const typeOf = (digit: string, name: string): string => `0x${digit.repeat(64)}::coin::${name}`;
const nobodyKnows = typeOf('9', 'NOBODY');
const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
const readerAt = (baseUrl: string, limits: Partial<CallLimits> = {}): PastPriceSource =>
  createPastPrices({ baseUrl, limits });
const read = (coinTypes: readonly string[], range: PriceRange) =>
  readerAt(sandbox.urls.prices).readPastPrices(coinTypes, range);

describe('past prices from DefiLlama', () => {
  test('are exact, oldest first, each with its confidence and its own time', async () => {
    const points = (await read([suiCoinType], lastDays(3, 'day'))).get(suiCoinType) ?? [];
    expect(points.map(({ asOf }) => asOf.toISOString())).toEqual([
      '2026-11-17T00:00:00.000Z',
      '2026-11-18T00:00:00.000Z',
      '2026-11-19T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
    const asked = `${sandbox.urls.prices}/prices/historical/${Date.parse('2026-11-18') / 1000}/sui:0x2::sui::SUI`;
    const { coins } = (await (await fetch(asked)).json()) as { coins: Record<string, { price: number }> };
    expect(points[1]).toMatchObject({ confidence: 0.99, source: 'defillama' });
    expect(Number(points[1]?.pricePicoUsd) / 1e12).toBeCloseTo(coins['sui:0x2::sui::SUI']?.price ?? 0, 10);
  });

  test('a coin is absent if it is unknown, or before its first day', async () => {
    const found = await read([nobodyKnows, usdc], lastDays(2));
    expect([...found.keys()]).toEqual([usdc]);
    expect((await read([usdc], { from: agoDays(500), to: agoDays(480), every: 'day' })).size).toBe(0);
  });

  test('ten coins over fourteen months of days take nine calls, each within the limits of the service', async () => {
    const coins = [...sandbox.world.state.prices.keys()].slice(0, 10);
    const found = await read(coins, fourteenMonths);
    expect([...found.keys()].sort()).toEqual([...coins].sort());
    for (const points of found.values()) expect(points.length).toBe(427);
    const { entries } = sandbox.requests.of('prices');
    expect(entries.map(({ operations, status }) => [operations, status])).toEqual(
      Array.from({ length: 9 }, () => [['chart'], 200]),
    );
    for (const { path } of entries) expect(path.length).toBeLessThanOrEqual(6_000);
  });

  test('one coin takes one call over fourteen months of days, and two over thirty days of hours', async () => {
    await read([suiCoinType], fourteenMonths);
    expect(sandbox.requests.of('prices').count).toBe(1);
    const hours = (await read([suiCoinType], lastDays(30))).get(suiCoinType) ?? [];
    expect(sandbox.requests.of('prices').count).toBe(3);
    expect(hours.length).toBe(30 * 24 + 1);
  });

  test('coins with very long types make no URL longer than the service accepts', async () => {
    const long = Array.from({ length: 12 }, (_, index) => typeOf('5', `${'L'.repeat(900)}${index}`));
    for (const coinType of long) sandbox.world.setPrice({ coinType, priceUsd: '2' });
    expect((await read([...long, suiCoinType], lastDays(2, 'day'))).size).toBe(13);
    for (const { path } of sandbox.requests.of('prices').entries) expect(path.length).toBeLessThanOrEqual(6_000);
  });

  test('every moment of the range has a price within half a day, and moments a day outside it have none', async () => {
    const [from, to] = [new Date('2026-08-20T05:00:00Z'), new Date('2026-09-20T18:00:00Z')];
    const points = (await read([suiCoinType], { from, to, every: 'day' })).get(suiCoinType) ?? [];
    for (let ms = from.getTime(); ms <= to.getTime(); ms += dayMs / 24) {
      expect(priceAt(points, new Date(ms), 'day'), new Date(ms).toISOString()).not.toBeNull();
    }
    expect(priceAt(points, new Date(from.getTime() - dayMs), 'day')).toBeNull();
    expect(priceAt(points, new Date(to.getTime() + dayMs), 'day')).toBeNull();
  });

  test('no request is made without a coin, or for a range that ends before it begins', async () => {
    expect((await read([], fourteenMonths)).size).toBe(0);
    expect((await read([suiCoinType], { from: now, to: agoDays(3), every: 'day' })).size).toBe(0);
    expect(sandbox.requests.of('prices').count).toBe(0);
  });

  test('a mistaken first day costs four calls, not a thousand', async () => {
    const points = await read([usdc], { from: new Date(0), to: now, every: 'day' });
    expect(points.get(usdc)?.at(-1)?.asOf.toISOString()).toBe('2026-11-20T00:00:00.000Z');
    expect(sandbox.requests.of('prices').count).toBe(4);
  });

  test('one failed call fails the whole reading: a partial past is no answer', async () => {
    let calls = 0;
    const baseUrl = await serveOnLoopback((_ask, response) => {
      calls += 1;
      response.writeHead(calls === 3 ? 500 : 200, { 'content-type': 'application/json' }).end('{"coins":{}}');
    });
    const coins = [...sandbox.world.state.prices.keys()].filter((coinType) => coinType !== suiCoinType).slice(0, 10);
    const reading = readerAt(baseUrl, { retries: 0 }).readPastPrices(coins, fourteenMonths);
    await expect(reading).rejects.toMatchObject({ name: 'Unavailable', reason: 'upstream-error' });
    expect(calls).toBe(3);
  });

  test('an answer without any price is malformed if SUI was requested, and valid otherwise', async () => {
    const baseUrl = await serveOnLoopback((_ask, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"coins":{}}');
    });
    const reading = readerAt(baseUrl).readPastPrices([nobodyKnows, suiCoinType], lastDays(1));
    await expect(reading).rejects.toMatchObject({ name: 'Unavailable', reason: 'malformed-answer' });
    expect((await readerAt(baseUrl).readPastPrices([nobodyKnows], lastDays(1))).size).toBe(0);
    const beforeSui = { from: new Date('2022-01-01'), to: new Date('2022-01-05'), every: 'day' as const };
    expect((await readerAt(baseUrl).readPastPrices([suiCoinType], beforeSui)).size).toBe(0);
  });

  test('one empty answer among others is malformed: its part of the past would have no prices for ever', async () => {
    let calls = 0;
    const baseUrl = await serveOnLoopback((ask, response) => {
      calls += 1;
      const start = Number(new URL(ask.url ?? '', 'http://prices').searchParams.get('start'));
      const coins = calls === 2 ? {} : { 'sui:0x2::sui::SUI': { prices: [{ timestamp: start, price: 3 }] } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ coins }));
    });
    const reading = readerAt(baseUrl).readPastPrices([suiCoinType], lastDays(60));
    await expect(reading).rejects.toMatchObject({ name: 'Unavailable', reason: 'malformed-answer' });
    expect(calls).toBe(2);
  });

  describeOutages('past prices', {
    sandbox: () => sandbox,
    services: ['prices'],
    open: (limits) => {
      const reader = readerAt(sandbox.urls.prices, limits);
      return () => reader.readPastPrices([suiCoinType], lastDays(1));
    },
  });
});

describe('an unreadable chart means unknown prices, and affects no other coin', () => {
  const good = typeOf('3', 'GOOD');
  const bad = typeOf('2', 'BAD');
  const midnight = Date.parse('2026-11-19T00:00:00Z') / 1000;
  const range = { from: new Date(midnight * 1000), to: new Date(midnight * 1000 + dayMs), every: 'day' as const };
  const goodChart = { confidence: 0.99, prices: [{ timestamp: midnight, price: 2 }] };
  const readFrom = async (charts: Record<string, unknown>) => {
    const baseUrl = await serveOnLoopback((_ask, response) => {
      const coins = Object.fromEntries(Object.entries(charts).map(([coinType, chart]) => [`sui:${coinType}`, chart]));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ coins }));
    });
    return readerAt(baseUrl).readPastPrices([good, bad], range);
  };

  test.each([
    ['no chart', null],
    ['no prices', { confidence: 0.9 }],
    ['a confidence in words', { ...goodChart, confidence: 'high' }],
    ['a price below zero', { prices: [{ timestamp: midnight, price: -1 }] }],
    ['a price of zero', { prices: [{ timestamp: midnight, price: 0 }] }],
    ['an implausibly high price', { prices: [{ timestamp: midnight, price: 1e89 }] }],
    ['a price in words', { prices: [{ timestamp: midnight, price: '2' }] }],
    ['a time in another year', { prices: [{ timestamp: midnight - 31_536_000, price: 2 }] }],
  ])('%s', async (_what, chart) => {
    expect([...(await readFrom({ [good]: goodChart, [bad]: chart })).keys()]).toEqual([good]);
  });

  test('a bad point affects no other, a repeated point counts once, and points are put in order', async () => {
    const at = (seconds: number, price: unknown) => ({ timestamp: midnight + seconds, price });
    const prices = [at(86_400, 3), at(0, 2), at(0, 2), null, at(1, 'two')];
    const points = (await readFrom({ [good]: { prices } })).get(good) ?? [];
    expect(points.map(({ asOf, pricePicoUsd }) => [asOf.getTime() / 1000 - midnight, pricePicoUsd])).toEqual([
      [0, 2_000_000_000_000n],
      [86_400, 3_000_000_000_000n],
    ]);
  });

  test('points beyond the requested number are dropped', async () => {
    const prices = Array.from({ length: 5_000 }, (_, index) => ({ timestamp: midnight + index, price: 2 }));
    expect((await readFrom({ [good]: { prices } })).get(good)?.length).toBe(2);
  });
});
