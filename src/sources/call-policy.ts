import { Unavailable } from '../shared/failure.ts';
import { callFailure, isTransient } from './bounded-fetch.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { pause, withDeadline } from '../process/in-time.ts';

/** One attempt, for metrics. `outcome`: `ok` or the reason of the failure. */
export interface AttemptReport {
  readonly upstream: string;
  readonly operation: string;
  readonly outcome: string;
  readonly durationMs: number;
}

export interface CallLimits {
  readonly attemptTimeoutMs: number;
  /** For all attempts and all waits, between them and at the rate limiter. */
  readonly totalTimeoutMs: number;
  readonly retries: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** With a longer `retry-after` the call does not wait but fails at once, passing that time on. */
  readonly retryAfterMaxMs: number;
}

const defaultCallLimits: CallLimits = {
  attemptTimeoutMs: 8_000,
  totalTimeoutMs: 30_000,
  retries: 2,
  backoffFirstMs: 250,
  backoffMaxMs: 4_000,
  retryAfterMaxMs: 10_000,
};

export interface CallPolicyOptions {
  readonly upstream: string;
  readonly limits?: Partial<CallLimits>;
  readonly rateLimiter?: RateLimiter;
  readonly onAttempt?: (report: AttemptReport) => void;
}

/**
 * Runs one call to the outside. For any failure of the upstream, `attempt` must throw a `callFailure`; other errors count
 * as bugs of ours and are rethrown unchanged. Throws Unavailable within the total timeout.
 */
export type CallPolicy = <T>(
  operation: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
) => Promise<T>;

/** Combines the rate limiter, a time limit per attempt, retries of passing failures, and a deadline for the whole call. */
export function createCallPolicy(options: CallPolicyOptions): CallPolicy {
  const { upstream } = options;
  const limits: CallLimits = { ...defaultCallLimits, ...options.limits };
  return async (operation, attempt, stop) => {
    let lastFailure: Unavailable | undefined;
    const attempts = async (total: AbortSignal) => {
      for (let retry = 1; ; retry += 1) {
        try {
          return await attemptOnce(options, limits, operation, attempt, total);
        } catch (error) {
          if (retry > limits.retries || !isTransient(error)) throw error;
          const retryAfterMs = error.retryAfterMs ?? 0;
          if (retryAfterMs > limits.retryAfterMaxMs) throw error;
          lastFailure = error;
          await pause(Math.max(backoffMs(retry, limits), retryAfterMs), total);
        }
      }
    };
    return withDeadline(attempts, {
      withinMs: limits.totalTimeoutMs,
      stop,
      late: () => lastFailure ?? callFailure(upstream, 'timeout'),
      stopped: (cause) => callFailure(upstream, 'stopped', { cause }),
    });
  };
}

/** Reports the outcome, and tells the limiter of a rate limit. */
async function attemptOnce<T>(
  { upstream, rateLimiter, onAttempt }: CallPolicyOptions,
  limits: CallLimits,
  operation: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  total: AbortSignal,
): Promise<T> {
  await rateLimiter?.take(total);
  total.throwIfAborted();
  const startedMs = performance.now();
  const report = (outcome: string): void =>
    onAttempt?.({ upstream, operation, outcome, durationMs: performance.now() - startedMs });
  try {
    const answer = await withDeadline(attempt, {
      withinMs: limits.attemptTimeoutMs,
      stop: total,
      late: () => callFailure(upstream, 'timeout'),
      stopped: () => total.reason as Error,
    });
    report('ok');
    return answer;
  } catch (error) {
    report(error instanceof Unavailable ? error.reason : 'internal-error');
    if (error instanceof Unavailable && error.reason === 'rate-limited') {
      rateLimiter?.pause(error.retryAfterMs ?? limits.backoffFirstMs);
    }
    throw error;
  }
}

/** Exponential, with a random upper half so that callers do not retry in step. */
function backoffMs(attempt: number, limits: CallLimits): number {
  const fullMs = Math.min(limits.backoffMaxMs, limits.backoffFirstMs * 2 ** (attempt - 1));
  return fullMs * (0.5 + Math.random() / 2);
}
