export interface Alarm {
  /** Ends the present wait; when nobody waits, the next one ends at once. */
  readonly ring: () => void;
  /** With `isWakeable` false only time ends it: a pause that is meant. */
  wait(forMs: number, isWakeable: boolean): Promise<void>;
}

/** Sleep that something new interrupts, without losing a ring that came a moment too early. */
export function createAlarm(): Alarm {
  let hasRung = false;
  let wakeUp: (() => void) | null = null;
  return {
    ring: () => {
      hasRung = true;
      wakeUp?.();
    },
    wait: async (forMs, isWakeable) => {
      if (!(isWakeable && hasRung)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        if (isWakeable) wakeUp = resolve;
        const timer = setTimeout(resolve, forMs);
        await promise;
        clearTimeout(timer);
        wakeUp = null;
      }
      hasRung = false;
    },
  };
}
