import { gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Route } from './route.ts';
import { type AskOptions, sampleRoutes, startTestServer, type TestServer } from '../../tests/support/test-server.ts';

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

describe('a call', () => {
  it('answers only the fields that its schema names', async () => {
    const { status, text, headers } = await app.ask('/api/hello');
    expect([status, text]).toEqual([200, '{"data":"hello"}']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.server).toBeUndefined();
  });

  it('leaves out what its schema does not name at any depth, since stores hand over whole rows', async () =>
    expect((await app.ask('/api/rows')).text).toBe('{"data":[{"id":1,"nft":{"name":"Rock #7"}}]}'));

  it('is a 500 without any of the answer when the answer does not fit its schema', async () => {
    expect(await failureOf('/api/misfit')).toEqual([500, 'internal-error']);
    expect(app.log()).toContain(
      `"route":"/api/misfit","err":{"type":"FastifyError","message":"Response doesn't match the schema"`,
    );
  });

  it('can refuse through its answer', async () => {
    expect(await failureOf('/api/refused-by-answer')).toEqual([409, 'not-now']);
  });

  it('parses its query, with defaults, and refuses wrong or unknown fields by name', async () => {
    expect((await app.ask('/api/days')).text).toContain('30');
    expect((await app.ask('/api/days?days=7')).text).toContain('7');
    expect(await failureOf('/api/days?days=91')).toEqual([400, 'invalid-input']);
    expect(await failureOf('/api/days?days=1&days=2')).toEqual([400, 'invalid-input']);
    expect((await app.ask('/api/days?dayz=7')).text).toContain(String.raw`\"dayz\" of the query is not known`);
    expect(await failureOf('/api/hello?x=1')).toEqual([400, 'unknown-field']);
  });

  it('parses its address and its body strictly', async () => {
    const answer = await app.ask('/api/echo/a%20b', post('{"count":3}'));
    expect(JSON.parse(JSON.parse(answer.text).data)).toEqual({ params: { id: 'a b' }, body: { count: 3 } });
    expect(await failureOf('/api/echo/1', post('{"count":3,"extra":1}'))).toEqual([400, 'unknown-field']);
    expect(await failureOf('/api/echo/1', post('{"count":"3"}'))).toEqual([400, 'invalid-input']);
    expect(await failureOf('/api/echo/1', post('[]'))).toEqual([400, 'invalid-input']);
    expect(await failureOf('/api/echo/1', post('null'))).toEqual([400, 'invalid-input']);
    expect(await failureOf('/api/echo/1', post(''))).toEqual([400, 'invalid-input']);
    expect(await failureOf(`/api/echo/${'x'.repeat(21)}`, post('{"count":3}'))).toEqual([400, 'invalid-input']);
    expect(await failureOf('/api/echo/1', post('{"count":3'))).toEqual([400, 'malformed-json']);
    expect(await failureOf('/api/echo/1', post('{"__proto__":{"count":3}}'))).toEqual([400, 'malformed-json']);
  });

  it('without a body accepts none, an empty one or {}', async () => {
    for (const options of [{ method: 'POST' }, post(''), post('{}')]) {
      expect((await app.ask('/api/init', options)).status).toBe(200);
    }
    expect(await failureOf('/api/init', post('{"force":true}'))).toEqual([400, 'unknown-field']);
  });

  it('accepts JSON up to its own size limit and nothing else', async () => {
    // A form on another site, or a script there that sets no content type, needs no preflight.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=rock', 'text/plain', '']) {
      expect(await failureOf('/api/echo/1', post('{"count":3}', { 'content-type': type }))).toEqual([
        415,
        'unsupported-media-type',
      ]);
    }
    const untyped = { method: 'POST', body: '{"count":3}' };
    expect(await failureOf('/api/echo/1', untyped)).toEqual([415, 'unsupported-media-type']);
    const large = JSON.stringify({ count: 1, pad: 'x'.repeat(70_000) });
    expect(await failureOf('/api/echo/1', post(large))).toEqual([413, 'body-too-large']);
  });

  it('with a body must declare its size limit, or the server does not start; without one it accepts hardly anything', async () => {
    const { bodyBytes: _left, ...rest } = sampleRoutes.find(({ path }) => path === '/api/echo/{id}')!;
    await expect(startTestServer({ routes: [rest] })).rejects.toThrow('POST /api/echo/{id} takes a body');
    expect(await failureOf('/api/init', post(`{${' '.repeat(2_000)}}`))).toEqual([413, 'body-too-large']);
  });

  it('may be refused before its body is read', async () => {
    const route: Route = {
      ...sampleRoutes.find(({ path }) => path === '/api/echo/{id}')!,
      checkFirst: ({ params, headers }) =>
        headers['x-secret'] === 'fire' && (params as { id: string }).id === 'cave'
          ? null
          : { status: 404, body: { message: 'There is no such call.', code: 'not-found' } },
    };
    const picky = await startTestServer({ routes: [route] });
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await picky.ask(path, post('{"count":', headers))).status;
    expect(await statusOf('/api/echo/cave', {})).toBe(404);
    expect(await statusOf('/api/echo/hill', { 'x-secret': 'fire' })).toBe(404);
    expect(await statusOf('/api/echo/cave', { 'x-secret': 'fire' })).toBe(400);
    await picky.server.stop();
  });

  it('turns failures into their statuses and reveals nothing internal', async () => {
    expect(await failureOf('/api/refused')).toEqual([403, 'too-many']);
    expect(await failureOf('/api/invalid')).toEqual([400, 'no-rock']);
    expect(await failureOf('/api/unavailable')).toEqual([503, 'market-silent']);
    expect((await app.ask('/api/unavailable')).headers['retry-after']).toBe('7');
    expect(await failureOf('/api/broken')).toEqual([500, 'internal-error']);
    const texts = await Promise.all(
      ['/api/unavailable', '/api/broken'].map(async (path) => (await app.ask(path)).text),
    );
    expect(texts.join('')).not.toMatch(/s3cret|SELECT|stack/);
  });

  it('can send a ready download as it is: already compressed, with its tag and a request id', async () => {
    const plain = await app.ask('/api/file.csv', { headers: { 'x-request-id': 'abc-1' } });
    expect(plain.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="rocks.csv"',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'abc-1',
    });
    expect(plain.text).toMatch(/^a,b\nrock,rock\n/);
    const gzip = { 'accept-encoding': 'gzip' };
    const zipped = await app.ask('/api/file.csv', { headers: gzip });
    expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text);
    const again = await app.ask('/api/file.csv', {
      headers: { ...gzip, 'if-none-match': String(zipped.headers.etag) },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await app.ask('/api/file.csv', { method: 'HEAD' })).bytes).toHaveLength(0);
  });

  it('is denied unless it is public (rulings R2)', async () => {
    expect(await failureOf('/api/mine')).toEqual([401, 'not-signed-in']);
    expect(await failureOf('/api/admin')).toEqual([401, 'not-signed-in']);
    expect(await failureOf('/api/admin', { headers: { cookie: '__Host-session=x' } })).toEqual([401, 'not-signed-in']);
    expect((await app.ask('/api/admin', { method: 'HEAD' })).status).toBe(401);
  });

  it('is closed to everyone when it does not declare its access', async () => {
    const { access: _left, ...rest } = sampleRoutes.find(({ path }) => path === '/api/hello')!;
    const careless = await startTestServer({ routes: [rest as Route] });
    expect((await careless.ask('/api/hello')).status).toBe(401);
    await careless.server.stop();
  });

  it('that changes state refuses a foreign Origin', async () => {
    const from = (headers: Record<string, string>): AskOptions => ({ method: 'POST', headers });
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://sui.rocks' },
      { origin: 'https://sui.rocks.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await failureOf('/api/init', from(headers))).toEqual([403, 'foreign-origin']);
    }
    // It may be our own page, opened at another address.
    const elsewhere = await app.ask('/api/init', from({ origin: 'http://sui.rocks' }));
    expect(elsewhere.text).toContain('Use this one at https://sui.rocks (PUBLIC_URL).');
    expect((await app.ask('/api/init', from({ origin: 'https://sui.rocks' }))).status).toBe(200);
    expect((await app.ask('/api/init', from({ 'sec-fetch-site': 'same-origin' }))).status).toBe(200);
    expect((await app.ask('/api/hello', { headers: { origin: 'https://evil.example' } })).status).toBe(200);
  });

  it('answers 304 to a client that has the answer, and compresses a long one', async () => {
    const { headers, bytes } = await app.ask('/api/long', { headers: { 'accept-encoding': 'br' } });
    expect(headers['content-encoding']).toBe('br');
    expect(bytes.length).toBeLessThan(1_000);
    const again = await app.ask('/api/long', { headers: { 'if-none-match': String(headers.etag) } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('answers HEAD and OPTIONS, and refuses other methods with Allow', async () => {
    const head = await app.ask('/api/hello', { method: 'HEAD' });
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, '16']);
    const options = await app.ask('/api/echo/1', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, 'POST, OPTIONS']);
    expect(await failureOf('/api/hello', { method: 'DELETE' })).toEqual([405, 'method-not-allowed']);
    expect((await app.ask('/api/hello', { method: 'PROPFIND' })).headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await app.ask('/healthz', { method: 'POST' })).status).toBe(405);
  });

  it('has a request id of its own, or the one it was given', async () => {
    expect((await app.ask('/api/hello')).headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect((await app.ask('/api/hello', { headers: { 'x-request-id': 'a.b-1' } })).headers['x-request-id']).toBe(
      'a.b-1',
    );
    expect((await app.ask('/api/hello', { headers: { 'x-request-id': '"}evil' } })).headers['x-request-id']).toMatch(
      /^[\w-]{36}$/,
    );
  });
});
