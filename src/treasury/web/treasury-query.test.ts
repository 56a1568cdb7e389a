import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import { type Fetch, learnServerTime, serverTimeMs } from '../../ui/api/api-client.ts';
import { fetchTreasury, treasuryFreshForMs, treasuryRefetchEveryMs, treasuryRetries } from './treasury-query.ts';

const { signal } = new AbortController();

async function serving(listener: RequestListener): Promise<Fetch> {
  const origin = await serveOnLoopback(listener);
  return (path, init) => fetch(origin + path, init);
}

describe('Specification 7: the treasury call', () => {
  it('is refetched every 300000 ms, fresh for 240000 ms, retried 3 times', () => {
    expect([treasuryRefetchEveryMs, treasuryFreshForMs, treasuryRetries]).toEqual([300_000, 240_000, 3]);
  });

  it('reads data of GET /api/treasury/balance', async () => {
    const from = await serving((request, response) =>
      response.end(JSON.stringify({ data: { network: `${request.method} ${request.url}` } })),
    );
    expect(await fetchTreasury(from, signal)).toMatchObject({ network: 'GET /api/treasury/balance' });
  });

  it.each(['{}', 'null', '{"data":null}'])('takes the answer %s for missing data', async (body) => {
    const from = await serving((_request, response) => response.end(body));
    expect(await fetchTreasury(from, signal)).toBeNull();
  });

  it('takes an answer that is not JSON for a failure, never for missing data', async () => {
    const from = await serving((_request, response) => response.end('<h1>Log in to this network</h1>'));
    await expect(fetchTreasury(from, signal)).rejects.toThrow('The answer is not from this site');
  });

  it('says in our own words that the server did not answer', async () => {
    const from = await serving((request) => request.destroy());
    await expect(fetchTreasury(from, signal)).rejects.toThrow(/^The server did not answer/);
  });
});

describe("Specification 8: a failed treasury fetch says 'HTTP {status}: {statusText}'", () => {
  it.each([
    [503, 'Service Unavailable'],
    [500, 'Internal Server Error'],
  ])('%d', async (status, text) => {
    const from = await serving((_request, response) => response.writeHead(status).end('{"message":"no"}'));
    await expect(fetchTreasury(from, signal)).rejects.toThrow(`HTTP ${status}: ${text}`);
  });
});

describe('Rulings R3: how old a figure is', () => {
  const hourMs = 3_600_000;
  afterEach(() => learnServerTime(new Headers({ date: new Date().toUTCString() }), Date.now()));

  it("is measured by the server's clock, whatever the visitor's clock says", async () => {
    const date = new Date(Date.now() - 2 * hourMs).toUTCString();
    const from = await serving((_request, response) => response.writeHead(200, { date }).end('{"data":null}'));
    await fetchTreasury(from, signal);
    expect((serverTimeMs(Date.now()) - Date.now()) / hourMs).toBeCloseTo(-2, 2);
  });
});
