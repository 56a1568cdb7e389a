import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { Refused } from '../shared/failure.ts';
import type { Authorize, Route, RouteRequest } from './route.ts';
import { type TestServer, startTestServer } from '../../tests/support/test-server.ts';

/** The token is the username; the user 'admin' is an admin. */
const byName: Authorize = (token, { access }) => {
  const rights = token === 'admin' ? ('admin' as const) : null;
  const user = token === null ? null : { id: '1', username: token, isAdmin: rights !== null, rights };
  if (access === 'public' || user?.isAdmin === true) return { ok: true, user };
  return { ok: false, status: user === null ? 401 : 403, code: 'no', message: 'No.' };
};

const seen = ({ user, client, ifMatch }: RouteRequest) => ({ user, client, ifMatch });
const expiresAt = new Date('2026-11-20T12:00:00Z');
const route = (path: string, handle: Route['handle'], more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  access: 'public',
  summary: path,
  answer: z.unknown(),
  handle,
  ...more,
});
const stale = z.object({ message: z.string(), mine: z.int(), theirs: z.int() });

const routes: readonly Route[] = [
  route('/api/public', (request) => ({ data: seen(request) }), { isVersioned: true }),
  route('/api/reads', (request) => ({ data: seen(request) }), { readsSession: true }),
  route('/api/admin', (request) => ({ data: seen(request) }), { access: 'admin' }),
  route('/api/in', () => ({ data: 1, session: { token: 'a b', expiresAt } }), {
    method: 'POST',
  }),
  route('/api/out', () => ({ data: 1, session: 'clear' }), { method: 'POST' }),
  route('/api/wait', () => {
    throw new Refused('wait', 'Wait.', { status: 429, retryAfterMs: 7_000 });
  }),
  route('/api/both', () => ({ status: 409, body: { message: 'Both.', mine: 1, theirs: 2, hidden: 3 } }), {
    failures: { 409: stale },
  }),
  route('/api/misfit', () => ({ status: 409, body: { message: 'Both.', code: 'x' } }), { failures: { 409: stale } }),
  route('/api/none', () => {
    throw new Refused('not-found', 'There is no such rock.');
  }),
  route('/api/late', () => {
    throw new Refused('stale', 'Somebody else saved first.');
  }),
  route('/api/words', () => ({ data: 1 }), {
    query: z.object({
      name: z.string().min(2, { error: 'Name must be at least 2 characters.' }).optional(),
      odd: z
        .string()
        .refine((text) => text === '', { error: 'no oddities' })
        .optional(),
      even: z
        .string()
        .refine((text) => text === '')
        .optional(),
    }),
  }),
];

let app: TestServer;
beforeAll(async () => {
  app = await startTestServer({ routes, authorize: byName });
});
afterAll(() => app.server.stop());

const dataAt = async (path: string, headers: Record<string, string>): Promise<unknown> =>
  (JSON.parse((await app.ask(path, { headers })).text) as { data: unknown }).data;

