/**
 * The three ways a call can fail (architecture rule 5). All other outcomes are returned values.
 * `reason` is a stable kebab-case code for logs and answers; `cause` keeps the original error.
 */
abstract class Failure extends Error {
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.name = new.target.name;
  }
}

/** An upstream did not answer, or its answer is unusable: try later, keep the last good value. */
export class Unavailable extends Failure {
  /** The wait that the upstream asked for, in milliseconds; null: it named none. */
  readonly retryAfterMs: number | null;
  /** The upstream's name, as the beginning of a sentence: 'The Sui full node'. null: none in particular. */
  readonly upstream: string | null;

  constructor(
    reason: string,
    message: string,
    cause?: unknown,
    retryAfterMs: number | null = null,
    upstream: string | null = null,
  ) {
    super(reason, message, cause);
    this.retryAfterMs = retryAfterMs;
    this.upstream = upstream;
  }
}

interface RefusedAs {
  /** The HTTP status of the answer; by default the one that goes with the reason. */
  readonly status?: number;
  /** For a 429: when to try again. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The request was understood but is not allowed. */
export class Refused extends Failure {
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(reason: string, message: string, { status, retryAfterMs, cause }: RefusedAs = {}) {
    super(reason, message, cause);
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

/** The input can never be valid. */
export class Invalid extends Failure {}
