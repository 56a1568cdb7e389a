import { type Kysely, sql } from 'kysely';

import type { DiscordTables } from './tables.ts';

type Db = Kysely<DiscordTables>;

export interface ClaimedAction {
  readonly id: string;
  readonly guildId: string;
  readonly userId: string;
  readonly kind: 'grant-role' | 'remove-role' | 'direct-message';
  readonly roleId: string | null;
  readonly content: string | null;
  readonly cause: string;
  /** This one included. */
  readonly attempts: number;
}

interface ActionRow {
  readonly id: string;
  readonly guild_id: string;
  readonly user_id: string;
  readonly kind: ClaimedAction['kind'];
  readonly role_id: string | null;
  readonly content: string | null;
  readonly cause: string;
  readonly attempts: number;
}

const isReady = sql`a.state in ('pending', 'doing') and a.due_at <= clock_timestamp()
  and (a.state = 'pending' or a.claimed_until <= clock_timestamp())
  and not exists (select 1 from discord_actions earlier where earlier.guild_id = a.guild_id
    and earlier.user_id = a.user_id and earlier.id < a.id and earlier.state in ('pending', 'doing'))`;

/**
 * What is due, for this copy alone until the claim ends, while the bot is wanted. Each member's in order: nothing is begun
 * before what came before it is over. Of one server one role change at a time: Discord takes no more at once, and what waits
 * behind another one would leave long after it was decided. A claim that was not ended belongs to a copy that died, and is taken over.
 */
export async function claimActions(
  db: Db,
  claim: { readonly copy: string; readonly claimMs: number; readonly countMax: number },
): Promise<readonly ClaimedAction[]> {
  const rows = await db.transaction().execute(async (trx) => {
    // Copies claim one after the other, and each sees what the one before has claimed.
    await sql`select pg_advisory_xact_lock(hashtextextended('discord action claims', 0))`.execute(trx);
    const claimed = await sql<ActionRow>`
      with busy as (
        select distinct guild_id from discord_actions
        where state = 'doing' and claimed_until > clock_timestamp() and kind in ('grant-role', 'remove-role')
      ), servers as (
        select distinct a.guild_id from discord_actions a join discord_guilds g on g.guild_id = a.guild_id and g.left_at is null
        where a.state in ('pending', 'doing') and a.due_at <= clock_timestamp()
          and exists (select 1 from discord_service where wanted = 'active')
      ), ready as (
        (select role.* from servers cross join lateral (
          select a.id, a.due_at from discord_actions a
          where a.guild_id = servers.guild_id and a.kind in ('grant-role', 'remove-role') and ${isReady}
          order by a.due_at, a.id limit 1) role
        where servers.guild_id not in (select guild_id from busy)
        order by role.due_at, role.id limit ${claim.countMax})
        union all
        (select a.id, a.due_at from discord_actions a
        where a.guild_id in (select guild_id from servers) and a.kind = 'direct-message' and ${isReady}
        order by a.due_at, a.id limit ${claim.countMax})
      ), due as (
        select a.id from discord_actions a join ready on ready.id = a.id
        order by ready.due_at, a.id limit ${claim.countMax} for no key update of a skip locked
      )
      update discord_actions a set state = 'doing', attempts = a.attempts + 1, claimed_by = ${claim.copy},
        claimed_until = clock_timestamp() + ${claim.claimMs} * interval '1 millisecond'
      from due where a.id = due.id
      returning a.id, a.guild_id, a.user_id, a.kind, a.role_id, a.content, a.cause, a.attempts`.execute(trx);
    return claimed.rows;
  });
  return rows
    .map(({ guild_id, user_id, role_id, ...row }) => ({ ...row, guildId: guild_id, userId: user_id, roleId: role_id }))
    .toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
}

/** Right before it is done: for so long nobody takes it over. False: somebody has. */
export async function renewClaim(db: Db, action: ClaimedAction, copy: string, claimMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_actions set claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    where id = ${action.id} and state = 'doing' and claimed_by = ${copy}`.execute(db);
  return numAffectedRows === 1n;
}
