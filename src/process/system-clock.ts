import { later } from './in-time.ts';

/** The real time, as capabilities ask for it. */
export const systemClock = {
  now: (): Date => new Date(),
  /** Runs once after `delayMs`; the answer cancels it. */
  after: later,
};
