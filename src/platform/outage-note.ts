import { databaseOutage } from '../db/outage.ts';

/** Tells of something that is done again and again that it fails, once, and once that it does no more. */
export interface OutageNote {
  readonly failed: (error: unknown) => void;
  readonly done: () => void;
}

export interface OutageLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** `sentence` has no full stop: 'Recaps could not be made'. A failure of another kind than the one before is news. */
export function createOutageNote(log: OutageLog, sentence: string): OutageNote {
  let reported: string | null = null;
  return {
    failed: (error) => {
      // An outage has many words, one after the other: refused, terminated, timed out.
      const kind = databaseOutage(error) === null ? String(error) : 'database';
      if (kind !== reported) log.warn({ err: error }, `${sentence}; trying again`);
      reported = kind;
    },
    done: () => {
      if (reported !== null) log.info({}, `${sentence} for a while; it works again`);
      reported = null;
    },
  };
}
