import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../../tests/support/test-server.ts';

let app: TestServer;
beforeAll(async () => {
  app = await startTestServer();
});
afterAll(() => app.server.stop());

describe('a call', () => {
  it('leaves one log line, with its route and without its address', async () => {
    const before = app.log().length;
    await app.ask('/api/echo/s3cret?x=s3cret', {
      method: 'POST',
      body: '{"count":1}',
      headers: { 'content-type': 'application/json' },
    });
    const lines = app.log().slice(before).trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ method: 'POST', route: '/api/echo/:id', status: 400 });
    expect(lines[0]).not.toContain('s3cret');
  });

  it('that is refused leaves one log line too, with its status', async () => {
    const before = app.log().length;
    const id = { 'x-request-id': 'a\u00A0b"}' };
    await app.ask('/api/admin', { headers: { ...id, cookie: '__Host-session=x' } });
    await app.ask('/api/init', { method: 'POST', headers: { ...id, origin: 'https://evil.example' } });
    const lines = app.log().slice(before).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { method: 'GET', route: '/api/admin', status: 401 },
      { method: 'POST', route: '/api/init', status: 403 },
    ]);
    expect(lines.join('\n')).not.toMatch(/evil|a\u00A0b/);
  });
});
