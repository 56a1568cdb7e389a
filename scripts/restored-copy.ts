import type { PoolClient } from 'pg';

/**
 * A restored copy must not post alongside the original, nor post again what that has posted since the backup: both bots are off, what
 * waited to be sent is let go, and when a bot is started, collections begin anew without telling the past. Roles need nothing:
 * each is looked at anew before it is given or taken. What the owner was told stays told. Nobody is signed in, because no session is in
 * a backup.
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
  // Whoever was paid since the backup has heard so already.
  `update discord_members set payout_messages_since = clock_timestamp() where payout_messages_since is not null`,
  // Jobs are in no backup: the owners can be asked for again.
  `update payouts set snapshot_asked_at = null where snapshot_asked_at is not null`,
  // Collections begin anew, so what happened since the backup is read as the past is: from where that stood on.
  `update rock_readings set is_history_complete = false`,
  `update owner_messages set told_at = clock_timestamp() where told_at is null`,
  `update discord_guild_configs set sweep_due_at = clock_timestamp()`,
];

/** In the restore's own transaction, on the newest schema. */
export async function quietenCopy(client: PoolClient): Promise<void> {
  for (const statement of statements) await client.query(statement);
}
