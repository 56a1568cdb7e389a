import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createBackgroundLimiter, createRateLimiter } from './rate-limiter.ts';

const never = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A limiter on fake time, and the order in which callers passed. */
function limiterWithLog(requests: number, perMs: number) {
  const passed: string[] = [];
  const limiter = createRateLimiter({ requests, perMs, nowMs: () => Date.now() });
  const take = (name: string, signal = never) => limiter.take(signal).then(() => passed.push(name));
  return { limiter, passed, take };
}

describe('the rate limiter', () => {
  test('lets a burst pass at once and no more than the limit in any window', async () => {
    const { passed, take } = limiterWithLog(3, 1_000);
    for (const name of ['a', 'b', 'c', 'd', 'e']) void take(name);
    await vi.advanceTimersByTimeAsync(999);
    expect(passed).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(1);
    expect(passed).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('never lets more pass than the limit, wherever the window begins', async () => {
    const passedAtMs: number[] = [];
    const limiter = createRateLimiter({ requests: 5, perMs: 100, nowMs: () => Date.now() });
    for (let caller = 0; caller < 40; caller += 1) void limiter.take(never).then(() => passedAtMs.push(Date.now()));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(passedAtMs).toHaveLength(40);
    for (const start of passedAtMs) {
      expect(passedAtMs.filter((at) => at >= start && at < start + 100).length).toBeLessThanOrEqual(5);
    }
  });

  test('lets callers pass in the order they came', async () => {
    const { passed, take } = limiterWithLog(1, 10);
    for (const name of ['a', 'b', 'c']) void take(name);
    await vi.advanceTimersByTimeAsync(25);
    expect(passed).toEqual(['a', 'b', 'c']);
  });

  test('lets a caller that gives up leave the queue without delaying those behind it', async () => {
    const { passed, take } = limiterWithLog(1, 100);
    const impatient = new AbortController();
    void take('a');
    const refused = expect(take('b', impatient.signal)).rejects.toThrow('gave up');
    void take('c');
    impatient.abort(new Error('gave up'));
    await refused;
    await vi.advanceTimersByTimeAsync(100);
    expect(passed).toEqual(['a', 'c']);
    await vi.advanceTimersByTimeAsync(100);
    void take('d');
    await vi.advanceTimersByTimeAsync(0);
    expect(passed).toEqual(['a', 'c', 'd']);
  });

  test('pauses all callers when the upstream asks for it, but only up to a limit', async () => {
    const passed: string[] = [];
    const limiter = createRateLimiter({ requests: 10, perMs: 1_000, pauseMaxMs: 5_000, nowMs: () => Date.now() });
    limiter.pause(3_600_000);
    limiter.pause(1);
    void limiter.take(never).then(() => passed.push('a'));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(passed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(passed).toEqual(['a']);
  });

  test('rejects an aborted caller at once', async () => {
    const { limiter } = limiterWithLog(1, 10);
    await expect(limiter.take(AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
  });

  test('keeps part of the limit free of background work', async () => {
    const { limiter, passed, take } = limiterWithLog(5, 1_000);
    const background = createBackgroundLimiter(limiter, { requests: 3, perMs: 1_000, nowMs: () => Date.now() });
    for (let call = 0; call < 20; call += 1) void background.take(never).then(() => passed.push('background'));
    await vi.advanceTimersByTimeAsync(0);
    for (const name of ['visitor', 'treasury', 'another visitor']) void take(name);
    await vi.advanceTimersByTimeAsync(0);
    expect(passed).toEqual(['background', 'background', 'background', 'visitor', 'treasury']);
  });
});
