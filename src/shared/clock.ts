/** Time as a capability sees it; tests move it by hand. */
export interface Clock {
  now(): Date;
  /** Runs once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}