describe('a handler receives', () => {
  it('the signed-in user, on a public route only if it reads the session', async () => {
    const headers = { cookie: 'other=1; __Host-session=admin' };
    const user = { id: '1', username: 'admin', isAdmin: true };
    expect(await dataAt('/api/public', headers)).toMatchObject({ user: null });
    expect(await dataAt('/api/reads', headers)).toMatchObject({ user });
    expect(await dataAt('/api/admin', headers)).toMatchObject({ user });
    expect(await dataAt('/api/reads', {})).toMatchObject({ user: null });
    expect((await app.ask('/api/admin', { headers: { cookie: '__Host-session=guest' } })).status).toBe(403);
  });

  it("the caller's address: the last hop that a proxy on this machine names, if it is an address", async () => {
    const addressFor = async (forwarded: string): Promise<unknown> =>
      ((await dataAt('/api/public', { 'x-forwarded-for': forwarded })) as RouteRequest).client.address;
    expect(await addressFor('192.0.2.7')).toBe('192.0.2.7');
    expect(await addressFor('10.9.9.9, 192.0.2.7')).toBe('192.0.2.7');
    expect(await addressFor('192.0.2.7, 127.0.0.1')).toBe('192.0.2.7');
    expect(await addressFor('2001:db8::1')).toBe('2001:db8::1');
    expect(await addressFor('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(await addressFor('evil"; drop')).toBe('127.0.0.1');
  });

  it("the caller's address behind trusted proxies: what the outermost of them saw, not what the caller made up", async () => {
    const trusting = await startTestServer({ routes, authorize: byName, trustedProxies: ['172.16.0.0/12', 'fd00::7'] });
    const addressBehind = async (server: TestServer, forwarded: string): Promise<unknown> => {
      const { text } = await server.ask('/api/public', { headers: { 'x-forwarded-for': forwarded } });
      return (JSON.parse(text) as { data: RouteRequest }).data.client.address;
    };
    expect(await addressBehind(trusting, '192.0.2.7, 172.18.0.2')).toBe('192.0.2.7');
    expect(await addressBehind(trusting, '192.0.2.7, ::ffff:172.18.0.2, fd00::7')).toBe('192.0.2.7');
    expect(await addressBehind(trusting, '198.51.100.1, 192.0.2.7, 172.18.0.2')).toBe('192.0.2.7');
    expect(await addressBehind(trusting, '172.18.0.9, 192.0.2.7')).toBe('192.0.2.7');
    expect(await addressBehind(app, '192.0.2.7, 172.18.0.2')).toBe('172.18.0.2');
    await trusting.server.stop();
  });

  it('the tokens of its cookies, unless they are too long to be tokens', async () => {
    const cookie = `__Host-session=${'x'.repeat(501)}; __Secure-device=mark`;
    expect(await dataAt('/api/public', { cookie })).toMatchObject({
      client: { sessionToken: null, deviceToken: 'mark' },
    });
    expect(await dataAt('/api/public', { cookie: '__Host-session=; =;;' })).toMatchObject({
      client: { sessionToken: null },
    });
  });

  it.each([
    ['"7"', '7'],
    ['W/"7"', '7'],
    ['7', '7'],
    ['*', '*'],
    ['', null],
    [`"${'x'.repeat(300)}"`, 'x'.repeat(200)],
  ])('the version of If-Match: %s', async (given, version) => {
    expect(await dataAt('/api/public', { 'if-match': given })).toMatchObject({ ifMatch: version });
  });
});

describe('an answer', () => {
  it('writes the session into a cookie that no script can read, and deletes it', async () => {
    expect((await app.ask('/api/in', { method: 'POST' })).headers['set-cookie']).toEqual([
      '__Host-session=a%20b; Path=/; Expires=Fri, 20 Nov 2026 12:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect((await app.ask('/api/out', { method: 'POST' })).headers['set-cookie']).toEqual([
      '__Host-session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  it('that depends on the session is never cached', async () => {
    expect((await app.ask('/api/public')).headers['cache-control']).toBe('no-cache');
    expect((await app.ask('/api/reads')).headers['cache-control']).toBe('no-store');
    expect(
      (await app.ask('/api/admin', { headers: { cookie: '__Host-session=admin' } })).headers['cache-control'],
    ).toBe('no-store');
  });

  it('may say when to try again', async () => {
    const { status, headers } = await app.ask('/api/wait');
    expect([status, headers['retry-after']]).toEqual([429, '7']);
  });

  it('may fail with fields of its own, which the OpenAPI description names, and with no others', async () => {
    const { status, text } = await app.ask('/api/both');
    expect([status, JSON.parse(text)]).toEqual([409, { message: 'Both.', mine: 1, theirs: 2 }]);
    expect((await app.ask('/api/misfit')).status).toBe(500);
    const { paths } = JSON.parse((await app.ask('/api/openapi.json')).text) as { paths: Record<string, unknown> };
    expect(JSON.stringify(paths['/api/both'])).toContain('"409"');
  });

  it('is 404 for something that does not exist and 409 for something that was changed meanwhile', async () => {
    const codes = await Promise.all(
      ['/api/none', '/api/late'].map(async (path) => {
        const { status, text } = await app.ask(path);
        return [status, (JSON.parse(text) as { code: string }).code];
      }),
    );
    expect(codes).toEqual([
      [404, 'not-found'],
      [409, 'stale'],
    ]);
  });

  it.each([
    ['name=x', 'Name must be at least 2 characters.'],
    ['odd=x', 'The field "odd" of the query is not valid: no oddities.'],
    ['even=x', 'The field "even" of the query is not valid: it is not one of the expected forms.'],
  ])("uses the schema's own message where that is a whole sentence: %s", async (query, message) => {
    const { text } = await app.ask(`/api/words?${query}`);
    expect(JSON.parse(text)).toMatchObject({ message });
  });
});
