import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AskOptions, startTestServer, type TestServer } from '../../tests/support/test-server.ts';

let app: TestServer;
beforeAll(async () => {
  app = await startTestServer();
});
afterAll(() => app.server.stop());

const post = (body: string, headers: Record<string, string> = {}): AskOptions => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

/** Status and code of a failure, after checking that it is exactly `{message, code}` (rulings R2). */
const failureOf = async (path: string, options?: AskOptions): Promise<readonly [number, string]> => {
  const { status, text, headers } = await app.ask(path, options);
  const body = JSON.parse(text) as { message: string; code: string };
  expect(Object.keys(body).sort()).toEqual(['code', 'message']);
  expect(body.message).toMatch(/^[A-Z].*\.$/s);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-request-id']).toBeTruthy();
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  return [status, body.code];
};

describe('an unknown address', () => {
  it('is the not-found page with status 404', async () => {
    for (const path of [
      '/nope',
      '/auth/x',
      '/assets/none.js',
      '/..%2f..%2fetc/passwd',
      '/nft/x',
      '//evil.example/',
      '/apix',
    ]) {
      const { status, text, headers } = await app.ask(path);
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(text).toContain('Rock Not Found!');
    }
    expect((await app.ask('/nope', { method: 'HEAD' })).status).toBe(404);
    expect((await app.ask('/nope', { method: 'POST', body: 'x' })).status).toBe(404);
    expect((await app.ask('/nope', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding']).toBe('br');
  });

  it('can be a known address in which a letter of a fixed word is encoded', async () => {
    const asAdmin = { headers: { cookie: '__Host-session=x' } };
    for (const path of [
      '/%61pi/hello',
      '/api/hell%6f',
      '/api%2Fhello',
      '/%6detrics',
      '/healt%68z',
      '/%6eft',
      '/api/hello#x',
    ]) {
      expect([path, (await app.ask(path, asAdmin)).status]).toEqual([path, 404]);
    }
    expect((await app.ask('/%61pi/init', post('{}'))).status).toBe(404);
    // Parameter values may be encoded.
    expect((await app.ask('/api/echo/%61b', post('{"count":3}'))).status).toBe(200);
  });

  it('is JSON under /api', async () => {
    expect(await failureOf('/api')).toEqual([404, 'not-found']);
    expect(await failureOf('/api/nope', post('not json', { 'content-type': 'text/xml' }))).toEqual([404, 'not-found']);
  });

  it('that is a page and an extra slash redirects to the page', async () => {
    const { status, headers } = await app.ask('/nft/?a=1');
    expect([status, headers.location]).toEqual([308, '/nft?a=1']);
    expect((await app.ask('/nft/?a=1?b=2??')).headers.location).toBe('/nft?a=1?b=2??');
    expect((await app.ask('/nft/?')).headers.location).toBe('/nft?');
    expect((await app.ask('/nft/')).headers.location).toBe('/nft');
  });

  it('that is malformed or too long is a 4xx', async () => {
    expect(await failureOf('/%zz')).toEqual([400, 'malformed-address']);
    expect(await failureOf('/api/echo/%ff', post('{"count":1}'))).toEqual([400, 'malformed-address']);
    expect(await failureOf(`/api/echo/${'x'.repeat(600)}`, post('{}'))).toEqual([414, 'address-too-long']);
  });
});

it('a target in absolute form is answered like its path', async () => {
  const startOf = async (target: string): Promise<string> => {
    const text = await app.askRaw(`GET ${target} HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n`);
    return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] + (/\r\nlocation: (.*)\r\n/i.exec(text)?.[1] ?? '');
  };
  for (const origin of ['http://x', 'HTTPS://x:8443']) {
    expect(await startOf(`${origin}/nft`)).toBe('200');
    expect(await startOf(`${origin}/nft/?a=1`)).toBe('308/nft?a=1');
    expect(await startOf(`${origin}/healthz`)).toBe('200');
    expect(await startOf(`${origin}/api/nope`)).toBe('404');
    expect(await startOf(`${origin}?a=1`)).toBe(await startOf('/?a=1'));
  }
  expect(await startOf('http://x/metrics')).toBe('401');
});

describe('a request that is not HTTP', () => {
  it('is answered 400, 408 or 431, and its connection is closed', async () => {
    expect(await app.askRaw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"malformed-request"/s);
    expect(await app.askRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(await app.askRaw('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await app.askRaw('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 204 /);
  });

  it('does not spoil the answer to a good request before it', async () => {
    const text = await app.askRaw('GET /nft HTTP/1.1\r\nHost: x\r\n\r\nrubbish\r\n\r\n');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*<\/p>$/s);
  });

  it('is cut off when it trickles in', async () => {
    const hasty = await startTestServer({
      limits: { headersWithinMs: 100, requestWithinMs: 200, checkConnectionsEveryMs: 50 },
    });
    expect(await hasty.askRaw('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
    await hasty.server.stop();
  });
});
