import type { Pool } from 'pg';

/** The order in which the engine locks them. */
const lockedInOrder = ['discord_guild_configs', 'discord_members', 'discord_member_roles', 'discord_guilds'] as const;

/** Moves every time stored by the community-server bot into the past. */
export async function elapseDiscord(pool: Pool, minutes: number): Promise<void> {
  const { rows: columns } = await pool.query<{ table_name: string; names: string[] }>(
    `select table_name, array_agg(column_name::text) as names from information_schema.columns
     where table_name like 'discord\\_%' and data_type = 'timestamp with time zone' group by table_name`,
  );
  const statements = columns.map(
    ({ table_name: table, names }) =>
      `update ${table} set ${names.map((name) => `${name} = ${name} - interval '${minutes} minutes'`).join(', ')};`,
  );
  // In one transaction, with the engine's lock order, so that there is no deadlock.
  const locks = lockedInOrder.map((table) => `lock table ${table} in exclusive mode;`);
  await pool.query(`begin; ${locks.join(' ')} ${statements.join(' ')} commit;`);
}
