import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { inTime } from '../../process/in-time.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { SendGate } from './gate.ts';
import type { SendLimits } from './limits.ts';
import type { Settling } from './settling.ts';
import type { Transport } from './transport.ts';

/** What cards and replies are sent with. */
export interface SendingParts extends TaskTimes {
  readonly db: Kysely<Database>;
  readonly transport: Transport;
  readonly pictures: Pick<Pictures, 'fetch' | 'drop'>;
  readonly limits: SendLimits;
  readonly gate: SendGate;
  readonly settling: Settling;
}

export interface TaskTimes {
  /** Timeout for an answer: after it the message is in doubt. */
  readonly answerWithinMs: number;
  /** The shorter timeout while stopping. The whole product stops within 4.8 s. */
  readonly stopWithinMs: number;
}

/** For the last writes to the database. It may be down: the next sender finds unfinished messages in doubt. */
const writeWithinMs = 300;

/** Running tasks and their shutdown: first no new tasks, then no more waiting for answers, then no more writes. */
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
    /** Aborts the wait for one answer. */
    answerBy: (): AbortSignal => AbortSignal.any([AbortSignal.timeout(answerWithinMs), cut.signal]),
    end: async (): Promise<void> => {
      stopping.abort(new Error('Sending stopped'));
      const ended = Promise.all(running);
      await inTime(ended, stopWithinMs, () => cut.abort());
      await inTime(ended, writeWithinMs, () => {});
      abandoned.abort();
    },
  };
}
export type Tasks = ReturnType<typeof createTasks>;
