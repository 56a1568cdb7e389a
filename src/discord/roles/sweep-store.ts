import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

/** What a sweep found, as it is stored. */
export interface SweepRow {
  readonly checked: number;
  readonly holding: number;
  readonly notHolding: number;
  readonly unknown: number;
  readonly durationMs: number;
  /** A stable code, when it ended early. */
  readonly failure: string | null;
  /** Since when it ends early (ISO): the longer, the longer the pause. */
  readonly failingSince?: string | null;
}

type Db = Kysely<Database>;

/** A server whose members are to be checked. */
export interface DueSweep {
  readonly guildId: string;
  /** As the database writes it: another value means that the server was reconfigured. */
  readonly dueAt: string;
}

/** Servers of that NFT type, if one is due; those due within `aheadMs` are included. Only while the bot is switched on. */
export async function readDueSweeps(db: Db, nftType: string, aheadMs: number): Promise<readonly DueSweep[]> {
  const { rows } = await sql<DueSweep & { isDue: boolean }>`
    select c.guild_id, c.sweep_due_at::text as due_at, c.sweep_due_at <= statement_timestamp() as is_due
    from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
    where c.nft_contract = ${nftType} and g.left_at is null
      and c.sweep_due_at <= statement_timestamp() + ${aheadMs} * interval '1 millisecond'
      and exists (select 1 from discord_service where wanted = 'active')
    order by c.guild_id`.execute(db);
  return rows.some(({ isDue }) => isDue) ? rows : [];
}

/** A sweep is running or due: members need not be read on their own. */
export async function isSweepDue(db: Db, guildId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from discord_guild_configs where guild_id = ${guildId} and sweep_due_at <= clock_timestamp()`.execute(db);
  return rows.length > 0;
}

/** Every wallet linked in these servers, once. */
export async function walletsOfGuilds(
  db: Db,
  guildIds: readonly string[],
): Promise<{ readonly wallets: readonly string[]; readonly now: Date }> {
  const { rows } = await sql<{ wallets: string[] | null; now: Date }>`
    select clock_timestamp() as now, (
      select array_agg(distinct w.wallet) from discord_wallets w
        join discord_members m on m.guild_id = w.guild_id and m.user_id = w.user_id
      where w.guild_id = any(${[...guildIds]}) and m.is_in_guild) as wallets`.execute(db);
  const [row] = rows;
  return { wallets: row?.wallets ?? [], now: row?.now ?? new Date() };
}

export interface HeldSweep {
  readonly nftContract: string;
  readonly lastSweep: SweepRow | null;
}

/** null: the server was reconfigured meanwhile. */
export async function holdSweep(trx: Db, { guildId, dueAt }: DueSweep): Promise<HeldSweep | null> {
  const row = await trx
    .selectFrom('discordGuildConfigs')
    .select(['nftContract', 'lastSweep'])
    .where('guildId', '=', guildId)
    .where(sql<boolean>`sweep_due_at = ${dueAt}::timestamptz`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { nftContract: row.nftContract, lastSweep: row.lastSweep as SweepRow | null };
}

/** The next sweep begins after `dueInMs`. */
export async function endSweep(trx: Db, guildId: string, found: SweepRow, dueInMs: number): Promise<void> {
  await sql`
    update discord_guild_configs set last_sweep = ${JSON.stringify(found)}::jsonb, last_sweep_at = clock_timestamp(),
      sweep_due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond'
    where guild_id = ${guildId}`.execute(trx);
}

export async function putOffSweep(db: Db, guildIds: readonly string[], dueInMs: number): Promise<void> {
  await sql`
    update discord_guild_configs set sweep_due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond'
    where guild_id = any(${[...guildIds]})`.execute(db);
}

/** The server's next sweep begins at once; one that is running no longer counts. */
export async function makeSweepDue(trx: Db, guildId: string): Promise<void> {
  await sql`update discord_guild_configs set sweep_due_at = clock_timestamp() where guild_id = ${guildId}`.execute(trx);
}
