import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import {
  againAfterMs,
  ApiError,
  callApi,
  failureText,
  type Fetch,
  learnServerTime,
  serverTimeMs,
} from './api-client.ts';
import { createQueryClient } from './use-public-answer.ts';

/** Starts a real server; returns a fetch that reaches it, and the options of each call. */
const serverThat = async (answer: RequestListener) => {
  const origin = await serveOnLoopback(answer);
  const inits: RequestInit[] = [];
  const fetchFrom: Fetch = (path, init) => {
    inits.push(init);
    return fetch(origin + path, init);
  };
  return { fetchFrom, inits };
};

const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('the call did not fail with an ApiError');
  return error;
};

describe('specification 7: calls', () => {
  test('every call is sent with credentials', async () => {
    const { fetchFrom, inits } = await serverThat((_, response) => response.end('{}'));
    await callApi({ path: '/a' }, fetchFrom);
    await callApi({ method: 'POST', path: '/a', body: { count: 1 } }, fetchFrom);
    expect(inits.map(({ credentials }) => credentials)).toEqual(['include', 'include']);
  });

  test('the default is a GET of the path, parsed as JSON', async () => {
    const { fetchFrom } = await serverThat((request, response) =>
      response.end(JSON.stringify({ method: request.method, url: request.url })),
    );
    expect(await callApi({ path: '/api/x?y=1' }, fetchFrom)).toEqual({ method: 'GET', url: '/api/x?y=1' });
  });

  test('a body is sent as JSON', async () => {
    const { fetchFrom } = await serverThat((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        response.end(JSON.stringify({ type: request.headers['content-type'], text: Buffer.concat(chunks).toString() })),
      );
    });
    const sent = await callApi({ method: 'PUT', path: '/a', body: { hexCollectionId: '0x1' } }, fetchFrom);
    expect(sent).toEqual({ type: 'application/json', text: '{"hexCollectionId":"0x1"}' });
  });

  test('the version that a change is based on is sent as If-Match', async () => {
    const { fetchFrom } = await serverThat((request, response) =>
      response.end(JSON.stringify({ type: request.headers['content-type'], version: request.headers['if-match'] })),
    );
    expect(await callApi({ method: 'DELETE', path: '/a', ifMatch: 3 }, fetchFrom)).toEqual({ version: '"3"' });
  });

  test('a body that is not JSON returns the raw response, still readable', async () => {
    const { fetchFrom } = await serverThat((_, response) => response.end('plain stone'));
    const answer = await callApi({ path: '/a' }, fetchFrom);
    expect(answer).toBeInstanceOf(Response);
    expect(await (answer as Response).text()).toBe('plain stone');
  });
});

