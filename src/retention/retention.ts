import { type RawBuilder, sql, type SqlBool } from 'kysely';

/**
 * How long the rows of a table are kept: the one place that says so. Every other table keeps its rows
 * (tests/support/what-stays.ts says why), and the privacy policy tells of it in words (docs/decisions/0022).
 */
export interface RetentionRule {
  readonly days: number;
  /** The column that says how old a row is; the oldest go first. With an index where there may be many rows. */
  readonly oldestBy?: string;
  /** Left out: what is older than its days by `oldestBy`. */
  readonly isDue?: (kept: RawBuilder<Date>) => RawBuilder<SqlBool>;
  /** The capability that deletes the rows, because more goes with them or must not be lost with them. */
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
   * A coin that is held is read again every day; while nothing can be read at all, nothing grows old beside anything else. The past
   * value of a known coin in the ledger is made of them.
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
  /** Since the bot left the server; everything of the server goes with it. */
  discord_guilds: { days: 30, purgedBy: 'discord' },
  /** Roles of members who deleted their data, which Discord did not let the bot take. */
  discord_member_roles: {
    days: 90,
    isDue: (kept) => sql`cause = 'data-deleted' and wanted is not null and changed_at < ${kept}`,
  },
  discord_posts: { days: 90, oldestBy: 'done_at' },
  discord_removal_batches: { days: 90, isDue: (kept) => sql`state <> 'waiting' and decided_at < ${kept}` },
  discord_verifications: { days: 1, oldestBy: 'expires_at' },
  factor_challenges: { days: 0, oldestBy: 'expires_at' },
  /** The chain is then asked again. */
  kiosk_caps: { days: 180, oldestBy: 'learned_at' },
  login_attempts: { days: 0, oldestBy: 'window_ends_at' },
  owner_messages: { days: 30, oldestBy: 'told_at' },
  /** The chain is then asked again. */
  parent_fields: { days: 180, oldestBy: 'learned_at' },
  sessions: { days: 0, oldestBy: 'idle_expires_at' },
  /** Since the bot was put out of the chat, or they were deleted; everything of the chat goes with them. */
  telegram_configurations: { days: 30, purgedBy: 'telegram' },
  telegram_images: { days: 90, oldestBy: 'updated_at' },
  /** Telegram itself keeps an update for a day (Bot API, Getting updates). A running bot deletes handled ones sooner. */
  telegram_inbox: { days: 1, oldestBy: 'received_at' },
  /** Waiting ones stay; replies go after an hour. */
  telegram_messages: { days: 90, purgedBy: 'telegram' },
  telegram_setups: { days: 1, oldestBy: 'expires_at' },
  /** After the tables that refer to it. The ID of a private one is a person's: it goes with the last reply there. */
  telegram_chats: {
    days: 90,
    isDue: (kept) => sql`(removed_at < ${kept} or
      (kind = 'private' and updated_at < statement_timestamp() - interval '1 hour')) and ${noneOfTheChatIn}`,
  },
  /** Value over time by the hour, then by the day: of each day that is wholly over its last point stays for ever. */
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

/** When that which expires now began. Constant within a statement, so that an index on the time can be used. */
export const keptSince = (table: PurgedTable): RawBuilder<Date> =>
  sql<Date>`(statement_timestamp() - ${retention[table].days} * interval '1 day')`;
