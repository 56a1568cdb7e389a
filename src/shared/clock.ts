/** The current time and timers; tests move them by hand. */
export interface Clock {
  now(): Date;
  /** Runs once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/**
 * Ends a call early: its caller is gone, or the product stops. Always an AbortSignal, which pure code cannot name (no DOM, no
 * Node), so methods may declare the parameter as one.
 */
export interface StopSignal {
  readonly aborted: boolean;
}
