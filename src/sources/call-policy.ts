import { Unavailable } from '../shared/failure.ts';
import { callFailure, isTransient } from './bounded-fetch.ts';
import type { RateGate } from './rate-gate.ts';
import { pause, withDeadline } from '../process/in-time.ts';

/** One attempt as metrics see it. `outcome`: `ok` or the reason of the failure. */
export interface AttemptReport {
  readonly upstream: string;
  readonly operation: string;
  readonly outcome: string;
  readonly durationMs: number;
}

export interface CallLimits {
  readonly attemptTimeoutMs: number;
  /** All attempts and every wait between them and at the gate. */
  readonly totalTimeoutMs: number;
  readonly retries: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** A longer `retry-after` is not waited for: the call fails at once and says so. */
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
  readonly gate?: RateGate;
  readonly onAttempt?: (report: AttemptReport) => void;
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

/** The gate, the time limit of each attempt, retries of what may pass, and a deadline around them all. */
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
          const askedWaitMs = error.retryAfterMs ?? 0;
          if (askedWaitMs > limits.retryAfterMaxMs) throw error;
          lastFailure = error;
          await pause(Math.max(backoffMs(retry, limits), askedWaitMs), total);
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

/** Reports how it went, and a rate limit to the gate. */
async function attemptOnce<T>(
  { upstream, gate, onAttempt }: CallPolicyOptions,
  limits: CallLimits,
  operation: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  total: AbortSignal,
): Promise<T> {
  await gate?.take(total);
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
      gate?.pause(error.retryAfterMs ?? limits.backoffFirstMs);
    }
    throw error;
  }
}

/** Exponential, with the upper half left to chance so that callers do not come back in step. */
function backoffMs(attempt: number, limits: CallLimits): number {
  const fullMs = Math.min(limits.backoffMaxMs, limits.backoffFirstMs * 2 ** (attempt - 1));
  return fullMs * (0.5 + Math.random() / 2);
}
