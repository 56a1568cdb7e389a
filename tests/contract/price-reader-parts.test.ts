import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createGeckoPrices } from '../../src/sources/prices/gecko-prices.ts';
import { createLlamaPrices } from '../../src/sources/prices/llama-prices.ts';
import type { PriceSource } from '../../src/sources/prices/price-quote.ts';
import { createPricesWithFallback } from '../../src/sources/create-clients.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}
type Respond = (path: string, callNumber: number) => Answer;

/** A service with answers that the sandbox never gives; `paths` are the requested ones, in order. */
async function withService(respond: Respond, run: (baseUrl: string, paths: readonly string[]) => Promise<void>) {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url);
    const { status = 200, headers, body } = respond(path, paths.push(path));
    const all = { 'content-type': 'application/json', connection: 'close', ...headers };
    response.writeHead(status, all).end(JSON.stringify(body));
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
const geckoAt = (baseUrl: string): PriceSource => createGeckoPrices({ baseUrl, limits });

describe('an unreadable price is unknown, and costs no other coin its price', () => {
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
        const prices = await geckoAt(baseUrl).readPrices([good, bad]);
        expect([...prices.keys()]).toEqual([good]);
      },
    );
  });
});

describe('with more coins than the fallback takes in one call', () => {
  const coinsPerCall = 30;
  const coins = (calls: number): readonly string[] =>
    Array.from({ length: calls * coinsPerCall }, (_, index) => `0x${String(index).padStart(64, 'b')}::coin::C${index}`);
  const say = (tokenPrices: Readonly<Record<string, string>> = {}) => ({
    body: { data: { attributes: { token_prices: tokenPrices } } },
  });
  const refusal = (status: number) => ({ status, body: {} });
  const readerOver = (baseUrl: string): PriceSource =>
    createPricesWithFallback(createLlamaPrices({ baseUrl: sandbox.urls.prices, limits }), geckoAt(baseUrl));

  test('a failed call does not affect those that were answered', async () => {
    const asked = coins(3);
    const [known = '', refused = ''] = [asked[0], asked[45]];
    await withService(
      (path) => (path.includes(refused) ? refusal(500) : say(path.includes(known) ? { [known]: '2' } : {})),
      async (baseUrl, paths) => {
        expect([...(await readerOver(baseUrl).readPrices(asked)).keys()]).toEqual([known]);
        expect(paths.length).toBe(3);
      },
    );
  });

  test('a caller that stops during the fallback call gets Unavailable, not a partial answer', async () => {
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

  test.each(['answers', 'is down'])(
    'while DefiLlama %s, a reading makes ten calls, for the first coins',
    async (how) => {
      const asked = coins(13);
      if (how === 'is down') await sandbox.faults.set('prices', { kind: '500' });
      await withService(
        () => say(),
        async (baseUrl, paths) => {
          await readerOver(baseUrl).readPrices(asked);
          const chunks = paths.map((path) => asked.findIndex((coin) => path.includes(coin)) / coinsPerCall);
          expect(chunks.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        },
      );
      await sandbox.faults.clear();
    },
  );

  test('a refused call is not retried, and for a minute no call is made', async () => {
    let nowMs = Date.now();
    await withService(
      (_path, callNumber) => (callNumber <= 3 ? refusal(429) : say()),
      async (baseUrl, paths) => {
        const reader = createGeckoPrices({ baseUrl }, () => new Date(nowMs));
        const refused = { name: 'Unavailable', reason: 'rate-limited' };
        await expect(reader.readPrices(coins(3))).rejects.toMatchObject(refused);
        nowMs += 59_999;
        await expect(reader.readPrices(coins(1))).rejects.toMatchObject(refused);
        expect(paths.length).toBe(3);
        nowMs += 1;
        await reader.readPrices(coins(1));
        expect(paths.length).toBe(4);
      },
    );
  });

  test.each([
    ['as long as the answer says', 600, 600_000],
    ['at most an hour, however long the answer says', 31_536_000, 3_600_000],
  ])('after a refusal no call is made for %s', async (_howLong, retryAfterSeconds, waitMs) => {
    let nowMs = Date.now();
    const headers = { 'retry-after': String(retryAfterSeconds) };
    await withService(
      (_path, callNumber) => (callNumber === 1 ? { ...refusal(429), headers } : say()),
      async (baseUrl, paths) => {
        const reader = createGeckoPrices({ baseUrl }, () => new Date(nowMs));
        const refused = { name: 'Unavailable', reason: 'rate-limited' };
        await expect(reader.readPrices(coins(1))).rejects.toMatchObject(refused);
        nowMs += waitMs - 1;
        await expect(reader.readPrices(coins(1))).rejects.toMatchObject(refused);
        nowMs += 1;
        await reader.readPrices(coins(1));
        expect(paths.length).toBe(2);
      },
    );
  });

  test('the fallback is Unavailable only if no call was answered', async () => {
    await withService(
      () => refusal(500),
      async (baseUrl) => {
        await expect(geckoAt(baseUrl).readPrices(coins(3))).rejects.toMatchObject({
          name: 'Unavailable',
          reason: 'upstream-error',
        });
      },
    );
  });
});
