import { type RawBuilder, sql } from 'kysely';

import { type Trx, waitForLock } from '../../db/transaction.ts';
import { holdRoleChanges } from './action-queue.ts';
import { dataDeleted, payoutPaid } from './rules/action-verdict.ts';

/**
 * Whether an action `a`, of the member `m` (null: deleted) in a server with the configuration `c`, failed and still needs a fix. It is
 * history once something newer replaced it, or once it is no longer wanted (rules/action-verdict.ts). Actions that only wait because
 * Discord refused replace nothing. `besides`: the id of an action to ignore.
 */
export const isStillFailed = (besides: string | null): RawBuilder<boolean> => sql<boolean>`(
  a.state = 'failed'
  and not exists (
    select 1 from discord_actions newer where newer.guild_id = a.guild_id and newer.user_id = a.user_id and newer.id > a.id
      and newer.id is distinct from ${besides}::bigint
      and (newer.kind = 'direct-message') = (a.kind = 'direct-message')
      and (newer.cause = ${payoutPaid}) = (a.cause = ${payoutPaid})
      and (newer.state in ('done', 'failed') or (newer.state in ('pending', 'doing') and newer.failure_code is null)))
  and case
    when a.cause = ${dataDeleted} then m.role_state = 'holder'
    when not m.is_in_guild then true
    when a.cause = ${payoutPaid} then m.payout_messages_since is null
    when a.kind = 'direct-message' then m.role_state <> 'grace'
    when a.role_id <> c.role_id then true
    when a.kind = 'remove-role' then m.role_state <> 'grace'
    else m.role_state <> 'holder' or m.has_role
  end is not true)`;

/** Each of these needs one fix in the server: the others need not be tried meanwhile. */
const guildWideCodes = ['missing-permission', 'role-too-high', 'unknown-role', 'unknown-guild'] as const;
export const isGuildWide = (code: string): boolean => (guildWideCodes as readonly string[]).includes(code);

/** Until the transaction ends, no one else stores a refusal that concerns this server. */
export const holdRefusals = (trx: Trx, guildId: string): Promise<void> =>
  waitForLock(trx, `discord refusals of ${guildId}`);

/** True: another action already reports the same refusal of this server to the admins. */
export async function isRefusalReported(
  trx: Trx,
  { id, guildId }: { readonly id: string; readonly guildId: string },
  code: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from discord_actions a
      left join discord_members m on m.guild_id = a.guild_id and m.user_id = a.user_id
      left join discord_guild_configs c on c.guild_id = a.guild_id
    where a.guild_id = ${guildId} and a.id <> ${id} and a.failure_code = ${code} and ${isStillFailed(id)} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** The code of actions that wait only because of another action's refusal. */
const pausedCode = 'server-refuses';

/** Changes that would be refused for the same reason wait; those of another role, chosen meanwhile, are still tried. */
export async function pauseRoleChanges(
  trx: Trx,
  { guildId, roleId }: { readonly guildId: string; readonly roleId: string | null },
  forMs: number,
): Promise<void> {
  await holdRoleChanges(trx, guildId);
  const until = sql`clock_timestamp() + ${forMs} * interval '1 millisecond'`;
  await sql`
    update discord_actions set due_at = ${until}, failure_code = ${pausedCode}
    where guild_id = ${guildId} and state = 'pending' and kind in ('grant-role', 'remove-role')
      and role_id = ${roleId} and due_at < ${until}`.execute(trx);
}

const wasRefused = sql`state = 'failed' and failure_code = any(${[...guildWideCodes]}) and kind in ('grant-role', 'remove-role')`;
const waits = sql`state = 'pending' and failure_code is not null and kind in ('grant-role', 'remove-role')`;

/**
 * The server has changed for the better: what was refused, or waits because of it, is tried now. Refused changes that were replaced
 * since are over.
 */
export async function resumeRoleChanges(trx: Trx, guildId: string): Promise<void> {
  const found = await sql`
    select 1 from discord_actions where guild_id = ${guildId} and failure_code is not null
      and ((${wasRefused}) or (${waits})) limit 1`.execute(trx);
  if (found.rows.length === 0) return;
  await holdRoleChanges(trx, guildId);
  const isReplaced = sql`exists (
    select 1 from discord_actions other where other.guild_id = f.guild_id and other.user_id = f.user_id
      and other.kind in ('grant-role', 'remove-role') and other.id <> f.id
      and (other.id > f.id or other.state = 'pending'))`;
  await sql`
    update discord_actions f set state = case when ${isReplaced} then 'dropped' else 'pending' end,
      due_at = clock_timestamp(), done_at = case when ${isReplaced} then clock_timestamp() end,
      failure = case when ${isReplaced} then 'superseded' else failure end
    where guild_id = ${guildId} and ${wasRefused}`.execute(trx);
  await sql`
    update discord_actions set due_at = clock_timestamp(), failure = null, failure_code = null
    where guild_id = ${guildId} and ${waits}`.execute(trx);
}
