import { sql, type Kysely } from 'kysely';

import { createServiceStore as createCommonStore } from '../../bot-service/service-store.ts';
import type { TelegramTables } from '../tables.ts';

/** Throws database errors. Times are the database's. */
export function createServiceStore(db: Kysely<TelegramTables>) {
  return {
    ...createCommonStore(db, 'telegram'),

    /** Created once, by whichever copy asks first. */
    webhookSecret: async (fresh: string): Promise<string> => {
      const row = await db
        .updateTable('telegram_service')
        .set({ webhook_secret: sql<string>`coalesce(webhook_secret, ${fresh})` })
        .returning('webhook_secret')
        .executeTakeFirstOrThrow();
      return row.webhook_secret ?? fresh;
    },
  };
}
export type ServiceStore = ReturnType<typeof createServiceStore>;
