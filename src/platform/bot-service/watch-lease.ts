interface LeasePace {
  readonly leaseMs: number;
  /** Also how long before the lease's end its holder must begin to let go. */
  readonly heartbeatMs: number;
}

interface LeaseWatch {
  /** `askedAtMs` by `performance.now`: the lease runs from some moment after the asking, whenever the answer came. */
  renewed(askedAtMs: number): void;
  stop(): void;
}

/**
 * Calls `onEnd` before the lease can be another copy's, unless it is renewed meanwhile: a database that takes the question and
 * keeps silent says neither yes nor no.
 */
export function watchLease({ leaseMs, heartbeatMs }: LeasePace, askedAtMs: number, onEnd: () => void): LeaseWatch {
  let isOver = false;
  const endOf = (atMs: number) => setTimeout(onEnd, leaseMs - heartbeatMs - (performance.now() - atMs));
  let timer = endOf(askedAtMs);
  return {
    renewed: (atMs) => {
      if (isOver) return;
      clearTimeout(timer);
      timer = endOf(atMs);
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
