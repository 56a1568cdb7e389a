import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { transactionOf } from '../../db/open-transaction.ts';
import type { Lease, LeaseTables, Leases } from '../leases.ts';
import { isHolderAlive } from '../living-copy.ts';

export type WantedState = 'active' | 'inactive';
type ToldState = 'inactive' | 'starting' | 'active' | 'failing';

/** Each bot's table of one row has these columns: migrations/0006-telegram.sql, 0011-discord.sql. */
type ServiceTable = 'telegram_service' | 'discord_service';

/** What is stored of the bot: what an admin wants, and what the copy that runs it last said. */
export interface ServiceRow {
  readonly wanted: WantedState;
  readonly state: ToldState;
  readonly since: Date;
  /** Its id at the platform, decimal. */
  readonly botId: string | null;
  readonly username: string | null;
  readonly lastError: { readonly message: string; readonly at: Date } | null;
  /** The copy that runs the bot lives, and has spoken within the last `freshMs`. */
  readonly isFresh: boolean;
}

export interface BotName {
  /** Decimal. */
  readonly id: string;
  readonly username: string;
}

export interface ServiceReport {
  readonly state: ToldState;
  readonly bot?: BotName;
  readonly error?: string;
}

export interface ServiceStore {
  /** Whoever holds it runs the bot. */
  readonly leaseName: string;
  read(): Promise<ServiceRow>;
  /** Answers what was wanted before. */
  want(wanted: WantedState, opened: OpenTransaction): Promise<WantedState>;
  /** Called again and again by the copy that runs the bot. null: it holds the lease no more. */
  tell(report: ServiceReport, lease: Lease): Promise<WantedState | null>;
  /** Forgets which bot it was, if that was another. */
  forgetBotUnless(botId: string, opened: OpenTransaction): Promise<void>;
}

interface StoredService {
  readonly wanted: WantedState;
  readonly state: ToldState;
  readonly state_since: Date;
  readonly bot_id: string | null;
  readonly bot_username: string | null;
  readonly last_error: string | null;
  readonly last_error_at: Date | null;
  readonly is_fresh: boolean;
}

const leaseNames: Readonly<Record<ServiceTable, string>> = {
  telegram_service: 'telegram bot',
  discord_service: 'discord bot',
};

/** A copy speaks every few seconds; after so long a silence it hangs, or its network is gone. */
const freshMs = 10_000;

/** What it said last still holds: with the process ends its connection to the platform, at once. */
const isBotToldFreshly = (tableName: ServiceTable): RawBuilder<boolean> => sql`(
  coalesce(told_at > clock_timestamp() - ${freshMs} * interval '1 millisecond', false)
  and ${isHolderAlive(leaseNames[tableName])})`;

/** Throws what the database throws. Times are the database's. */
export function createServiceStore(
  db: Kysely<LeaseTables>,
  leases: Pick<Leases, 'holds'>,
  tableName: ServiceTable,
): ServiceStore {
  const table = sql.table(tableName);
  return {
    leaseName: leaseNames[tableName],
    read: async () => {
      const { rows } = await sql<StoredService>`
        select wanted, state, state_since, bot_id, bot_username, last_error, last_error_at,
          ${isBotToldFreshly(tableName)} as is_fresh
        from ${table}`.execute(db);
      return serviceRow(onlyRow(rows, tableName));
    },

    want: async (wanted, opened) => {
      const transaction = transactionOf<LeaseTables>(opened);
      const before = sql<{ wanted: WantedState }>`select wanted from ${table} for update`;
      const { rows } = await before.execute(transaction);
      await sql`update ${table} set wanted = ${wanted}`.execute(transaction);
      return onlyRow(rows, tableName).wanted;
    },

    tell: ({ state, bot, error }, lease) =>
      db.transaction().execute(async (transaction) => {
        if (!(await leases.holds(transaction, lease))) return null;
        const { rows } = await sql<{ wanted: WantedState }>`
          update ${table} set
            state_since = case when state = ${state} then state_since else clock_timestamp() end,
            state = ${state},
            told_at = clock_timestamp(),
            bot_id = coalesce(${bot?.id ?? null}, bot_id),
            bot_username = coalesce(${bot?.username ?? null}, bot_username),
            last_error = coalesce(${error ?? null}, last_error),
            last_error_at = case when ${error ?? null}::text is null then last_error_at else clock_timestamp() end
          returning wanted`.execute(transaction);
        return onlyRow(rows, tableName).wanted;
      }),

    forgetBotUnless: async (botId, opened) => {
      await sql`update ${table} set bot_id = null, bot_username = null where bot_id <> ${botId}`.execute(
        transactionOf<LeaseTables>(opened),
      );
    },
  };
}

const serviceRow = (row: StoredService): ServiceRow => ({
  wanted: row.wanted,
  state: row.state,
  since: row.state_since,
  botId: row.bot_id,
  username: row.bot_username,
  lastError:
    row.last_error === null || row.last_error_at === null ? null : { message: row.last_error, at: row.last_error_at },
  isFresh: row.is_fresh,
});

function onlyRow<Row>(rows: readonly Row[], tableName: string): Row {
  const [row] = rows;
  if (row === undefined) throw new Error(`The row of ${tableName} is gone`);
  return row;
}
