import type { Kysely } from 'kysely';

import type { Logger } from '../../platform/logger.ts';
import { createRepeatedLook, type RepeatedLook } from '../../platform/repeated-look.ts';
import { purgeHistory, purgeNext, type PurgePorts } from '../adapters/purge-store.ts';
import type { TelegramTables } from '../adapters/tables.ts';
import type { Clock } from '../ports.ts';

export interface PurgeOptions extends PurgePorts {
  readonly db: Kysely<TelegramTables>;
  readonly clock: Clock;
  readonly log: Logger;
}

const lookEveryMs = 10 * 60_000;
const historyRowsMax = 5_000;

/** Specification 9: configurations are kept 30 days after the bot was put out, or after their deletion (rulings R6). */
export function createPurge(options: PurgeOptions): RepeatedLook {
  const { db, clock, log } = options;
  return createRepeatedLook({
    clock,
    everyMs: lookEveryMs,
    look: async (stop) => {
      while (!stop.aborted && (await purgeNext(db, options)));
      while (!stop.aborted && (await purgeHistory(db, historyRowsMax)) === historyRowsMax);
    },
    onFailure: (error) => log.warn({ err: error }, 'What is over 30 days old could not be purged; trying again'),
  });
}
