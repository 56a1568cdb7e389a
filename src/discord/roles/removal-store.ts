import { type Kysely, type RawBuilder, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { RoleState } from './rules/decide.ts';
import type { PlannedMember } from './rules/removal-plan.ts';

type Db = Kysely<Database>;

/** A server whose removals are being decided, locked. */
export interface LockedGuild {
  readonly guildId: string;
  readonly name: string;
  readonly roleId: string;
  readonly roleName: string | null;
  readonly nftContract: string;
  readonly nftName: string;
  readonly graceMs: number;
  readonly now: Date;
}

/** null: it is not configured, the bot is not in it, or, with 'skip', another transaction holds it. */
export async function lockGuild(trx: Db, guildId: string, ifLocked: 'wait' | 'skip'): Promise<LockedGuild | null> {
  const { rows } = await sql<LockedGuild>`
    select c.guild_id, g.name, c.role_id, c.nft_contract, c.nft_name, c.grace_minutes::float8 * 60000 as grace_ms,
      clock_timestamp() as now,
      (select role ->> 'name' from jsonb_array_elements(g.roles) role where role ->> 'id' = c.role_id) as role_name
    from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
    where c.guild_id = ${guildId} and g.left_at is null
    for no key update of c ${ifLocked === 'wait' ? sql`` : sql`skip locked`}`.execute(trx);
  return rows[0] ?? null;
}

/** A row `r` of the leaving member `m`: the removal of the current role is pending or has failed. */
const isBeingTaken = sql`r.guild_id = m.guild_id and r.user_id = m.user_id and r.wanted = 'remove-role'
  and r.changed_at > m.second_no_at
  and r.role_id = (select c.role_id from discord_guild_configs c where c.guild_id = m.guild_id)`;

/** Of a member `m`, as last reported by Discord; null: not reported yet. Without a chosen role (specification 5), no one has it. */
const hasRole = sql<boolean | null>`(m.has_role and exists (
  select 1 from discord_guild_configs c where c.guild_id = m.guild_id and c.role_id <> ''))`;

export interface LeavingMember extends PlannedMember {
  readonly displayName: string;
}

/** Locks the members in 'grace' or 'braked'. */
export async function lockLeaving(trx: Db, guildId: string): Promise<readonly LeavingMember[]> {
  await sql`
    select 1 from discord_members where guild_id = ${guildId} and role_state in ('grace', 'braked') and is_in_guild
    order by user_id for no key update`.execute(trx);
  const { rows } = await sql<LeavingMember>`
    select m.user_id, m.display_name, m.role_state, ${hasRole} as has_role, m.second_no_at, m.removal_due_at, m.answer, m.answered_at,
      (select r.cause from discord_member_roles r where ${isBeingTaken}) as removal_cause
    from discord_members m
    where m.guild_id = ${guildId} and m.role_state in ('grace', 'braked') and m.is_in_guild
    order by m.user_id`.execute(trx);
  return rows;
}

/** Members whose last answer is a first 'does not hold', whenever the second check comes (rules/removal-plan.ts). */
export async function countInDoubt(trx: Db, guildId: string): Promise<number> {
  const { inDoubt } = await trx
    .selectFrom('discordMembers as m')
    .select(({ fn }) => fn.countAll<string>().as('inDoubt'))
    .where((eb) => eb.and({ 'm.guildId': guildId, 'm.isInGuild': true, 'm.roleState': 'doubt' }))
    .where(hasRole, 'is distinct from', false)
    .executeTakeFirstOrThrow();
  return Number(inDoubt);
}

/** `before`: the end of the hour that is counted. */
export async function countRemovals(trx: Db, guildId: string, before: Date | null) {
  const { rows } = await sql<{ readonly doneLastHour: number; readonly roleHolders: number }>`
    with until as (select coalesce(${before}::timestamptz, clock_timestamp()) as at)
    select
      (select count(*)::int from discord_members, until where guild_id = ${guildId}
        and role_taken_at > until.at - interval '1 hour' and role_taken_at <= until.at) as done_last_hour,
      (select count(*)::int from discord_members m where m.guild_id = ${guildId} and m.is_in_guild
        and coalesce(${hasRole}, m.role_state <> 'none')) as role_holders`.execute(trx);
  return rows[0] ?? { doneLastHour: 0, roleHolders: 0 };
}

export async function lockWaitingBatch(trx: Db, guildId: string) {
  const batches = trx.selectFrom('discordRemovalBatches').select(['id', 'createdAt']);
  const waiting = batches.where((eb) => eb.and({ guildId, state: 'waiting' })).forUpdate();
  return (await waiting.executeTakeFirst()) ?? null;
}
export type WaitingBatch = NonNullable<Awaited<ReturnType<typeof lockWaitingBatch>>>;

/** Opens the server's waiting batch, or grows it. Growing gives it a new id, as an approval of fewer members does not cover more. */
export async function openBatch(
  trx: Db,
  guildId: string,
  holderCount: number,
  waiting: WaitingBatch | null,
): Promise<void> {
  if (waiting === null) {
    await trx.insertInto('discordRemovalBatches').values({ guildId, holderCount }).execute();
    return;
  }
  await trx
    .updateTable('discordRemovalBatches')
    .set({ id: sql`default`, holderCount })
    .where('id', '=', waiting.id)
    .execute();
}

/** False: it was no longer waiting. */
export async function closeBatch(
  trx: Db,
  id: string,
  state: 'approved' | 'refused' | 'obsolete',
  by: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('discordRemovalBatches')
    .set({ state, decidedAt: databaseNow, decidedBy: by })
    .where((eb) => eb.and({ id, state: 'waiting' }))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Makes a check due at that time, or none; a check due for another reason, such as a purchase, stays due. */
const checkDue = (at: Date | null) => ({
  checkDueAt: sql<Date | null>`case when check_cause = 'second-look' then ${at}::timestamptz
    else least(check_due_at, ${at}::timestamptz) end`,
  checkCause: sql<string>`case when check_due_at is null or check_due_at > ${at}::timestamptz then 'second-look'
    else check_cause end`,
});

/** When the member was found without an NFT for the second time. */
export const secondNoTime = sql.ref<Date>('secondNoAt');

/** Sets the state of locked members of one server. Omitted fields stay unchanged. */
export async function moveMembers(
  trx: Db,
  guildId: string,
  userIds: readonly string[],
  to: {
    readonly roleState: Exclude<RoleState, 'doubt'>;
    readonly removalDueAt?: Date | RawBuilder<Date> | null;
    readonly checkDueAt?: Date | null;
  },
): Promise<void> {
  if (userIds.length === 0) return;
  await trx
    .updateTable('discordMembers')
    .set({
      roleState: to.roleState,
      ...(to.removalDueAt !== undefined && { removalDueAt: to.removalDueAt }),
      ...(to.checkDueAt !== undefined && checkDue(to.checkDueAt)),
      ...((to.roleState === 'none' || to.roleState === 'holder') && {
        firstNoAt: null,
        secondNoAt: null,
        removalDueAt: null,
      }),
    })
    .where('guildId', '=', guildId)
    .where(sql<boolean>`user_id = any(${[...userIds]})`)
    .execute();
}

/** Servers the bot is in, with removals to decide or with a waiting batch. */
export async function guildsWithRemovals(db: Db): Promise<readonly { readonly guildId: string }[]> {
  const { rows } = await sql<{ guildId: string }>`
    select distinct m.guild_id from discord_members m
      join discord_guilds g on g.guild_id = m.guild_id and g.left_at is null
    where m.role_state in ('grace', 'braked') and m.is_in_guild
      and (m.role_state = 'braked' or m.removal_due_at is null or ${hasRole} = false
        or (m.removal_due_at <= clock_timestamp() and m.answer = 'does-not-hold' and m.answered_at >= m.removal_due_at
          and not exists (select 1 from discord_member_roles r where ${isBeingTaken})))
    union
    select b.guild_id from discord_removal_batches b
      join discord_guilds g on g.guild_id = b.guild_id and g.left_at is null
    where b.state = 'waiting'`.execute(db);
  return rows;
}
