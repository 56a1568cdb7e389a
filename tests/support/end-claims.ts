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
  `update tracked_collections set claimed_until = clock_timestamp() where ${isDead('claimed_by')}`,
  `update discord_members set claimed_until = clock_timestamp() where ${isDead('claimed_by')}`,
  `update discord_actions set claimed_until = clock_timestamp() where ${isDead('claimed_by')} and state = 'doing'`,
  `update discord_guild_configs set sweep_claimed_until = clock_timestamp() where ${isDead('sweep_claimed_by')}`,
];
