import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createGeckoPrices } from '../../src/sources/prices/gecko-prices.ts';
import { createLlamaPrices } from '../../src/sources/prices/llama-prices.ts';
import type { PartialPriceSource, PriceSource } from '../../src/sources/prices/price-quote.ts';
import { createPricesWithFallback } from '../../src/sources/prices/prices-with-fallback.ts';

type Respond = (path: string, callNumber: number) => { readonly status?: number; readonly body: unknown };

/** A service that says what the sandbox never would; `paths` are those asked for, in order. */
async function withService(respond: Respond, run: (baseUrl: string, paths: readonly string[]) => Promise<void>) {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url);
    const { status = 200, body } = respond(path, paths.push(path));
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths);
  } finally {
    server.close();
  }
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const typeOf = (digit: string, name: string): string => `0x${digit.repeat(64)}::coin::${name}`;
const limits = { retries: 0 };
const geckoAt = (baseUrl: string, now?: () => Date): PartialPriceSource => createGeckoPrices({ baseUrl, limits }, now);

describe('a price that cannot be read is unknown, and costs no other coin its price', () => {
  const good = typeOf('3', 'GOOD');
  const bad = typeOf('2', 'BAD');
  const timestamp = Math.floor(Date.now() / 1000);

  test.each([-1, null, 'NaN', '', true, {}])('DefiLlama: price %j', async (price) => {
    const rows = { [`sui:${good}`]: { price: 2, timestamp }, [`sui:${bad}`]: { price, timestamp } };
    await withService(
      () => ({ body: { coins: rows } }),
      async (baseUrl) => {
        const prices = await createLlamaPrices({ baseUrl }).readPrices([good, bad]);
        expect([...prices.keys()]).toEqual([good]);
        expect((await createLlamaPrices({ baseUrl }).readPrices([bad])).size).toBe(0);
      },
    );
  });

  test.each([null, { price: 2 }, { price: 2, timestamp: 'now' }, { price: 2, timestamp, confidence: 'high' }])(
    'DefiLlama: row %j',
    async (row) => {
      const rows = { [`sui:${good}`]: { price: 2, timestamp }, [`sui:${bad}`]: row };
      await withService(
        () => ({ body: { coins: rows } }),
        async (baseUrl) => {
          const prices = await createLlamaPrices({ baseUrl }).readPrices([good, bad]);
          expect([...prices.keys()]).toEqual([good]);
        },
      );
    },
  );

  test.each(['-1', null, 'NaN', '', 3, {}])('GeckoTerminal: price %j', async (price) => {
    const body = { data: { attributes: { token_prices: { [good]: '2', [bad]: price } } } };
    await withService(
      () => ({ body }),
      async (baseUrl) => {
        const { quotes } = await geckoAt(baseUrl).readAnswered([good, bad]);
        expect([...quotes.keys()]).toEqual([good]);
      },
    );
  });
});

