/**
 * What is kept how long, of every table: the one place that says so. The capabilities' purges take their days from here, the privacy
 * policy tells of it in words, and `tests/server/what-is-kept.test.ts` fails for a table without a rule (docs/decisions/0022).
 */
type RetentionRule =
  /** Rows go so many days after `after`; `unless` names what stays although it is old. */
  | { readonly days: number; readonly after: string; readonly unless?: string }
  /** Rows stay; why their number does not grow with time. */
  | { readonly stays: string };

export const retention = {
  activity_events: {
    days: 90,
    after: 'they became known',
    unless:
      'a message about them still waits, it is the latest sale of its collection, or it is of the last day before the newest event: that day is read again',
  },
  audit_entries: { days: 365, after: 'they were written' },
  coin_metadata: {
    days: 90,
    after: 'the treasury last held the coin',
    unless: 'the ledger has movements of a known coin: its past value is made of them',
  },
  collection_facts: { days: 90, after: 'anybody last asked for the collection' },
  discord_authorized_wallets: { days: 30, after: 'they expired or were taken from the list' },
  discord_guilds: { days: 30, after: 'the bot left the server; everything of the server goes with it' },
  discord_direct_messages: { days: 90, after: 'the member was told; sooner, when they delete their data' },
  discord_member_roles: {
    days: 90,
    after: 'a member deleted their data and Discord did not let the bot take the role',
    unless: 'the member is still here: their rows go once the bot has taken the role, or with the server',
  },
  discord_posts: { days: 90, after: 'they were posted or failed' },
  discord_removal_batches: { days: 90, after: 'somebody decided them' },
  discord_verifications: { days: 1, after: 'the link ended' },
  factor_challenges: { days: 0, after: 'their five minutes ended' },
  kiosk_caps: { days: 180, after: 'they were learned of the chain, which is then asked again' },
  login_attempts: { days: 0, after: 'their window ended' },
  owner_messages: { days: 30, after: 'they were sent' },
  parent_fields: { days: 180, after: 'they were learned of the chain, which is then asked again' },
  sessions: { days: 0, after: 'they ended' },
  telegram_chats: {
    days: 90,
    after: 'the bot was put out, or a private chat was last renamed',
    unless: 'something of the chat is kept',
  },
  telegram_configurations: { days: 30, after: 'the bot was put out of the chat, or they were deleted' },
  telegram_images: { days: 90, after: 'the picture was uploaded or could not be had' },
  telegram_inbox: { days: 1, after: 'they arrived' },
  telegram_messages: { days: 90, after: 'they were written; replies go after an hour', unless: 'they still wait' },
  telegram_setups: { days: 1, after: 'the question ended' },
  treasury_history: { days: 90, after: 'the hour; then one point of each day stays for ever' },

  activity_backlogs: { stays: 'one row for a collection and a bot that is off' },
  activity_listeners: { stays: 'one row for each bot' },
  collection_watches: { stays: 'goes with the configuration that watches' },
  discord_guild_configs: { stays: 'goes with its server' },
  discord_members: { stays: 'until the member deletes it; goes with its server' },
  discord_service: { stays: 'one row' },
  discord_wallets: { stays: 'until the member unlinks it; goes with its server' },
  ledger_changes: { stays: 'the ledger of the treasury, for ever' },
  ledger_coins: { stays: 'one row for each coin that the treasury ever had' },
  ledger_day_prices: { stays: 'one row for each day on which the treasury held the coin' },
  ledger_entries: { stays: 'the ledger of the treasury, for ever' },
  ledger_nfts: { stays: 'the ledger of the treasury, for ever' },
  ledger_readings: { stays: 'one row for the treasury' },
  ledger_recipients: { stays: 'the ledger of the treasury, for ever' },
  owner_alarms: { stays: 'one row for each alarm' },
  owner_names: { stays: 'one row for each address that owns a rock now' },
  payout_announcements: { stays: 'two rows for each payout and place at most' },
  payout_transactions: { stays: 'what was handed out to pay payouts, for ever' },
  payouts: { stays: 'every payout, for ever; drafts until they are deleted' },
  purge_runs: { stays: 'one row for each table' },
  recovery_codes: { stays: 'until it is used, or the last second factor of its account is removed' },
  rock_events: { stays: 'the history of the own rocks, for ever' },
  rock_readings: { stays: 'one row for the own collection' },
  rocks: { stays: 'one row for each rock' },
  second_factors: { stays: 'until its owner or an admin removes it; goes with its account' },
  schema_migrations: { stays: 'one row for each migration' },
  telegram_deliveries: { stays: 'goes with its event, which it keeps from going out twice' },
  telegram_service: { stays: 'one row' },
  tracked_collections: { stays: 'one row for each collection that somebody ever chose' },
  treasury_statements: { stays: 'the statement of each month of the treasury, for ever' },
  treasury_ledger_names: { stays: 'until the team takes the name back; one row for each address that it named' },
  treasury_ledger_notes: { stays: 'until the team deletes the note; one row for each movement at most' },
  treasury_last_good: { stays: 'one row for each treasury' },
  users: { stays: 'until the account is removed' },
} as const satisfies Readonly<Record<string, RetentionRule>>;

type Rules = typeof retention;
export type PurgedTable = {
  [Table in keyof Rules]: Rules[Table] extends { days: number } ? Table : never;
}[keyof Rules];
