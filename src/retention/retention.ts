import { type RawBuilder, sql, type SqlBool } from 'kysely';

/**
 * How long the rows of a table are kept, decided only here. Every other table keeps its rows
 * (tests/support/what-stays.ts says why). The privacy policy says the same in words (docs/decisions/0022).
 */
export interface RetentionRule {
  readonly days: number;
  /** The column that says how old a row is; the oldest go first. Needs an index where there may be many rows. */
  readonly oldestBy?: string;
  /** Left out: rows older than `days` by `oldestBy`. */
  readonly isDue?: (kept: RawBuilder<Date>) => RawBuilder<SqlBool>;
  /** The capability that deletes the rows, because other data is deleted with them or must not be lost with them. */
  readonly purgedBy?: 'market' | 'telegram' | 'discord';
}

const dayOf = (hour: string) => sql`date_trunc('day', ${sql.ref(hour)}, 'UTC')`;

const noneOfTheChatIn = sql.join(
  ['telegram_configurations', 'telegram_messages', 'telegram_deliveries', 'telegram_setups'].map(
    (table) => sql`not exists (select 1 from ${sql.table(table)} kept where kept.chat_id = telegram_chats.chat_id)`,
  ),
  sql` and `,
);

export const retention = {
  activity_events: { days: 90, purgedBy: 'market' },
  /** They name people. */
  audit_entries: { days: 365, oldestBy: 'at' },
  /**
   * A coin that is held is read again every day; while nothing can be read at all, no row falls behind the newest. The ledger
   * computes the past value of known coins from these rows.
   */
  coin_metadata: {
    days: 90,
    isDue: (kept) => sql`read_at < ${kept} and read_at < (
      select max(newest.read_at) - interval '30 days' from coin_metadata newest
      where newest.network = coin_metadata.network) and not exists (
      select 1 from ledger_coins moved where moved.network = coin_metadata.network
        and moved.coin_type = coin_metadata.coin_type and moved.is_known)`,
  },
  discord_authorized_wallets: { days: 30, isDue: (kept) => sql`coalesce(removed_at, expires_at) < ${kept}` },
  discord_direct_messages: { days: 90, oldestBy: 'told_at' },
  /** Counted since the bot left the server; all of the server's data is deleted with the row. */
  discord_guilds: { days: 30, purgedBy: 'discord' },
  /** Roles that Discord did not let the bot take from members who deleted their data. */
  discord_member_roles: {
    days: 90,
    isDue: (kept) => sql`cause = 'data-deleted' and wanted is not null and changed_at < ${kept}`,
  },
  discord_posts: { days: 90, oldestBy: 'done_at' },
  discord_removal_batches: { days: 90, isDue: (kept) => sql`state <> 'waiting' and decided_at < ${kept}` },
  discord_verifications: { days: 1, oldestBy: 'expires_at' },
  factor_challenges: { days: 0, oldestBy: 'expires_at' },
  /** The chain is then read again. */
  kiosk_caps: { days: 180, oldestBy: 'learned_at' },
  login_attempts: { days: 0, oldestBy: 'window_ends_at' },
  owner_messages: { days: 30, oldestBy: 'told_at' },
  /** The chain is then read again. */
  parent_fields: { days: 180, oldestBy: 'learned_at' },
  sessions: { days: 0, oldestBy: 'idle_expires_at' },
  /** Counted since the bot was removed from the chat, or the configuration was deleted; all of the chat's data is deleted with it. */
  telegram_configurations: { days: 30, purgedBy: 'telegram' },
  telegram_images: { days: 90, oldestBy: 'updated_at' },
  /** Telegram itself keeps an update for a day (Bot API, Getting updates). A running bot deletes handled ones sooner. */
  telegram_inbox: { days: 1, oldestBy: 'received_at' },
  /** Waiting messages stay; replies are deleted after an hour. */
  telegram_messages: { days: 90, purgedBy: 'telegram' },
  telegram_setups: { days: 1, oldestBy: 'expires_at' },
  /** Purged after the tables that refer to it. A private chat's ID is a person's: it is deleted with the last reply there. */
  telegram_chats: {
    days: 90,
    isDue: (kept) => sql`(removed_at < ${kept} or
      (kind = 'private' and updated_at < statement_timestamp() - interval '1 hour')) and ${noneOfTheChatIn}`,
  },
  /** Value over time by the hour, then by the day: the last point of each complete day stays for ever. */
  treasury_history: {
    days: 90,
    oldestBy: 'hour',
    isDue: (kept) => sql`hour < date_trunc('day', ${kept}, 'UTC') and exists (
      select 1 from treasury_history later
      where later.network = treasury_history.network and later.treasury_address = treasury_history.treasury_address
        and later.hour > treasury_history.hour and ${dayOf('later.hour')} = ${dayOf('treasury_history.hour')})`,
  },
} as const satisfies Readonly<Record<string, RetentionRule>>;

export type PurgedTable = keyof typeof retention;

/** Rows from before this time expire. Constant within a statement, so that an index on the time can be used. */
export const retainedSince = (table: PurgedTable): RawBuilder<Date> =>
  sql<Date>`(statement_timestamp() - ${retention[table].days} * interval '1 day')`;
