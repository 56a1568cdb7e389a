import { type Kysely, sql } from 'kysely';

import type { DiscordTables, SweepRow } from './tables.ts';

type Db = Kysely<DiscordTables>;

/** Servers of one NFT type that are swept together, from one owner table. */
export interface ClaimedSweep {
  readonly nftType: string;
  readonly guildIds: readonly string[];
}

interface Claim {
  readonly copy: string;
  readonly claimMs: number;
  /** A server of the same type that is due so soon goes along. */
  readonly aheadMs: number;
}

/** null: none is due. Only while the bot is wanted. A claim that was not ended belongs to a copy that died. */
export async function claimSweep(db: Db, { copy, claimMs, aheadMs }: Claim): Promise<ClaimedSweep | null> {
  const isFree = sql`(c.sweep_claimed_until is null or c.sweep_claimed_until <= statement_timestamp())`;
  const { rows } = await sql<{ guild_id: string; nft_contract: string }>`
    with first as (
      select c.nft_contract from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
      where c.sweep_due_at <= statement_timestamp() and g.left_at is null and ${isFree}
        and exists (select 1 from discord_service where wanted = 'active')
      order by c.sweep_due_at limit 1
    ), due as (
      select c.guild_id from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
        join first on first.nft_contract = c.nft_contract
      where c.sweep_due_at <= statement_timestamp() + ${aheadMs} * interval '1 millisecond' and g.left_at is null and ${isFree}
      order by c.guild_id for no key update of c skip locked
    )
    update discord_guild_configs c
    set sweep_claimed_by = ${copy}, sweep_claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    from due where c.guild_id = due.guild_id
    returning c.guild_id, c.nft_contract`.execute(db);
  const [row] = rows;
  return row === undefined
    ? null
    : { nftType: row.nft_contract, guildIds: rows.map(({ guild_id }) => guild_id).toSorted() };
}

/** The server is being swept, or is about to be: whoever is to be looked at there need not be read on their own. */
export async function isSweepDue(db: Db, guildId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from discord_guild_configs where guild_id = ${guildId}
      and (sweep_due_at <= clock_timestamp() or sweep_claimed_until > clock_timestamp())`.execute(db);
  return rows.length > 0;
}

export async function renewSweep(db: Db, copy: string, guildIds: readonly string[], claimMs: number): Promise<void> {
  await sql`
    update discord_guild_configs set sweep_claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    where guild_id = any(${[...guildIds]}) and sweep_claimed_by = ${copy}`.execute(db);
}

/** Every wallet that anybody in one of these servers has linked, once. */
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

/** null: the claim was lost, or the server was configured anew meanwhile. */
export async function holdSweep(trx: Db, guildId: string, copy: string): Promise<HeldSweep | null> {
  const row = await trx
    .selectFrom('discord_guild_configs')
    .select(['nft_contract', 'last_sweep'])
    .where('guild_id', '=', guildId)
    .where('sweep_claimed_by', '=', copy)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { nftContract: row.nft_contract, lastSweep: row.last_sweep };
}

/** Ends the claim; the next sweep begins so much later. */
export async function endSweep(trx: Db, guildId: string, found: SweepRow, dueInMs: number): Promise<void> {
  await sql`
    update discord_guild_configs set last_sweep = ${JSON.stringify(found)}::jsonb, last_sweep_at = clock_timestamp(),
      sweep_due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond', sweep_claimed_by = null,
      sweep_claimed_until = null
    where guild_id = ${guildId}`.execute(trx);
}

/** Gives claims back as they were. */
export async function releaseSweep(db: Db, copy: string, guildIds: readonly string[], dueInMs: number): Promise<void> {
  await sql`
    update discord_guild_configs set sweep_claimed_by = null, sweep_claimed_until = null,
      sweep_due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond'
    where guild_id = any(${[...guildIds]}) and sweep_claimed_by = ${copy}`.execute(db);
}

/** The server's next sweep begins at once, also when one is under way: that one counts no more. */
export async function makeSweepDue(trx: Db, guildId: string): Promise<void> {
  await sql`
    update discord_guild_configs set sweep_due_at = clock_timestamp(), sweep_claimed_by = null, sweep_claimed_until = null
    where guild_id = ${guildId}`.execute(trx);
}
