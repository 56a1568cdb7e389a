import { type Kysely, sql } from 'kysely';

import { databaseNow } from '../db/database-time.ts';
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

/** Each bot's table of one row: migrations/0006-telegram.sql, 0011-discord.sql. */
interface ServiceTable {
  readonly wanted: WantedState;
  readonly state: RecordedState;
  readonly state_since: Date;
  readonly bot_id: string | null;
  readonly bot_username: string | null;
  readonly last_error: string | null;
  readonly last_error_at: Date | null;
}
type Tables = Record<`${'telegram' | 'discord'}_service`, ServiceTable>;

/** Throws what the database throws; times are the database's. */
export function createServiceStore<Any>(db: Kysely<Any>, bot: 'telegram' | 'discord') {
  const table = `${bot}_service` as const;
  const lockName = lockNameOf(bot);
  // The two bots' handles read columns by different names.
  const plain = (db as unknown as Kysely<Tables>).withoutPlugins();
  const plainIn = (opened: OpenTransaction) => transactionOf<Tables>(opened).withoutPlugins();
  return {
    /** The copy that holds it runs the bot. */
    lockName,
    read: async (): Promise<ServiceRow> => {
      const row = await plain
        .selectFrom(table)
        .selectAll()
        .select(sql.raw<boolean>(isSessionLockHeld(lockName)).as('is_held'))
        .executeTakeFirstOrThrow();
      const { last_error: message, last_error_at: at } = row;
      return {
        wanted: row.wanted,
        state: row.state,
        since: row.state_since,
        botId: row.bot_id,
        username: row.bot_username,
        lastError: message === null || at === null ? null : { message, at },
        isHeld: row.is_held,
      };
    },
    /** Returns what was wanted before. */
    want: async (wanted: WantedState, opened: OpenTransaction): Promise<WantedState> => {
      const before = await plainIn(opened).selectFrom(table).select('wanted').forUpdate().executeTakeFirstOrThrow();
      await plainIn(opened).updateTable(table).set({ wanted }).execute();
      return before.wanted;
    },
    /** By the copy that has the lock. */
    record: async ({ state, bot: name, error }: ServiceReport): Promise<void> => {
      await plain
        .updateTable(table)
        .set((eb) => ({
          state,
          state_since: eb.case().when('state', '=', state).then(eb.ref('state_since')).else(databaseNow).end(),
          ...(name !== undefined && { bot_id: name.id, bot_username: name.username }),
          ...(error !== undefined && { last_error: error, last_error_at: databaseNow }),
        }))
        .execute();
    },
    /** Forgets which bot it was, if that was another. */
    forgetBotUnless: async (botId: string, opened: OpenTransaction): Promise<void> => {
      const forgotten = { bot_id: null, bot_username: null };
      await plainIn(opened).updateTable(table).set(forgotten).where('bot_id', '<>', botId).execute();
    },
  };
}

const lockNameOf = (bot: 'telegram' | 'discord'): string => `${bot} bot`;

/** For the operator's figures: 1 while it runs, 0 while it is wanted and does not. */
export const runningFigure = (bot: 'telegram' | 'discord'): string =>
  `select case when state = 'active' and ${isSessionLockHeld(lockNameOf(bot))} then 1 else 0 end
    from ${bot}_service where wanted = 'active'`;

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
