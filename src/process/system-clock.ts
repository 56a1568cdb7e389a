/** The real time, as capabilities ask for it. */
export const systemClock = {
  now: (): Date => new Date(),
  /** Runs once after `delayMs`; the answer cancels it. */
  after: (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
