import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createGeckoPrices } from '../../src/sources/prices/gecko-prices.ts';
import { createLlamaPrices } from '../../src/sources/prices/llama-prices.ts';
import type { PriceSource } from '../../src/sources/prices/price-quote.ts';
import { createPricesWithFallback } from '../../src/sources/create-clients.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { CallLimits } from '../../src/sources/call-policy.ts';
import { describeOutages } from './outages.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const typeOf = (digit: string, name: string): string => `0x${digit.repeat(64)}::coin::${name}`;
const nobodyKnows = typeOf('9', 'NOBODY');
const tiny = typeOf('8', 'TINY');
const noRetry = { retries: 0 };
const both = ['prices', 'pricesFallback'] as const;

type Limits = Partial<CallLimits>;
const llama = (limits: Limits = {}): PriceSource => createLlamaPrices({ baseUrl: sandbox.urls.prices, limits });
/** Each reading of the clock is an hour later, so a refusal is over when the next reading begins. */
const hourlyClock = (): (() => Date) => {
  let nowMs = Date.now();
  return () => new Date((nowMs += 3_600_000));
};
const gecko = (limits: Limits = {}): PriceSource =>
  createGeckoPrices({ baseUrl: sandbox.urls.pricesFallback, limits }, hourlyClock());
const withFallback = (limits: Limits = {}): PriceSource => createPricesWithFallback(llama(limits), gecko(limits));

interface Adapter {
  readonly name: string;
  readonly make: (limits?: Limits) => PriceSource;
  readonly services: readonly string[];
  readonly ownReason?: string;
}
const adapters: readonly Adapter[] = [
  { name: 'DefiLlama', make: llama, services: ['prices'] },
  { name: 'GeckoTerminal', make: gecko, services: ['pricesFallback'] },
  { name: 'DefiLlama with fallback', make: withFallback, services: both, ownReason: 'no-price-source' },
];