describe('specification 8: errors', () => {
  test.each([
    ['rocks-not-read-yet', 5_000],
    ['payouts-not-read', 5_000],
    ['database-unavailable', 60_000],
  ])('after a 503 with the code %s the call is repeated in %d ms', async (code, expectedMs) => {
    const { fetchFrom } = await serverThat((_, response) => response.writeHead(503).end(JSON.stringify({ code })));
    expect(againAfterMs(await failureOf(callApi({ path: '/a' }, fetchFrom)), 60_000)).toBe(expectedMs);
    expect(againAfterMs(null, 60_000)).toBe(60_000);
  });

  test('an answer that never comes, or stops halfway, fails at the time limit', async () => {
    const { fetchFrom } = await serverThat((request, response) => {
      if (request.url === '/half') response.write('{"data":');
    });
    const hanging = ['/never', '/half'].map((path) => callApi({ path }, fetchFrom, 50));
    const ends = await Promise.allSettled(hanging);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failureText((ends[0] as PromiseRejectedResult).reason)).toBe(
      'The server did not answer. Check the connection and try again.',
    );
  });

  test('calls work in a browser without AbortSignal.any', async () => {
    const { fetchFrom } = await serverThat((_, response) => response.end('{}'));
    const joining = Object.getOwnPropertyDescriptor(AbortSignal, 'any');
    Reflect.deleteProperty(AbortSignal, 'any');
    try {
      expect(await callApi({ path: '/a', signal: new AbortController().signal }, fetchFrom)).toEqual({});
    } finally {
      if (joining) Object.defineProperty(AbortSignal, 'any', joining);
    }
  });

  test('a call whose caller gives up is aborted', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<string>();
    const caller = new AbortController();
    const { fetchFrom } = await serverThat((request) => {
      request.on('close', () => close('closed'));
      caller.abort();
    });
    await expect(callApi({ path: '/a', signal: caller.signal }, fetchFrom)).rejects.toThrow('aborted');
    await expect(callApi({ path: '/a', signal: caller.signal }, fetchFrom)).rejects.toThrow('aborted');
    expect(await closed).toBe('closed');
  });

  test("the text is the status, a colon, a space and the body: '409: taken'", async () => {
    const { fetchFrom } = await serverThat((_, response) => response.writeHead(409).end('taken'));
    expect((await failureOf(callApi({ path: '/a' }, fetchFrom))).message).toBe('409: taken');
  });

  test('the status text stands in for an empty body', async () => {
    const { fetchFrom } = await serverThat((_, response) => response.writeHead(503, 'Service Unavailable').end());
    expect((await failureOf(callApi({ path: '/a' }, fetchFrom))).message).toBe('503: Service Unavailable');
  });

  test('a 401 gets no special handling', async () => {
    const { fetchFrom } = await serverThat((_, response) => response.writeHead(401).end('{"user":null}'));
    const failure = await failureOf(callApi({ path: '/a' }, fetchFrom));
    expect([failure.status, failure.message]).toEqual([401, '401: {"user":null}']);
  });

  test("the answer's message is kept separately for toasts, and is null where there is none", async () => {
    const { fetchFrom } = await serverThat((request, response) =>
      response.writeHead(400).end(request.url === '/a' ? '{"message":"No such guild.","code":"no-guild"}' : '<html>'),
    );
    expect((await failureOf(callApi({ path: '/a' }, fetchFrom))).serverMessage).toBe('No such guild.');
    expect((await failureOf(callApi({ path: '/b' }, fetchFrom))).serverMessage).toBeNull();
  });
});

describe("the server's clock", () => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  const hourMs = 3_600_000;
  const headers = (date: string, age?: string) => new Headers({ date, ...(age === undefined ? {} : { age }) });
  const right = headers('Fri, 20 Nov 2026 12:00:00 GMT');

  afterEach(() => learnServerTime(right, nowMs));

  // The header has whole seconds; the end of the second is used.
  test.each([
    ['an hour ahead', nowMs + hourMs],
    ['an hour behind', nowMs - hourMs],
  ])("with a visitor's clock that is %s, the server's time is used", (_, wrongMs) => {
    learnServerTime(right, wrongMs);
    expect(serverTimeMs(wrongMs + 5_000)).toBe(nowMs + 6_000);
  });

  test('a clock that is right within a minute is trusted, even after it was corrected', () => {
    learnServerTime(right, nowMs + hourMs);
    learnServerTime(right, nowMs + 60_000);
    expect(serverTimeMs(nowMs)).toBe(nowMs);
  });

  test('an answer that a proxy cached for an hour does not turn the clock back', () => {
    learnServerTime(headers('Fri, 20 Nov 2026 11:00:00 GMT', '3600'), nowMs);
    expect(serverTimeMs(nowMs)).toBe(nowMs);
  });

  test.each([new Headers(), headers('yesterday'), headers('Fri, 20 Nov 2026 11:00:00 GMT', 'old')])(
    'an answer without a readable time changes nothing',
    (unreadable) => {
      learnServerTime(headers('Fri, 20 Nov 2026 13:00:00 GMT'), nowMs);
      learnServerTime(unreadable, nowMs);
      expect(serverTimeMs(nowMs)).toBe(nowMs + hourMs + 1_000);
    },
  );
});

test('specification 7: no refetch interval, no refetch on focus, never stale, no retries', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    refetchInterval: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    retry: false,
  });
  expect(mutations).toMatchObject({ retry: false });
});

test('without a network a call fails at once instead of waiting, and queries are repeated when the network is back', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(mutations).toMatchObject({ networkMode: 'always' });
  expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true });
});
