import { gzipSync } from 'node:zlib';

import { expect, test, describe } from 'vitest';
import { z } from 'zod';

import { serveOnLoopback } from '../../tests/support/serve-on-loopback.ts';
import { Unavailable } from '../shared/failure.ts';
import { fetchBounded, fetchJson, callFailure, failureOfStatus, isTransient, retryAfterOf } from './bounded-fetch.ts';

const request = { upstream: 'The upstream', maxAnswerBytes: 1_000, signal: new AbortController().signal };

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Unavailable);
  return (error as Unavailable).reason;
}

test('an endless answer is refused, not buffered', async () => {
  let writtenBytes = 0;
  const url = await serveOnLoopback((_request, response) => {
    const write = (): void => {
      writtenBytes += 500;
      if (!response.destroyed) response.write('x'.repeat(500), write);
    };
    write();
  });
  expect(await reasonOf(fetchBounded(url, {}, request))).toBe('answer-too-large');
  expect(writtenBytes).toBeLessThan(50_000_000);
});

test('a small compressed answer that expands to a huge one is refused too', async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  const url = await serveOnLoopback((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(bomb);
  });
  expect(await reasonOf(fetchBounded(url, {}, request))).toBe('answer-too-large');
});

test('a redirect is not followed: it would carry our keys elsewhere', async () => {
  let asked = 0;
  const elsewhere = await serveOnLoopback((_request, response) => {
    asked += 1;
    response.end('keys, please');
  });
  const url = await serveOnLoopback((_request, response) => {
    response.writeHead(302, { location: elsewhere });
    response.end();
  });
  expect(await reasonOf(fetchBounded(url, { headers: { 'x-api-key': 'secret' } }, request))).toBe('network');
  expect(asked).toBe(0);
});

test("an upstream's text never appears in a message or a cause", async () => {
  const url = await serveOnLoopback((_request, response) => {
    response.writeHead(500);
    response.end('SECRET stack');
  });
  const error = (await fetchBounded(url, {}, request).catch((reason: unknown) => reason)) as Unavailable;
  expect(`${error.message} ${String(error.cause)}`).not.toContain('SECRET');
  const noJson = await serveOnLoopback((_request, response) => response.end('SECRET {'));
  const failed = (await fetchJson(noJson, {}, request, z.object({})).catch((reason: unknown) => reason)) as Unavailable;
  expect(failed.reason).toBe('malformed-answer');
  expect(`${failed.message} ${String(failed.cause)}`).not.toContain('SECRET');
});

test.each([
  [200, null],
  [204, null],
  [301, 'refused-by-upstream'],
  [400, 'refused-by-upstream'],
  [404, 'refused-by-upstream'],
  [408, 'timeout'],
  [429, 'rate-limited'],
  [500, 'upstream-error'],
  [503, 'upstream-error'],
  [504, 'timeout'],
])('HTTP status %i means %s', (status, reason) => {
  expect(failureOfStatus(status)).toBe(reason);
});

describe('retry-after', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  test.each([
    [null, null],
    ['2', 2_000],
    ['0', 0],
    ['1.5', 1_500],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
  ])('%j is %s milliseconds', (header, waitMs) => {
    expect(retryAfterOf(header, nowMs)).toBe(waitMs);
  });
});

test('passing failures are retried; refusals and malformed answers are not', () => {
  expect(
    ['rate-limited', 'upstream-error', 'timeout', 'network'].map((reason) =>
      isTransient(callFailure('X', reason as 'timeout')),
    ),
  ).toEqual([true, true, true, true]);
  expect(isTransient(callFailure('X', 'refused-by-upstream'))).toBe(false);
  expect(isTransient(callFailure('X', 'malformed-answer'))).toBe(false);
  expect(isTransient(callFailure('X', 'answer-too-large'))).toBe(false);
  expect(isTransient(new Error('ours'))).toBe(false);
});
