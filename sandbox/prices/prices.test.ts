import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { troubleCoins } from '../seed/treasury-tokens.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

const startedAt = new Date('2026-11-20T00:00:00Z');
const now = new Date('2026-11-20T10:03:21Z');
const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
const suiLong = `0x${'0'.repeat(63)}2::sui::SUI`;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => now, seed: { startedAt } });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

type Llama = { coins: Record<string, Record<string, unknown>> };
const llama = async (coins: string[], query = '') =>
  (await (await fetch(`${sandbox.urls.prices}/prices/current/${coins.join(',')}${query}`)).json()) as Llama;

describe('the DefiLlama service', () => {
  test('returns quotes under the requested key, at a five-minute mark', async () => {
    const { coins } = await llama(['sui:0x2::sui::SUI', `sui:${usdc}`]);
    expect(coins['sui:0x2::sui::SUI']).toEqual({
      decimals: 9,
      symbol: 'SUI',
      price: 1.8342,
      timestamp: Date.parse('2026-11-20T10:00:00Z') / 1000,
      confidence: 0.99,
    });
    expect(coins[`sui:${usdc}`]).toMatchObject({ decimals: 6, price: 0.9998 });
  });

  test('knows SUI only by its short type and omits unknown coins', async () => {
    expect(await llama([`sui:${suiLong}`, 'sui:0x1::no::COIN', usdc])).toEqual({ coins: {} });
  });

  test('omits a quote that is older than searchWidth', async () => {
    sandbox.world.setPrice({ coinType: usdc, priceUsd: '1', ageMs: 3 * 3_600_000 });
    expect((await llama([`sui:${usdc}`], '?searchWidth=2h')).coins).toEqual({});
    expect((await llama([`sui:${usdc}`], '?searchWidth=4h')).coins).not.toEqual({});
  });

  test('returns a low confidence', async () => {
    const { coins } = await llama([`sui:${troubleCoins.lowConfidence}`]);
    expect(coins[`sui:${troubleCoins.lowConfidence}`]).toMatchObject({ confidence: 0.42 });
  });
});

const day = 86_400;
const nowSeconds = now.getTime() / 1000;
const sui = 'sui:0x2::sui::SUI';
const get = async (path: string) => {
  const answer = await fetch(`${sandbox.urls.prices}${path}`);
  return { status: answer.status, body: (await answer.json()) as Llama & { message?: string } };
};
const historical = async (atSeconds: number, coins: string[], query = '') =>
  (await get(`/prices/historical/${atSeconds}/${coins.join(',')}${query}`)).body.coins;
type Chart = { symbol: string; decimals: number; confidence: number; prices: { timestamp: number; price: number }[] };
const chart = async (coins: string[], query: string) =>
  (await get(`/chart/${coins.join(',')}${query}`)).body.coins as unknown as Record<string, Chart>;
const fourteenMonths = 426;

