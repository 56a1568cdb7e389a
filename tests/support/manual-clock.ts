/** Time that moves only when a test says so. */
export interface ManualClock {
  now(): Date;
  after(delayMs: number, run: () => void): () => void;
  /** Moves on and runs what is due on the way, in order, at its own time. */
  advance(ms: number): void;
}

export function createManualClock(startsAt = new Date('2026-11-20T12:00:00.000Z')): ManualClock {
  let nowMs = startsAt.getTime();
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();

  const nextDue = (untilMs: number) =>
    [...timers].filter((timer) => timer.atMs <= untilMs).sort((left, right) => left.atMs - right.atMs)[0];

  return {
    now: () => new Date(nowMs),
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      const untilMs = nowMs + ms;
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.atMs);
        timer.run();
      }
      nowMs = untilMs;
    },
  };
}