describe.each(adapters)('PriceReader over $name', ({ name, make, services, ownReason }) => {
  test('gives exact prices by canonical type, and leaves out unknown coins', async () => {
    sandbox.world.setPrice({ coinType: suiCoinType, priceUsd: '1.8342', services: [...both] });
    sandbox.world.setPrice({ coinType: tiny, priceUsd: '0.0000000012', services: [...both] });
    const prices = await make().readPrices([suiCoinType, tiny, nobodyKnows]);
    expect(prices.get(suiCoinType)?.pricePicoUsd).toBe(1_834_200_000_000n);
    // JSON prints it as 1.2e-9.
    expect(prices.get(tiny)?.pricePicoUsd).toBe(1_200n);
    expect(prices.has(nobodyKnows)).toBe(false);
    expect(prices.get(suiCoinType)?.asOf.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
  });

  test('a price of zero is an unknown price', async () => {
    const zero = typeOf('7', 'ZERO');
    sandbox.world.setPrice({ coinType: zero, priceUsd: '0', services: [...both] });
    expect((await make().readPrices([zero])).size).toBe(0);
  });

  test.each(['1000000000001', '1e89'])('a price of %s USD for one coin is an unknown price', async (priceUsd) => {
    const absurd = typeOf('1', 'ABSURD');
    const dear = typeOf('1', 'DEAR');
    sandbox.world.setPrice({ coinType: absurd, priceUsd, services: [...both] });
    sandbox.world.setPrice({ coinType: dear, priceUsd: '1000000000000', services: [...both] });
    const prices = await make().readPrices([absurd, dear]);
    expect([...prices].map(([coinType, quote]) => [coinType, quote.pricePicoUsd])).toEqual([[dear, 10n ** 24n]]);
  });

  test('makes no request if no coins are wanted', async () => {
    sandbox.requests.reset();
    expect((await make().readPrices([])).size).toBe(0);
    expect(services.map((service) => sandbox.requests.of(service).count)).toEqual(services.map(() => 0));
  });

  test('reads two hundred coins in as few calls as the source allows, each within its limits', async () => {
    const many = Array.from(
      { length: 200 },
      (_, index) => `0x${String(index + 1).padStart(64, 'a')}::coin::COIN_${index}`,
    );
    for (const coinType of many) sandbox.world.setPrice({ coinType, priceUsd: '0.5', services: [...both] });
    sandbox.requests.reset();
    expect((await make().readPrices(many)).size).toBe(200);
    const calls = sandbox.requests.of(services[0] ?? '').entries;
    expect(calls.length).toBe(name === 'GeckoTerminal' ? 7 : 4);
    for (const { path } of calls) expect(path.length).toBeLessThanOrEqual(6_000);
  });

  test('coins with very long types do not affect the others: no URL becomes too long', async () => {
    const name = 'L'.repeat(120);
    const wrapped = (index: number, depth: number): string =>
      depth === 0 ? typeOf('5', `${name}${index}`) : typeOf('5', `${name}<${wrapped(index, depth - 1)}>`);
    const long = Array.from({ length: 40 }, (_, index) => wrapped(index, 4));
    for (const coinType of [tiny, ...long]) sandbox.world.setPrice({ coinType, priceUsd: '2', services: [...both] });
    sandbox.requests.reset();
    expect((await make(noRetry).readPrices([tiny, ...long])).size).toBe(41);
    for (const service of services) {
      for (const { path } of sandbox.requests.of(service).entries) expect(path.length).toBeLessThanOrEqual(6_000);
    }
  });

  describeOutages(`PriceReader over ${name}`, {
    sandbox: () => sandbox,
    services,
    open: (limits) => {
      const reader = make(limits);
      return () => reader.readPrices([suiCoinType]);
    },
    ...(ownReason !== undefined && { reasonOf: () => ownReason }),
  });
});

describe('DefiLlama in particular', () => {
  test('gives the confidence of a price', async () => {
    const shaky = typeOf('6', 'SHAKY');
    sandbox.world.setPrice({ coinType: shaky, priceUsd: '4.2', confidence: 0.42, services: ['prices'] });
    expect((await llama().readPrices([shaky])).get(shaky)?.confidence).toBe(0.42);
  });

  test('is asked for SUI by its short type, and for other coins by the 64-hex one', async () => {
    sandbox.requests.reset();
    await llama().readPrices([suiCoinType, tiny]);
    const asked = decodeURIComponent(sandbox.requests.of('prices').entries[0]?.path ?? '');
    expect(asked).toBe(`/prices/current/sui:0x2::sui::SUI,sui:${tiny}`);
  });
});

describe('the fallback in particular', () => {
  const onlyFallback = typeOf('5', 'RARE');

  test('prices coins that only it knows, without a confidence', async () => {
    sandbox.world.setPrice({ coinType: onlyFallback, priceUsd: '3.5', services: ['pricesFallback'] });
    const quote = (await withFallback().readPrices([suiCoinType, onlyFallback])).get(onlyFallback);
    expect(quote).toMatchObject({ pricePicoUsd: 3_500_000_000_000n, confidence: null, source: 'geckoterminal' });
  });

  test('prices everything it knows while DefiLlama is down', async () => {
    const reader = withFallback(noRetry);
    await sandbox.faults.set('prices', { kind: '500' });
    const prices = await reader.readPrices([suiCoinType, onlyFallback]);
    await sandbox.faults.clear();
    expect(prices.get(suiCoinType)?.source).toBe('geckoterminal');
    expect(prices.get(onlyFallback)?.source).toBe('geckoterminal');
  });

  test('is the last resort: if both sources fail, the reading is Unavailable, with both causes', async () => {
    await sandbox.faults.set('prices', { kind: '500' });
    await sandbox.faults.set('pricesFallback', { kind: 'reset' });
    const failure: unknown = await withFallback()
      .readPrices([suiCoinType])
      .catch((error: unknown) => error);
    await sandbox.faults.clear();
    expect(failure).toBeInstanceOf(Unavailable);
    const { errors } = (failure as Unavailable).cause as AggregateError;
    expect(errors.map((each: Unavailable) => each.reason)).toEqual(['upstream-error', 'network']);
  });
});
