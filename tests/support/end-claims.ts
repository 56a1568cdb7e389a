import type { Pool } from 'pg';

/**
 * Everything that a dead process had claimed may be taken over now, not only when its claims end (30 to 60 s). Names of copies
 * hold the number of their process (src/main.ts).
 */
export async function endClaimsOf(pool: Pool, pid: number): Promise<void> {
  const owner = [String(pid)];
  for (const statement of statements) await pool.query(statement, owner);
}

const isDead = (column: string): string => `split_part(${column}, ' ', 2) = $1`;

const statements = [
  // A chat is put off until the claim on its message ends; Telegram takes one message in three seconds of each.
  `with messages as (
    update telegram_messages set claimed_until = clock_timestamp()
    where ${isDead('claimed_by')} and state = 'sending' returning chat_id
  )
  update telegram_chats set next_send_at = clock_timestamp() + interval '3 seconds'
  where chat_id in (select chat_id from messages)`,
];
