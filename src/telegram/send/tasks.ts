import { once } from 'node:events';

export interface TaskTimes {
  /** Longer than that an answer cannot be waited for: it is in doubt. */
  readonly answerWithinMs: number;
  /** Less when everything ends. The whole product stops within 4.8 s. */
  readonly stopWithinMs: number;
}

/** For the last words to the database. */
const writeWithinMs = 300;

/** What is under way, and how it ends: nothing new begins, then no answer is waited for any more, then nothing is written down. */
export function createTasks({ answerWithinMs, stopWithinMs }: TaskTimes) {
  const running = new Set<Promise<void>>();
  const [stopping, cut, abandoned] = [new AbortController(), new AbortController(), new AbortController()];
  return {
    stopping: stopping.signal,
    abandoned: abandoned.signal,
    count: () => running.size,
    /** `work` never throws. */
    add: (work: () => Promise<void>): void => {
      const task: Promise<void> = work().finally(() => running.delete(task));
      running.add(task);
    },
    /** Ends the wait for one answer. */
    answerBy: (): AbortSignal => AbortSignal.any([AbortSignal.timeout(answerWithinMs), cut.signal]),
    end: async (): Promise<void> => {
      stopping.abort(new Error('Sending stopped'));
      const timers = [
        setTimeout(() => cut.abort(), stopWithinMs),
        setTimeout(() => abandoned.abort(), stopWithinMs + writeWithinMs),
      ];
      // The database may be away: what is on its way is then found in doubt by whoever sends next.
      await Promise.race([Promise.all(running), once(abandoned.signal, 'abort')]);
      for (const timer of timers) clearTimeout(timer);
      abandoned.abort();
    },
  };
}
export type Tasks = ReturnType<typeof createTasks>;