describe('past prices', () => {
  test('have the same fields as current prices, and the time of their own record', async () => {
    const at = nowSeconds - 100 * day + 17;
    const quote = (await historical(at, [sui]))[sui]!;
    expect(quote).toMatchObject({ decimals: 9, symbol: 'SUI', confidence: 0.99 });
    expect(Math.abs((quote['timestamp'] as number) - at)).toBeLessThanOrEqual(150);
    expect((quote['timestamp'] as number) % 300).toBe(0);
  });

  test('are the same on every call, in both endpoints and regardless of the current price', async () => {
    const at = Date.parse('2026-03-03T12:00:00Z') / 1000;
    const before = await historical(at, [sui]);
    expect(await historical(at, [sui])).toEqual(before);
    sandbox.world.setPrice({ coinType: suiLong, priceUsd: '7' });
    expect(await historical(at, [sui])).toEqual(before);
    const { prices } = (await chart([sui], `?start=${at}&span=1`))[sui]!;
    expect(prices).toEqual([{ timestamp: at, price: before[sui]!['price'] }]);
  });

  test('differ with another seed', async () => {
    const other = await startSandbox({ now: () => now, seed: { startedAt, seed: 7 } });
    const at = nowSeconds - 100 * day;
    const answer = await fetch(`${other.urls.prices}/prices/historical/${at}/${sui}`);
    await other.stop();
    expect(((await answer.json()) as Llama).coins[sui]!['price']).not.toBe(
      (await historical(at, [sui]))[sui]!['price'],
    );
  });

  test('lead to the current price without a jump', async () => {
    sandbox.world.setPrice({ coinType: suiLong, priceUsd: '2.1' });
    const [current, past] = [(await llama([sui])).coins[sui], (await historical(nowSeconds, [sui]))[sui]];
    expect(past).toEqual(current);
    const start = Date.parse('2026-11-19T00:00:00Z') / 1000;
    const { prices } = (await chart([sui], `?start=${start}&span=410&period=5m`))[sui]!;
    expect(prices.at(-1)).toEqual({ timestamp: Date.parse('2026-11-20T10:00:00Z') / 1000, price: 2.1 });
    const steps = prices.slice(1).map(({ price }, index) => Math.abs(price / prices[index]!.price - 1));
    expect(Math.max(...steps)).toBeLessThan(0.01);
  });

  test('stay near one dollar for a stablecoin, and move within limits for other coins', async () => {
    const query = `?end=${nowSeconds}&span=${fourteenMonths}&period=1d`;
    const priced = async (key: string) => (await chart([key], query))[key]!.prices.map(({ price }) => price);
    const dollars = await priced(`sui:${usdc}`);
    expect(dollars.length).toBe(fourteenMonths);
    expect(Math.min(...dollars)).toBeGreaterThan(0.99);
    expect(Math.max(...dollars)).toBeLessThan(1.01);
    const suis = await priced(sui);
    expect(Math.max(...suis) / Math.min(...suis)).toBeGreaterThan(1.2);
    expect(Math.max(...suis) / Math.min(...suis)).toBeLessThan(4);
  });

  test('do not exist before the first day, for coins without a price, or after the last quote', async () => {
    expect(await historical(nowSeconds - 440 * day, [sui], '?searchWidth=6h')).toEqual({});
    expect(await historical(nowSeconds - day, ['sui:0x1::no::COIN', `sui:${troubleCoins.unpriced}`])).toEqual({});
    sandbox.world.setPrice({ coinType: usdc, priceUsd: '1', ageMs: 5 * 3_600_000 });
    expect(await historical(nowSeconds, [`sui:${usdc}`], '?searchWidth=4h')).toEqual({});
    expect(Object.keys(await historical(nowSeconds, [`sui:${usdc}`]))).toEqual([`sui:${usdc}`]);
  });

  test('a chart has each record once, in order of time', async () => {
    const { prices, ...coin } = (await chart([sui], `?end=${nowSeconds}&span=20&period=1m&searchWidth=1h`))[sui]!;
    expect(coin).toEqual({ symbol: 'SUI', decimals: 9, confidence: 0.99 });
    const times = prices.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
    expect(times.length).toBeLessThan(10);
  });

  test.each([
    ['start and end together', '?start=1&end=2'],
    ['more than 500 points', '?span=251&period=1h'],
    ['unknown parameters', '?stop=1'],
    ['invalid numbers', '?start=soon'],
  ])('a chart refuses %s', async (_what, query) => {
    expect((await get(`/chart/${sui},sui:${usdc}${query}`)).status).toBe(400);
  });

  test.each([
    ['historical', `/prices/historical/${nowSeconds - day}/${sui}`],
    ['chart', `/chart/${sui}?span=2`],
  ])('%s is a separate operation on the fault board', async (operation, path) => {
    await sandbox.faults.set('prices', { kind: '503', operation });
    const statuses = [
      (await fetch(`${sandbox.urls.prices}${path}`)).status,
      (await get(`/prices/current/${sui}`)).status,
    ];
    await sandbox.faults.clear();
    expect(statuses).toEqual([503, 200]);
  });
});

describe('the GeckoTerminal service', () => {
  const gecko = (types: string[]) =>
    fetch(
      `${sandbox.urls.pricesFallback}/api/v2/simple/networks/sui-network/token_price/${types.map(encodeURIComponent).join(',')}`,
    );

  test('returns prices as strings under the requested type', async () => {
    const reply = (await (await gecko(['0x2::sui::SUI', usdc, '0x1::no::COIN'])).json()) as {
      data: { attributes: { token_prices: unknown } };
    };
    expect(reply.data.attributes.token_prices).toEqual({ '0x2::sui::SUI': '1.8342', [usdc]: '0.9998' });
  });

  test('accepts at most 30 types', async () => {
    const types = Array.from({ length: 31 }, (_, index) => `0x${index + 1}::a::B`);
    expect((await gecko(types)).status).toBe(422);
    expect((await gecko(types.slice(1))).status).toBe(200);
  });
});
