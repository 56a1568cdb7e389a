import { describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import type { Fetch } from '../../ui/api/api-client.ts';
import { checkSession, readSession, readWayBack } from './session.tsx';

/** A real server that gives every call this answer. */
const answering = async (status: number, body: string): Promise<Fetch> => {
  const origin = await serveOnLoopback((_, response) => response.writeHead(status).end(body));
  return (path, init) => fetch(origin + path, init);
};

describe('specification 4: the check', () => {
  test('sets the user from the answer', async () => {
    const fetchFrom = await answering(200, '{"user":{"username":"ogg","isAdmin":true}}');
    expect(await checkSession(fetchFrom)).toEqual({ username: 'ogg', isAdmin: true });
  });

  test('a 401 means no user', async () => {
    expect(await readSession(await answering(401, '{"user":null,"message":"Sign in first."}'))).toBeNull();
  });

  test.each([
    ['a failing server', 500, ''],
    ['a page in place of JSON', 200, '<!doctype html>'],
    ['an answer without a user', 200, '{}'],
    ['a user that is null', 200, '{"user":null}'],
  ])('%s means no user', async (_, status, body) => {
    expect(await checkSession(await answering(status, body))).toBeNull();
  });

  test('a server that does not answer means no user', async () => {
    const nobodyListens: Fetch = () => Promise.reject(new TypeError('fetch failed'));
    expect(await checkSession(nobodyListens)).toBeNull();
  });

  // Specification 8: the text that the check swallows.
  test("a failure that is no 401 is 'Error {status}: {statusText}'", async () => {
    await expect(readSession(await answering(503, 'busy'))).rejects.toThrow('Error 503: Service Unavailable');
  });
});

test('the way back is the one that /admin gave', () => {
  expect(readWayBack({ sessionEnded: true, backTo: '/admin?tab=activity' })).toEqual({
    sessionEnded: true,
    backTo: '/admin?tab=activity',
  });
});

test.each([null, undefined, 'x', 7, {}, { backTo: 'https://evil.example' }, { backTo: '/admin.evil' }, { backTo: 3 }])(
  'without one, or with a foreign one (%j), it is /admin',
  (state) => {
    expect(readWayBack(state)).toEqual({ sessionEnded: false, backTo: '/admin' });
  },
);
