import {
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  isBrokenCircuitError,
  isTaskCancelledError,
  retry,
  type RetryPolicy,
  timeout,
  TimeoutStrategy,
} from 'cockatiel';
import { Unavailable } from '../shared/failure.ts';
import { callFailure, isTransient } from './bounded-fetch.ts';
import type { RateGate } from './rate-gate.ts';
import { withDeadline } from '../process/in-time.ts';

/** One attempt as metrics see it. `outcome`: `ok` or the reason of the failure. */
export interface AttemptReport {
  readonly upstream: string;
  readonly operation: string;
  readonly outcome: string;
  readonly durationMs: number;
}

type OnAttempt = (report: AttemptReport) => void;

export interface CallLimits {
  readonly attemptTimeoutMs: number;
  /** All attempts and every wait between them and at the gate. */
  readonly totalTimeoutMs: number;
  readonly retries: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** A longer `retry-after` is not waited for: the call fails at once and says so. */
  readonly retryAfterMaxMs: number;
  /** So many failures in a row open the breaker. */
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
}

const defaultCallLimits: CallLimits = {
  attemptTimeoutMs: 8_000,
  totalTimeoutMs: 30_000,
  retries: 2,
  backoffFirstMs: 250,
  backoffMaxMs: 4_000,
  retryAfterMaxMs: 10_000,
  breakerFailures: 10,
  breakerOpenMs: 5_000,
};

export interface CallPolicyOptions {
  readonly upstream: string;
  readonly limits?: Partial<CallLimits>;
  readonly gate?: RateGate;
  readonly onAttempt?: OnAttempt;
  /** Ends every call of this upstream at once: the product is stopping. */
  readonly stop?: AbortSignal;
}

/**
 * Runs one call to the outside. `attempt` must throw what `callFailure` makes for anything the other side did wrong;
 * any other error is passed on unchanged, as a mistake of ours. Throws Unavailable within the total timeout.
 */
export type CallPolicy = <T>(
  operation: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
) => Promise<T>;

/** One policy, and with it one breaker, for each upstream. */
export function createCallPolicy(options: CallPolicyOptions): CallPolicy {
  const { upstream } = options;
  const limits: CallLimits = { ...defaultCallLimits, ...options.limits };
  const attemptOnce = createAttempt(options, limits);
  const retrying = createRetry(limits);
  const breaker = circuitBreaker(handleWhen(isBreakerFailure), {
    halfOpenAfter: limits.breakerOpenMs,
    breaker: new ConsecutiveBreaker(limits.breakerFailures),
  });

  /** What opened the breaker: the reason that people look for while it is open. */
  let counted: Error | undefined;

  return async (operation, attempt, stop) => {
    let lastFailure: Error | undefined;
    const tryOnce = async (total: AbortSignal) => {
      try {
        return await breaker.execute(() => attemptOnce(operation, attempt, total), total);
      } catch (error) {
        if (isBreakerFailure(error)) counted = error;
        lastFailure = isBrokenCircuitError(error)
          ? callFailure(upstream, 'breaker-open', { cause: counted ?? error })
          : asFailure(upstream, error);
        throw lastFailure;
      }
    };
    // The library's pause between attempts does not heed the signal; the deadline's wait does.
    return withDeadline((total) => retrying.execute(() => tryOnce(total), total), {
      withinMs: limits.totalTimeoutMs,
      stop: anyOf(options.stop, stop),
      late: () => lastFailure ?? callFailure(upstream, 'timeout'),
      stopped: (cause) => callFailure(upstream, 'stopped', { cause }),
    });
  };
}

type AttemptOnce = <T>(
  operation: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  total: AbortSignal,
) => Promise<T>;

/** Gate, then the time limit of one attempt; reports how it went and a rate limit to the gate. */
function createAttempt({ upstream, gate, onAttempt }: CallPolicyOptions, limits: CallLimits): AttemptOnce {
  const attemptLimit = timeout(limits.attemptTimeoutMs, TimeoutStrategy.Aggressive);
  return async (operation, attempt, total) => {
    await gate?.take(total).catch((error: unknown) => {
      // Time that ran out in our own queue says nothing about the upstream's health, so the breaker must not count it.
      const isLate = error instanceof Unavailable && error.reason === 'timeout';
      throw isLate ? callFailure(upstream, 'rate-limited', { cause: error }) : error;
    });
    total.throwIfAborted();
    const startedMs = performance.now();
    const report = (outcome: string): void =>
      onAttempt?.({ upstream, operation, outcome, durationMs: performance.now() - startedMs });
    try {
      const answer = await attemptLimit.execute(({ signal }) => attempt(signal), total);
      report('ok');
      return answer;
    } catch (error) {
      const failure = asFailure(upstream, total.aborted ? total.reason : error);
      report(failure instanceof Unavailable ? failure.reason : 'internal-error');
      if (failure instanceof Unavailable && failure.reason === 'rate-limited') {
        gate?.pause(failure.retryAfterMs ?? limits.backoffFirstMs);
      }
      throw failure;
    }
  };
}

function createRetry(limits: CallLimits): RetryPolicy {
  return retry(
    handleWhen((error) => isTransient(error) && askedWaitMs(error) <= limits.retryAfterMaxMs),
    {
      maxAttempts: limits.retries,
      backoff: new DelegateBackoff(({ attempt, result }) =>
        Math.max(backoffMs(attempt, limits), 'error' in result ? askedWaitMs(result.error) : 0),
      ),
    },
  ).dangerouslyUnref();
}

/** A rate limit is a healthy upstream with a rule: the gate and the pause answer it, the breaker would only add delay. */
function isBreakerFailure(error: unknown): error is Unavailable {
  return isTransient(error) && error.reason !== 'rate-limited';
}

function askedWaitMs(error: unknown): number {
  return error instanceof Unavailable ? (error.retryAfterMs ?? 0) : 0;
}

/** Exponential, with the upper half left to chance so that callers do not come back in step. */
function backoffMs(attempt: number, limits: CallLimits): number {
  const fullMs = Math.min(limits.backoffMaxMs, limits.backoffFirstMs * 2 ** (attempt - 1));
  return fullMs * (0.5 + Math.random() / 2);
}

function anyOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}

function asFailure(upstream: string, error: unknown): Error {
  if (isTaskCancelledError(error)) return callFailure(upstream, 'timeout', { cause: error });
  return error instanceof Error ? error : new Error('Something other than an error was thrown', { cause: error });
}