describe('more coins than the fallback takes in one call', () => {
  const coinsPerCall = 30;
  const coins = (calls: number): readonly string[] =>
    Array.from({ length: calls * coinsPerCall }, (_, index) => `0x${String(index).padStart(64, 'b')}::coin::C${index}`);
  const say = (tokenPrices: Readonly<Record<string, string>> = {}) => ({
    body: { data: { attributes: { token_prices: tokenPrices } } },
  });
  const refusal = (status: number) => ({ status, body: {} });
  const readerOver = (baseUrl: string, now: () => Date = () => new Date()): PriceSource =>
    createPricesWithFallback({
      first: createLlamaPrices({ baseUrl: sandbox.urls.prices, limits }),
      fallback: geckoAt(baseUrl, now),
      now,
    });

  test('a refused call discards no answered one, and only its coins are asked for again', async () => {
    const asked = coins(3);
    const [known = '', refused = ''] = [asked[0], asked[45]];
    await withService(
      (path) => (path.includes(refused) ? refusal(500) : say(path.includes(known) ? { [known]: '2' } : {})),
      async (baseUrl, paths) => {
        const reader = readerOver(baseUrl);
        expect([...(await reader.readPrices(asked)).keys()]).toEqual([known]);
        expect(paths.length).toBe(3);
        expect([...(await reader.readPrices(asked)).keys()]).toEqual([known]);
        expect(paths.length).toBe(4);
        expect(paths[3]).toContain(refused);
      },
    );
  });

  test('a coin of a refused call keeps its last price with its time', async () => {
    const asked = coins(2);
    const held = asked[45] ?? '';
    let nowMs = Date.now();
    await withService(
      (path, callNumber) => (path.includes(held) ? (callNumber > 2 ? refusal(500) : say({ [held]: '3' })) : say()),
      async (baseUrl) => {
        const reader = readerOver(baseUrl, () => new Date(nowMs));
        const before = (await reader.readPrices(asked)).get(held);
        nowMs += 3_600_000;
        expect(before).toBeDefined();
        expect((await reader.readPrices(asked)).get(held)).toEqual(before);
      },
    );
  });

  test('a price of the fallback serves for five minutes, then it is asked for again', async () => {
    const [coin = ''] = coins(1);
    let nowMs = Date.now();
    await withService(
      (_path, callNumber) => say({ [coin]: callNumber === 1 ? '3' : '4' }),
      async (baseUrl) => {
        const reader = readerOver(baseUrl, () => new Date(nowMs));
        const priceAfter = async (ms: number): Promise<bigint | undefined> => {
          nowMs += ms;
          return (await reader.readPrices([coin])).get(coin)?.pricePicoUsd;
        };
        const usd = 10n ** 12n;
        expect([await priceAfter(0), await priceAfter(299_999), await priceAfter(1)]).toEqual([
          3n * usd,
          3n * usd,
          4n * usd,
        ]);
      },
    );
  });

  test('whoever stops while the fallback is asked waits for nothing, and nothing stands in for its answer', async () => {
    const stopping = new AbortController();
    await withService(
      () => {
        stopping.abort();
        return say();
      },
      async (baseUrl) => {
        const reading = readerOver(baseUrl).readPrices(coins(1), stopping.signal);
        await expect(reading).rejects.toMatchObject({ name: 'Unavailable', reason: 'stopped' });
      },
    );
  });

  test('after a 429 no further call is begun, and what was answered is kept', async () => {
    const asked = coins(9);
    const known = asked[0] ?? '';
    await withService(
      (path, callNumber) => (path.includes(known) ? say({ [known]: '2' }) : callNumber <= 3 ? say() : refusal(429)),
      async (baseUrl, paths) => {
        const { quotes, answered } = await geckoAt(baseUrl).readAnswered(asked);
        expect([...quotes.keys()]).toEqual([known]);
        expect(answered.size).toBe(3 * coinsPerCall);
        // Three are under way at once.
        expect(paths.length).toBeLessThanOrEqual(6);
      },
    );
  });

  test.each(['answers', 'is down'])(
    'while DefiLlama %s, a read makes ten calls, and the next one the rest',
    async (how) => {
      const asked = coins(11);
      if (how === 'is down') await sandbox.faults.set('prices', { kind: '500' });
      await withService(
        () => say(),
        async (baseUrl, paths) => {
          const reader = readerOver(baseUrl);
          const counts: number[] = [];
          for (let refresh = 0; refresh < 3; refresh += 1) {
            await reader.readPrices(asked);
            counts.push(paths.length);
          }
          expect(counts).toEqual([10, 11, 11]);
        },
      );
      await sandbox.faults.clear();
    },
  );

  test('only when no call was answered the fallback is Unavailable', async () => {
    await withService(
      () => refusal(500),
      async (baseUrl) => {
        await expect(geckoAt(baseUrl).readAnswered(coins(3))).rejects.toMatchObject({
          name: 'Unavailable',
          reason: 'upstream-error',
        });
      },
    );
  });
});
