import { type QueryExecutorProvider, sql } from 'kysely';

import { isSessionLockHeld } from '../db/session-lock.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';
import { transactionOf } from '../db/open-transaction.ts';

export type WantedState = 'active' | 'inactive';
type RecordedState = 'inactive' | 'starting' | 'active' | 'failing';
type State = RecordedState | 'not-configured';

/** What is stored of the bot: what an admin wants, and what the copy that runs it last recorded. */
export interface ServiceRow {
  readonly wanted: WantedState;
  readonly state: RecordedState;
  readonly since: Date;
  /** Its id at the platform, decimal. */
  readonly botId: string | null;
  readonly username: string | null;
  readonly lastError: { readonly message: string; readonly at: Date } | null;
  /** A copy has the lock: what is recorded is true. */
  readonly isHeld: boolean;
}

export interface BotName {
  /** Decimal. */
  readonly id: string;
  readonly username: string;
}

export interface ServiceReport {
  readonly state: RecordedState;
  readonly bot?: BotName;
  readonly error?: string;
}

export type ServiceStore = ReturnType<typeof createServiceStore>;

/** One word each: Kysely with and without its camelCase plugin reads the same. */
interface StoredService {
  readonly wanted: WantedState;
  readonly state: RecordedState;
  readonly since: Date;
  readonly id: string | null;
  readonly username: string | null;
  readonly message: string | null;
  readonly at: Date | null;
  readonly held: boolean;
}

/** Of each bot's table of one row: migrations/0006-telegram.sql, 0011-discord.sql. Throws what the database throws; times are the database's. */
export function createServiceStore(db: QueryExecutorProvider, bot: 'telegram' | 'discord') {
  const table = sql.table(`${bot}_service`);
  const lockName = lockNameOf(bot);
  return {
    /** The copy that holds it runs the bot. */
    lockName,
    read: async (): Promise<ServiceRow> => {
      const { rows } = await sql<StoredService>`
        select wanted, state, state_since as since, bot_id as id, bot_username as username,
          last_error as message, last_error_at as at, ${sql.raw(isSessionLockHeld(lockName))} as held
        from ${table}`.execute(db);
      const { id, message, at, held, ...row } = onlyRow(rows);
      const lastError = message === null || at === null ? null : { message, at };
      return { ...row, botId: id, lastError, isHeld: held };
    },
    /** Returns what was wanted before. */
    want: async (wanted: WantedState, opened: OpenTransaction): Promise<WantedState> => {
      const transaction = transactionOf<object>(opened);
      const before = sql<{ wanted: WantedState }>`select wanted from ${table} for update`;
      const { rows } = await before.execute(transaction);
      await sql`update ${table} set wanted = ${wanted}`.execute(transaction);
      return onlyRow(rows).wanted;
    },
    /** By the copy that has the lock. */
    record: async ({ state, bot: name, error: said }: ServiceReport): Promise<void> => {
      const error = said ?? null;
      await sql`
        update ${table} set
          state_since = case when state = ${state} then state_since else clock_timestamp() end,
          state = ${state},
          bot_id = coalesce(${name?.id ?? null}, bot_id),
          bot_username = coalesce(${name?.username ?? null}, bot_username),
          last_error = coalesce(${error}, last_error),
          last_error_at = case when ${error}::text is null then last_error_at else clock_timestamp() end`.execute(db);
    },
    /** Forgets which bot it was, if that was another. */
    forgetBotUnless: async (botId: string, opened: OpenTransaction): Promise<void> => {
      await sql`update ${table} set bot_id = null, bot_username = null where bot_id <> ${botId}`.execute(
        transactionOf<object>(opened),
      );
    },
  };
}

const lockNameOf = (bot: 'telegram' | 'discord'): string => `${bot} bot`;

/** For the operator's figures: 1 while it runs, 0 while it is wanted and does not. */
export const runningFigure = (bot: 'telegram' | 'discord'): string =>
  `select case when state = 'active' and ${isSessionLockHeld(lockNameOf(bot))} then 1 else 0 end
    from ${bot}_service where wanted = 'active'`;

function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("The row of the bot's table is gone");
  return row;
}

/** The real state of the bot. While no copy has the lock it is on its way back, or off, regardless of what was recorded last. */
function realState(row: ServiceRow, hasToken: boolean): { readonly state: State; readonly since: Date | null } {
  if (!hasToken) return { state: 'not-configured', since: null };
  if (row.isHeld) return { state: row.state, since: row.since };
  return row.wanted === 'active' ? { state: 'starting', since: null } : { state: 'inactive', since: row.since };
}

/** The bot is what was asked for, or it is known that it cannot be. */
export function isSettled(row: ServiceRow, hasToken: boolean, wanted: WantedState): boolean {
  const { state } = realState(row, hasToken);
  return wanted === 'active'
    ? state === 'active' || state === 'failing'
    : state === 'inactive' || state === 'not-configured';
}

/** What the admin area shows of a bot, the same from every copy. Times are ISO texts. */
export interface ServiceStatus {
  readonly state: State;
  readonly wanted: WantedState;
  readonly username: string | null;
  readonly since: string | null;
  readonly lastError: { readonly message: string; readonly at: string } | null;
}

export function describeService(row: ServiceRow, hasToken: boolean): ServiceStatus {
  const { state, since } = realState(row, hasToken);
  return {
    state,
    wanted: row.wanted,
    username: hasToken ? row.username : null,
    since: since?.toISOString() ?? null,
    lastError: row.lastError === null ? null : { message: row.lastError.message, at: row.lastError.at.toISOString() },
  };
}
