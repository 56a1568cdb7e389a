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

/** Lets three hours pass, half an hour at a time, then half a minute: on a slow machine no day goes by before what is due is done. */
export function nightPasses(clock: Pick<ManualClock, 'advance'>): () => void {
  let halfHours = 6;
  return () => {
    clock.advance(halfHours > 0 ? 1_800_000 : 30_000);
    halfHours -= 1;
  };
}
