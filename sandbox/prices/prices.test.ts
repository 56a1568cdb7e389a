import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { troubleCoins } from '../seed/treasury-tokens.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';

const now = new Date('2026-11-20T10:03:21Z');
const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
const suiLong = `0x${'0'.repeat(63)}2::sui::SUI`;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => now });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

type Llama = { coins: Record<string, Record<string, unknown>> };
const llama = async (coins: string[], query = '') =>
  (await (await fetch(`${sandbox.urls.prices}/prices/current/${coins.join(',')}${query}`)).json()) as Llama;

describe('the DefiLlama-shaped service', () => {
  test('quotes under the key that was asked, at a five-minute mark', async () => {
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

  test('knows SUI by its short type alone and leaves out what it does not know', async () => {
    expect(await llama([`sui:${suiLong}`, 'sui:0x1::no::COIN', usdc])).toEqual({ coins: {} });
  });

  test('leaves out a quote that is older than searchWidth', async () => {
    sandbox.world.setPrice({ coinType: usdc, priceUsd: '1', ageMs: 3 * 3_600_000 });
    expect((await llama([`sui:${usdc}`], '?searchWidth=2h')).coins).toEqual({});
    expect((await llama([`sui:${usdc}`], '?searchWidth=4h')).coins).not.toEqual({});
  });

  test('tells a low confidence', async () => {
    const { coins } = await llama([`sui:${troubleCoins.lowConfidence}`]);
    expect(coins[`sui:${troubleCoins.lowConfidence}`]).toMatchObject({ confidence: 0.42 });
  });
});

describe('the GeckoTerminal-shaped service', () => {
  const gecko = (types: string[]) =>
    fetch(
      `${sandbox.urls.pricesFallback}/api/v2/simple/networks/sui-network/token_price/${types.map(encodeURIComponent).join(',')}`,
    );

  test('gives prices as strings under the type that was asked', async () => {
    const reply = (await (await gecko(['0x2::sui::SUI', usdc, '0x1::no::COIN'])).json()) as {
      data: { attributes: { token_prices: unknown } };
    };
    expect(reply.data.attributes.token_prices).toEqual({ '0x2::sui::SUI': '1.8342', [usdc]: '0.9998' });
  });

  test('takes at most 30 types', async () => {
    const types = Array.from({ length: 31 }, (_, index) => `0x${index + 1}::a::B`);
    expect((await gecko(types)).status).toBe(422);
    expect((await gecko(types.slice(1))).status).toBe(200);
  });
});
