import type { z } from 'zod';

/** One kind of work that runs by itself: a queue of its own in the database, worked on by every copy of the product. */
export interface JobDefinition<Payload extends object> {
  /** The queue's name, kebab-case. */
  readonly name: string;
  /** What it is about. Stored as JSON, and read back through this schema. */
  readonly payload: z.ZodType<Payload>;
  /**
   * Jobs of the same key never run at the same time, and at most one of them waits: the payload says no more than the key does.
   * One sent while another runs is run after it. Left out: all of them run, side by side.
   */
  readonly key?: (payload: Payload) => string;
  /** How many run at a time in one copy; 1 when left out. */
  readonly atOnce?: number;
  /** Begins with the start of the product, and again and again. */
  readonly repeats?: { readonly payload: Payload; readonly everyMs: number };
  /** A run that throws is repeated: first after a second, then after twice as long each time, at most after this. */
  readonly longestRetryMs?: number;
  /** For the log when it throws: 'Old rows could not be deleted'. */
  readonly failing: string;
  /**
   * May run twice for the same cause (a copy that dies in the middle): what it writes must bear that. Answers when it wants to run again.
   * `stop`: the product is stopping, or the run has taken too long.
   */
  readonly run: (payload: Payload, stop: AbortSignal) => Promise<RunAgain | void>;
}

interface RunAgain {
  readonly againAt: Date;
}

/** What a sender needs to know. */
export type JobName<Payload extends object> = Pick<JobDefinition<Payload>, 'name' | 'payload' | 'key' | 'repeats'>;
