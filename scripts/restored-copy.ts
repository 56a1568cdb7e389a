import type { PoolClient } from 'pg';

/**
 * A restored copy must not post alongside the original, nor repeat what the original has posted since the backup: both bots are off,
 * waiting messages are dropped, and when a bot is started, collections begin afresh without reporting the past. Roles need nothing:
 * each is checked again before it is given or taken. Alarms that the owner has received are not sent again. Nobody is signed in,
 * because a backup has no sessions.
 */
const statements: readonly string[] = [
  `update telegram_service set wanted = 'inactive', state = 'inactive'`,
  `update discord_service set wanted = 'inactive', state = 'inactive'`,
  `insert into activity_listeners (name, is_paused) values ('telegram', true), ('discord', true)
    on conflict (name) do update set is_paused = true`,
  `update tracked_collections set seeded_at = null`,
  `update telegram_messages set state = 'dropped', reason = 'restored from a backup'
    where state in ('pending', 'sending')`,
  `update telegram_deliveries set is_held = false where is_held`,
  `delete from telegram_inbox where handled_at is null`,
  `update discord_direct_messages set due_at = null, content = null where due_at is not null`,
  `update discord_posts set state = 'failed', reason = 'Restored from a backup.', done_at = clock_timestamp()
    where state in ('pending', 'sending')`,
  // The original has already messaged members who were paid since the backup.
  `update discord_members set payout_messages_since = clock_timestamp() where payout_messages_since is not null`,
  // A backup has no jobs, so the snapshot's job is gone: an admin can ask for it again.
  `update payouts set snapshot_asked_at = null where snapshot_asked_at is not null`,
  // The numbers of payouts published since the backup are known to the public: they are not given again.
  `select setval('payouts_id_seq', last_value + 100) from payouts_id_seq where is_called`,
  // Collections begin afresh, so events since the backup are read with the past, from where its reading had stopped.
  `update rock_readings set is_history_complete = false`,
  `update owner_messages set told_at = clock_timestamp() where told_at is null`,
  `update discord_guild_configs set sweep_due_at = clock_timestamp()`,
];

/** Runs in the restore's transaction, on the newest schema. */
export async function quietenCopy(client: PoolClient): Promise<void> {
  for (const statement of statements) await client.query(statement);
}
