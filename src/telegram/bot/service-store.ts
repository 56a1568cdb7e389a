import type { Kysely } from 'kysely';

import { createServiceStore as createCommonStore } from '../../bot-service/service-store.ts';
import type { Database } from '../../db/schema.ts';

/** Throws database errors. Times are the database's. */
export const createServiceStore = (db: Kysely<Database>) => ({
  ...createCommonStore(db, 'telegram'),

  /** Created once, by whichever copy asks first. */
  webhookSecret: async (fresh: string): Promise<string> => {
    const row = await db
      .updateTable('telegramService')
      .set((service) => ({ webhookSecret: service.fn.coalesce('webhookSecret', service.val(fresh)) }))
      .returning('webhookSecret')
      .executeTakeFirstOrThrow();
    return row.webhookSecret ?? fresh;
  },
});
export type ServiceStore = ReturnType<typeof createServiceStore>;
