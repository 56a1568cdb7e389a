import type { Kysely } from 'kysely';

import type { Logger } from '../../platform/logger.ts';
import { purgeHistory, purgeNext, type PurgePorts } from '../adapters/purge-store.ts';
import type { TelegramTables } from '../adapters/tables.ts';
import type { Clock } from '../ports.ts';

export interface Purge {
  start(): void;
  stop(): Promise<void>;
}

export interface PurgeOptions extends PurgePorts {
  readonly db: Kysely<TelegramTables>;
  readonly clock: Clock;
  readonly log: Logger;
}

const lookEveryMs = 10 * 60_000;
const historyRowsMax = 5_000;

/** Specification 9: configurations are kept 30 days after the bot was put out, or after their deletion (rulings R6). */
export function createPurge(options: PurgeOptions): Purge {
  const { clock, log } = options;
  let isRunning = false;
  let cancel: (() => void) | null = null;
  let looking: Promise<void> = Promise.resolve();
  const purgeAll = async (): Promise<void> => {
    while (isRunning && (await purgeNext(options.db, options)));
    while (isRunning && (await purgeHistory(options.db, historyRowsMax)) === historyRowsMax);
  };
  const look = (): void => {
    looking = purgeAll()
      .catch((error: unknown) => log.warn({ err: error }, 'What is over 30 days old could not be purged; trying again'))
      .then(() => {
        if (isRunning) cancel = clock.after(lookEveryMs, look);
      });
  };
  return {
    start: () => {
      if (isRunning) return;
      isRunning = true;
      look();
    },
    stop: async () => {
      isRunning = false;
      cancel?.();
      await looking;
    },
  };
}
