/** Time as a capability sees it; tests move it by hand. */
export interface Clock {
  now(): Date;
  /** Runs once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/**
 * Ends a call early: its reader is gone, or the product stops. Always an AbortSignal, which pure code cannot name (no DOM, no
 * Node); methods may therefore declare the parameter as one.
 */
export interface StopSignal {
  readonly aborted: boolean;
}
