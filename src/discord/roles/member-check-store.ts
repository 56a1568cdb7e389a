import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

export interface MemberId {
  readonly guildId: string;
  readonly userId: string;
}

/** Of a row `m` of discord_members. */
const concerns = ({ guildId, userId }: MemberId) => sql<boolean>`(m.guild_id = ${guildId} and m.user_id = ${userId})`;

/** Why the member's check is due now; null: it is not. */
export async function dueCheck(db: Db, member: MemberId): Promise<string | null> {
  const { rows } = await sql<{ cause: string }>`
    select coalesce(check_cause, 'due') as cause from discord_members m
    where ${concerns(member)} and check_due_at <= clock_timestamp()`.execute(db);
  return rows[0]?.cause ?? null;
}

/** Records that the member is to be checked after the delay, if not earlier. `isDue` null: there is no such member. */
export async function requestCheck(
  trx: Db,
  member: MemberId,
  cause: string,
  takeDelayMs: () => number,
): Promise<{ readonly isDue: boolean }> {
  const { rows } = await sql<{ isDue: boolean }>`
    select coalesce(check_due_at <= clock_timestamp(), false) as is_due from discord_members m
    where ${concerns(member)} for no key update`.execute(trx);
  const [row] = rows;
  if (row === undefined || row.isDue) return { isDue: row !== undefined };
  const delayMs = takeDelayMs();
  const at = sql`(clock_timestamp() + ${delayMs} * interval '1 millisecond')`;
  await sql`
    update discord_members m set check_due_at = least(check_due_at, ${at}),
      check_cause = case when check_due_at is null or check_due_at > ${at} then ${cause} else check_cause end
    where ${concerns(member)}`.execute(trx);
  return { isDue: delayMs === 0 };
}

/** Makes the check due again after the delay. */
export async function putOffCheck(db: Db, { guildId, userId }: MemberId, delayMs: number): Promise<void> {
  await sql`
    update discord_members set check_due_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
    where guild_id = ${guildId} and user_id = ${userId}`.execute(db);
}

/** There was nothing to check when the member was read; a check that became due since, or by a return, stays. */
export async function endCheck(
  db: Db,
  { guildId, userId, now: readAt, isInGuild }: MemberId & { readonly now: Date; readonly isInGuild: boolean },
): Promise<void> {
  await sql`
    update discord_members set
      check_due_at = case when check_due_at > ${readAt} or is_in_guild and not ${isInGuild}::boolean then check_due_at end
    where guild_id = ${guildId} and user_id = ${userId}`.execute(db);
}
