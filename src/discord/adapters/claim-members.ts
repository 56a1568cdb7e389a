import { type Kysely, sql } from 'kysely';

import type { DiscordTables } from './tables.ts';

type Db = Kysely<DiscordTables>;

export interface MemberId {
  readonly guildId: string;
  readonly userId: string;
}

/** Of a row `m` of discord_members. */
export const concernsMember = ({ guildId, userId }: MemberId) =>
  sql<boolean>`(m.guild_id = ${guildId} and m.user_id = ${userId})`;

export interface ClaimedMember extends MemberId {
  readonly cause: string;
}

/** Members whose check is due, for this copy alone until the claim ends; only while the bot is wanted. */
export async function claimDueMembers(
  db: Db,
  claim: { readonly copy: string; readonly claimMs: number; readonly countMax: number },
): Promise<readonly ClaimedMember[]> {
  const { rows } = await sql<{ guild_id: string; user_id: string; check_cause: string | null }>`
    with due as (
      select m.guild_id, m.user_id from discord_members m
        join discord_guilds g on g.guild_id = m.guild_id and g.left_at is null
        join discord_guild_configs c on c.guild_id = m.guild_id
      where m.check_due_at <= statement_timestamp() and m.is_in_guild
        and (m.claimed_until is null or m.claimed_until <= statement_timestamp())
        and exists (select 1 from discord_service where wanted = 'active')
      order by m.check_due_at limit ${claim.countMax} for no key update of m skip locked
    )
    update discord_members m
    set claimed_by = ${claim.copy}, claimed_until = clock_timestamp() + ${claim.claimMs} * interval '1 millisecond'
    from due where m.guild_id = due.guild_id and m.user_id = due.user_id
    returning m.guild_id, m.user_id, m.check_cause`.execute(db);
  return rows.map((row) => ({ guildId: row.guild_id, userId: row.user_id, cause: row.check_cause ?? 'due' }));
}

/** The member alone, whose check is due; `under-way`: another copy, or the checker of this one, is at it. */
export async function claimMember(
  db: Db,
  member: MemberId,
  { copy, claimMs }: { readonly copy: string; readonly claimMs: number },
): Promise<'claimed' | 'under-way' | 'not-due'> {
  const { rows } = await sql<{ is_free: boolean }>`
    with due as (
      select m.guild_id, m.user_id, coalesce(m.claimed_until <= clock_timestamp(), true) as is_free
      from discord_members m where ${concernsMember(member)} and m.check_due_at <= clock_timestamp() for no key update
    ), claimed as (
      update discord_members m
      set claimed_by = ${copy}, claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
      from due where m.guild_id = due.guild_id and m.user_id = due.user_id and due.is_free
    )
    select is_free from due`.execute(db);
  const [row] = rows;
  if (row === undefined) return 'not-due';
  return row.is_free ? 'claimed' : 'under-way';
}

/** The look is still under way. Nothing, when somebody else has the claim by now. */
export async function renewMember(
  db: Db,
  { guildId, userId }: MemberId,
  { copy, claimMs }: { readonly copy: string; readonly claimMs: number },
): Promise<void> {
  await sql`
    update discord_members set claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    where guild_id = ${guildId} and user_id = ${userId} and claimed_by = ${copy}`.execute(db);
}

/** Gives a claim back; the check is due again after so long. */
export async function releaseMember(db: Db, { guildId, userId }: MemberId, dueInMs: number): Promise<void> {
  await sql`
    update discord_members set claimed_by = null, claimed_until = null,
      check_due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond'
    where guild_id = ${guildId} and user_id = ${userId}`.execute(db);
}

/** Gives a claim back, as there was nothing to check when the member was read; what became due since then, or by a return, stays. */
export async function leaveAlone(
  db: Db,
  { guildId, userId, now: readAt, isInGuild }: MemberId & { readonly now: Date; readonly isInGuild: boolean },
): Promise<void> {
  await sql`
    update discord_members set claimed_by = null, claimed_until = null,
      check_due_at = case when check_due_at > ${readAt} or is_in_guild and not ${isInGuild}::boolean then check_due_at end
    where guild_id = ${guildId} and user_id = ${userId}`.execute(db);
}
