import { sql } from 'kysely';
import type { Kysely } from 'kysely';

import type { Lease, LeaseTables, Leases } from '../../platform/leases.ts';
import { transactionOf } from '../../platform/database/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { TelegramTables } from './tables.ts';

export type WantedState = 'active' | 'inactive';
type ToldState = 'inactive' | 'starting' | 'active' | 'failing';

/** What is stored of the bot: what an admin wants, and what the copy that runs it last said. */
export interface ServiceRow {
  readonly wanted: WantedState;
  readonly state: ToldState;
  readonly since: Date;
  readonly username: string | null;
  readonly lastError: { readonly message: string; readonly at: Date } | null;
  /** The copy that runs the bot has spoken within the last `freshMs`. */
  readonly isFresh: boolean;
}

export interface ServiceReport {
  readonly state: ToldState;
  readonly bot?: { readonly id: number; readonly username: string };
  readonly error?: string;
}

/** A copy speaks every few seconds; after so long a silence nobody runs the bot. */
const freshMs = 10_000;

/** Throws what the database throws. Times are the database's. */
export function createServiceStore(db: Kysely<TelegramTables & LeaseTables>, leases: Leases) {
  return {
    read: async (): Promise<ServiceRow> => {
      const row = await db
        .selectFrom('telegram_service')
        .selectAll()
        .select(
          sql<boolean>`coalesce(told_at > clock_timestamp() - ${freshMs} * interval '1 millisecond', false)`.as(
            'is_fresh',
          ),
        )
        .executeTakeFirstOrThrow();
      const { last_error: message, last_error_at: at } = row;
      return {
        wanted: row.wanted,
        state: row.state,
        since: row.state_since,
        username: row.bot_username,
        lastError: message === null || at === null ? null : { message, at },
        isFresh: row.is_fresh,
      };
    },

    /** Answers what was wanted before. */
    want: async (wanted: WantedState, opened: OpenTransaction): Promise<WantedState> => {
      const transaction = transactionOf<TelegramTables>(opened);
      const before = await transaction
        .selectFrom('telegram_service')
        .select('wanted')
        .forUpdate()
        .executeTakeFirstOrThrow();
      await transaction.updateTable('telegram_service').set({ wanted }).execute();
      return before.wanted;
    },

    /** Called again and again by the copy that runs the bot. null: it holds the lease no more. */
    tell: (report: ServiceReport, lease: Lease): Promise<WantedState | null> =>
      db.transaction().execute(async (transaction) => {
        if (!(await leases.holds(transaction as unknown as Kysely<LeaseTables>, lease))) return null;
        const { wanted } = await transaction
          .updateTable('telegram_service')
          .set({
            state: report.state,
            state_since: sql`case when state = ${report.state} then state_since else clock_timestamp() end`,
            told_at: sql`clock_timestamp()`,
            ...(report.bot && { bot_id: report.bot.id, bot_username: report.bot.username }),
            ...(report.error !== undefined && { last_error: report.error, last_error_at: sql`clock_timestamp()` }),
          })
          .returning('wanted')
          .executeTakeFirstOrThrow();
        return wanted;
      }),

    /** Made once, by whichever copy asks first. */
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
