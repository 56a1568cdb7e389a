import { describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import { ApiError, type Fetch } from '../../ui/api/api-client.ts';
import { credentials } from '../core/credentials.ts';
import { checkSession, loginFailedText, loginProblems, readSession, readWayBack } from './session.tsx';

/** A real server that gives every call this answer. */
const answering = async (status: number, body: string): Promise<Fetch> => {
  const origin = await serveOnLoopback((_, response) => response.writeHead(status).end(body));
  return (path, init) => fetch(origin + path, init);
};

describe('specification 4: the check', () => {
  test('sets the user from the answer', async () => {
    const fetchFrom = await answering(200, '{"user":{"username":"ogg","isAdmin":true}}');
    expect(await checkSession(fetchFrom)).toEqual({ username: 'ogg', isAdmin: true, rights: null });
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
    const unreachable: Fetch = () => Promise.reject(new TypeError('fetch failed'));
    expect(await checkSession(unreachable)).toBeNull();
  });

  // Specification 8: the text that the check swallows.
  test("a failure other than 401 is 'Error {status}: {statusText}'", async () => {
    await expect(readSession(await answering(503, 'busy'))).rejects.toThrow('Error 503: Service Unavailable');
  });
});

test('the way back is the address that /admin gave', () => {
  expect(readWayBack({ sessionEnded: true, backTo: '/admin?tab=activity' })).toEqual({
    sessionEnded: true,
    backTo: '/admin?tab=activity',
  });
});

test.each([null, undefined, 'x', 7, {}, { backTo: 'https://evil.example' }, { backTo: '/admin.evil' }, { backTo: 3 }])(
  'a missing or foreign way back (%j) is replaced by /admin',
  (state) => {
    expect(readWayBack(state)).toEqual({ sessionEnded: false, backTo: '/admin' });
  },
);

type Field = 'username' | 'password';

const problemOf = (field: Field, value: string): string | undefined =>
  loginProblems({ username: 'ogg', password: 'secret', [field]: value })[field];
const schemaProblemOf = (field: Field, value: string): string | undefined =>
  credentials.shape[field].safeParse(value).error?.issues[0]?.message;

describe('specification 5: the login form', () => {
  test('says the exact messages', () => {
    expect(loginProblems({ username: 'o', password: 'abc' })).toEqual({
      username: 'Username must be at least 2 characters.',
      password: 'Password must be at least 4 characters.',
    });
    expect(loginProblems({ username: 'og', password: 'abcd' })).toEqual({});
  });

  test.each([0, 1, 2, 3, 4, 5, 64, 65, 200, 201])('agrees with the server on %i characters', (length) => {
    const value = 'x'.repeat(length);
    for (const field of ['username', 'password'] as const)
      expect(problemOf(field, value)).toBe(schemaProblemOf(field, value));
  });
});

describe("specification 8: the text of 'Login failed'", () => {
  test.each([
    ["the server's message field", new ApiError(401, 'Unauthorized', '{"message":"Wrong."}'), 'Wrong.'],
    ['the raw response text', new ApiError(502, 'Bad Gateway', 'upstream is gone'), 'upstream is gone'],
    ["'Login failed' for an empty body", new ApiError(500, 'Internal Server Error', ''), 'Login failed'],
    ["'Login failed' when the server does not answer", new TypeError('Failed to fetch'), 'Login failed'],
  ])('is %s', (_, error, text) => {
    expect(loginFailedText(error)).toBe(text);
  });
});
