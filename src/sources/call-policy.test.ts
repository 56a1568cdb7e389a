import { describe, expect, test } from 'vitest';

import { Unavailable } from '../shared/failure.ts';
import { callFailure, type CallFailureReason } from './bounded-fetch.ts';
import { type AttemptReport, type CallLimits, createCallPolicy } from './call-policy.ts';
import { createRateLimiter } from './rate-limiter.ts';

const quick: Partial<CallLimits> = {
  attemptTimeoutMs: 50,
  totalTimeoutMs: 500,
  retries: 2,
  backoffFirstMs: 5,
  backoffMaxMs: 10,
};

/** A policy, the attempts it made, and an upstream that fails in the given ways and then answers. */
function policyOver(failures: readonly unknown[], limits: Partial<CallLimits> = {}) {
  const reports: AttemptReport[] = [];
  const left = [...failures];
  const call = createCallPolicy({
    upstream: 'The upstream',
    limits: { ...quick, ...limits },
    onAttempt: (report) => reports.push(report),
  });
  const attempt = async (): Promise<string> => {
    if (left.length > 0) throw left.shift();
    return 'an answer';
  };
  return { call, attempt, reports, outcomes: () => reports.map(({ outcome }) => outcome) };
}

const failure = (reason: CallFailureReason, retryAfterMs: number | null = null): Unavailable =>
  callFailure('The upstream', reason, { retryAfterMs });

const hanging = (): Promise<never> => new Promise(() => {});

async function failureOf(work: Promise<unknown>): Promise<Unavailable> {
  const error: unknown = await work.then(
    () => 'an answer',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Unavailable);
  return error as Unavailable;
}

describe('retries', () => {
  test.each(['rate-limited', 'upstream-error', 'network', 'timeout'] as const)('%s is retried', async (reason) => {
    const { call, attempt, outcomes } = policyOver([failure(reason)]);
    expect(await call('read', attempt)).toBe('an answer');
    expect(outcomes()).toEqual([reason, 'ok']);
  });

  test.each(['refused-by-upstream', 'malformed-answer', 'answer-too-large'] as const)(
    '%s is not retried',
    async (reason) => {
      const { call, attempt, outcomes } = policyOver([failure(reason)]);
      expect((await failureOf(call('read', attempt))).reason).toBe(reason);
      expect(outcomes()).toEqual([reason]);
    },
  );

  test('are limited in number', async () => {
    const { call, attempt, outcomes } = policyOver(Array.from({ length: 9 }, () => failure('network')));
    expect((await failureOf(call('read', attempt))).reason).toBe('network');
    expect(outcomes()).toEqual(['network', 'network', 'network']);
  });

  test('wait as long as the upstream asks', async () => {
    const { call, attempt } = policyOver([failure('rate-limited', 120)]);
    const startedMs = performance.now();
    await call('read', attempt);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(115);
  });

  test('stop if the upstream asks for too long a wait: the caller learns when to come back', async () => {
    const { call, attempt, outcomes } = policyOver([failure('rate-limited', 3_600_000)]);
    expect((await failureOf(call('read', attempt))).retryAfterMs).toBe(3_600_000);
    expect(outcomes()).toEqual(['rate-limited']);
  });

  test('leave out bugs of our own, which are rethrown unchanged', async () => {
    const { call, attempt, outcomes } = policyOver([new RangeError('ours')]);
    await expect(call('read', attempt)).rejects.toThrow(RangeError);
    expect(outcomes()).toEqual(['internal-error']);
  });
});

describe('time', () => {
  test('an attempt that hangs is ended, whether or not it reacts to the signal', async () => {
    const { call, outcomes } = policyOver([], { retries: 1 });
    expect((await failureOf(call('read', hanging))).reason).toBe('timeout');
    expect(outcomes()).toEqual(['timeout', 'timeout']);
  });

  test('the whole call is limited, waits included, and fails with the last reason', async () => {
    const { call, attempt } = policyOver([failure('network'), failure('network')], {
      totalTimeoutMs: 60,
      backoffFirstMs: 5_000,
      backoffMaxMs: 5_000,
    });
    const startedMs = performance.now();
    expect((await failureOf(call('read', attempt))).reason).toBe('network');
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  test('a caller that stops is released at once', async () => {
    const { call } = policyOver([]);
    const stop = new AbortController();
    const waiting = failureOf(call('read', hanging, stop.signal));
    stop.abort();
    expect((await waiting).reason).toBe('stopped');
    expect((await failureOf(call('read', hanging, stop.signal))).reason).toBe('stopped');
  });

  test("an attempt's signal aborts when its time is up", async () => {
    const { call } = policyOver([], { retries: 0 });
    let isAborted = false;
    await failureOf(
      call('read', (signal) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return hanging();
      }),
    );
    expect(isAborted).toBe(true);
  });
});

describe('the rate limiter', () => {
  test('every attempt passes it, and a rate limit holds back all callers', async () => {
    const rateLimiter = createRateLimiter({ requests: 10, perMs: 1_000 });
    const call = createCallPolicy({
      upstream: 'The upstream',
      limits: { ...quick, retries: 0, totalTimeoutMs: 2_000 },
      rateLimiter,
    });
    await failureOf(call('read', () => Promise.reject(failure('rate-limited', 150))));
    const startedMs = performance.now();
    expect(await call('read', () => Promise.resolve('late'))).toBe('late');
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(140);
  });

  test('running out of time in the queue is a timeout, and costs the next caller nothing', async () => {
    const rateLimiter = createRateLimiter({ requests: 1, perMs: 300 });
    const limits = { ...quick, retries: 0, totalTimeoutMs: 40 };
    const call = createCallPolicy({ upstream: 'The upstream', limits, rateLimiter });
    expect(await call('read', () => Promise.resolve('first'))).toBe('first');
    expect((await failureOf(call('read', () => Promise.resolve('second')))).reason).toBe('timeout');
    await expect
      .poll(() => call('read', () => Promise.resolve('third')).catch((error: Unavailable) => error.reason), {
        timeout: 10_000,
      })
      .toBe('third');
  });

  test('waiting at the rate limiter does not count as time of an attempt', async () => {
    const rateLimiter = createRateLimiter({ requests: 1, perMs: 120 });
    const call = createCallPolicy({ upstream: 'The upstream', limits: { ...quick, retries: 0 }, rateLimiter });
    const answers = [1, 2, 3].map((number) => call('read', () => Promise.resolve(number)));
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  });
});

test('metrics get the upstream, operation, outcome and duration of each attempt', async () => {
  const { call, attempt, reports } = policyOver([failure('network')]);
  await call('read', attempt);
  expect(reports).toEqual([
    { upstream: 'The upstream', operation: 'read', outcome: 'network', durationMs: expect.any(Number) },
    { upstream: 'The upstream', operation: 'read', outcome: 'ok', durationMs: expect.any(Number) },
  ]);
});
