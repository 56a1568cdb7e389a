import { databaseOutage } from '../db/outage.ts';

/** Logs once that a repeated action fails, and once that it works again. */
export interface OutageNote {
  readonly failed: (error: unknown) => void;
  readonly done: () => void;
}

export interface OutageLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** `sentence` has no full stop: 'Recaps could not be made'. A failure of another kind than the one before is logged. */
export function createOutageNote(log: OutageLog, sentence: string): OutageNote {
  let reported: string | null = null;
  return {
    failed: (error) => {
      // An outage shows as different errors in turn: refused, terminated, timed out.
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
