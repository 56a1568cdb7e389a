import { numberFrom } from '../world/derived-ids.ts';

/** Discord counts milliseconds from the first second of 2015. */
const epochMs = 1_420_070_400_000;
/** Time of the seeded ids: the same on every start, whatever the clock says. */
const seededAtMs = 1_704_067_200_000;
const perMillisecond = 1024;

export type Snowflakes = {
  next: () => string;
  /** Ids taken during `seed` are the same on every start. */
  whileSeeding: <T>(seed: () => T) => T;
};

/**
 * Deterministic: the same clock and mark give the same ids, each later than the one before. Like a real id, each contains
 * its time; twelve of its lower bits are the run's mark, so that two runs on one clock share no id.
 */
export function createSnowflakes(now: () => Date, runMark = ''): Snowflakes {
  const mark = runMark === '' ? 0 : 1 + (numberFrom(`discord@${runMark}`) % 4095);
  let seedingCount: number | null = null;
  let lastMs = 0;
  let count = 0;
  const compose = (atMs: number, ofRun: number, index: number): string =>
    String((BigInt(atMs - epochMs) << 22n) | (BigInt(ofRun) << 10n) | BigInt(index));
  return {
    next: () => {
      if (seedingCount !== null) {
        seedingCount += 1;
        return compose(seededAtMs + seedingCount * 60_000, 0, seedingCount);
      }
      const atMs = Math.max(now().getTime(), lastMs);
      count = atMs === lastMs ? count + 1 : 0;
      lastMs = count < perMillisecond ? atMs : atMs + 1;
      if (count >= perMillisecond) count = 0;
      return compose(lastMs, mark, count);
    },
    whileSeeding: (seed) => {
      seedingCount = 0;
      try {
        return seed();
      } finally {
        seedingCount = null;
      }
    },
  };
}
