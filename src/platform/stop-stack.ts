export interface StopStack {
  /** What was started last is stopped first. */
  add(name: string, stop: () => Promise<void> | void): void;
  /** Stops everything, whatever fails on the way; a second call waits for the first. */
  stopAll(): Promise<void>;
}

interface StopLog {
  error(details: object, message: string): void;
}

/** Remembers how to undo each step of a start. */
export function createStopStack(log: StopLog): StopStack {
  const steps: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];
  let stopped: Promise<void> | undefined;
  const stopEach = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        log.error({ err: error, part: step.name }, 'A part did not stop cleanly');
      }
    }
  };
  return {
    add: (name, stop) => void steps.push({ name, stop }),
    stopAll: () => (stopped ??= stopEach()),
  };
}
