import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sampleFindReady, sampleRoutes, startTestServer, type TestServer } from '../../../tests/support/test-server.ts';
import { makeReadyJson, type ReadyAnswer } from './ready-answer.ts';

let app: TestServer;
beforeAll(async () => {
  app = await startTestServer();
});
afterAll(() => app.server.stop());

const nft = sampleFindReady.get('/nft')!;

describe('a ready answer', () => {
  it('is sent in the encoding that the client prefers, each with its own tag', async () => {
    const answers = await Promise.all(
      ['br, gzip', 'gzip', 'identity'].map((accept) => app.ask('/nft', { headers: { 'accept-encoding': accept } })),
    );
    const [brotli, gzip, identity] = answers.map(({ bytes }) => bytes) as [Buffer, Buffer, Buffer];
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(brotliDecompressSync(brotli)).toEqual(nft.identity);
    expect(gunzipSync(gzip)).toEqual(nft.identity);
    expect(identity).toEqual(nft.identity);
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers, bytes } of answers) {
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['content-length']).toBe(String(bytes.length));
    }
  });

  it('is not sent again to a client that has it', async () => {
    const accept = { 'accept-encoding': 'br' };
    const { headers } = await app.ask('/nft', { headers: accept });
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.ask('/nft', { headers: { ...accept, 'if-none-match': known } });
      expect([known, again.status, again.bytes.length, again.headers.etag]).toEqual([known, 304, 0, etag]);
      expect(again.headers['content-security-policy']).toContain("script-src 'self'");
    }
    expect((await app.ask('/nft', { headers: { ...accept, 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const get = await app.ask('/nft');
    const head = await app.ask('/nft', { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.headers.etag).toBe(get.headers.etag);
  });

  it('of a page does not depend on the query string', async () => {
    expect((await app.ask('/nft?utm_source=x')).text).toContain('<title>nft');
  });

  it('of a call is sent only without a query: an unknown field is refused whether the answer is ready or not', async () => {
    let ready: ReadyAnswer | undefined = makeReadyJson({ data: 'ready' });
    const hello = sampleRoutes.find(({ path }) => path === '/api/hello')!;
    const other = await startTestServer({ routes: [{ ...hello, ready: () => ready }] });
    for (const text of ['ready', 'hello']) {
      expect((await other.ask('/api/hello')).text).toBe(`{"data":"${text}"}`);
      const refused = await other.ask('/api/hello?t=1');
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('The field \\"t\\" of the query')]);
      ready = undefined;
    }
    await other.server.stop();
  });

  it('has the security headers, with its own content policy', async () => {
    expect((await app.ask('/')).headers['content-security-policy']).toBe("default-src 'none'; script-src 'self'");
    // Answers of the framework and the not-found page have them too.
    for (const path of ['/', '/api/hello', '/no-such-rock']) {
      expect((await app.ask(path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'permissions-policy': expect.stringContaining('camera=(), microphone=(), geolocation=()'),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    }
  });

  it('returns a given request id, unless it could harm a log', async () => {
    expect((await app.ask('/', { headers: { 'x-request-id': 'abc-1' } })).headers['x-request-id']).toBe('abc-1');
    expect((await app.ask('/', { headers: { 'x-request-id': 'a b{}' } })).headers['x-request-id']).toBeUndefined();
  });

  it('is counted but not logged', async () => {
    const lines = app.log();
    await app.ask('/');
    expect(app.log()).toBe(lines);
    expect((await app.ask('/metrics')).text).toMatch(/http_ready_answers_total\{path="\/",status="200"\} [1-9]/);
  });

  it('refuses other methods and names the allowed ones', async () => {
    const answer = await app.ask('/nft', { method: 'POST' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const options = await app.ask('/nft', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});
