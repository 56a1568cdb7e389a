import { type Trx, waitForLock } from '../../db/transaction.ts';
import { databaseNowPlus } from '../../db/expressions.ts';
import type { PlatformOutcome } from '../ports.ts';
import {
  type BegunAction,
  endAction,
  enqueueRoleChange,
  postponeAction,
  shareRoleChanges,
  holdRoleChanges,
} from './action-queue.ts';
import { forgetActions, forgetDeleted } from './linking.ts';
import { doubtRole, holdCase, memberSubject, updateMember } from './member-store.ts';
import { moveMembers } from './removal-store.ts';
import type { RolesDeps } from './role-jobs.ts';
import { dataDeleted, payoutPaid } from './rules/action-verdict.ts';
import { type RawBuilder, sql } from 'kysely';

type OutcomeDeps = Pick<RolesDeps, 'db' | 'audit'>;

/** How long a server's other role changes wait after a refusal that concerns the server. */
const guildPauseMs = 5 * 60_000;

/** `already`: it was so already; Discord was not asked. */
type Outcome = PlatformOutcome | { readonly kind: 'already' };

/** Stores an action's result and what follows for the member, in one transaction. */
export async function recordOutcome(deps: OutcomeDeps, action: BegunAction, outcome: Outcome): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    // Discord asked us to wait: not an attempt.
    if (outcome.kind === 'limited') return postponeAction(trx, action, { delayMs: outcome.retryAfterMs });
    if (outcome.kind !== 'refused') return recordDone(deps, trx, action, outcome.kind === 'done');
    await recordRefusal(trx, action, outcome);
    return forgetDeleted(trx, action);
  });
}

async function recordDone({ audit }: OutcomeDeps, trx: Trx, action: BegunAction, isByDiscord: boolean): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  const member = await holdCase(trx, guildId, userId);
  const isOurs = await endAction(trx, action, 'done');
  if (kind === 'direct-message') return member === null ? forgetActions(trx, action) : undefined;
  // Discord may have refused before what it allows now.
  if (isOurs && isByDiscord) await resumeRoleChanges(trx, guildId);
  if (member === null) return recordOfDeleted(trx, action, isOurs);
  if (isOurs && isByDiscord) {
    const actor = { kind: 'system', name: 'role check' } as const;
    const what = kind === 'grant-role' ? 'discord-role-given' : 'discord-role-taken';
    const after = { cause: action.cause };
    await audit.record({ actor, action: what, subject: memberSubject(member), before: null, after }, trx);
  }
  // Another role was chosen meanwhile: this result says nothing about that one.
  if (roleId === null || roleId !== member.guild.roleId) return;
  // Another copy decided and acted meanwhile, before or after this: the member's current role is unknown.
  if (!isOurs) return doubtRole(trx, action);
  await updateMember(trx, action, { hasRole: kind === 'grant-role' });
  if (kind === 'grant-role') return;
  if (member.roleState === 'grace') await moveMembers(trx, guildId, [userId], { roleState: 'none', checkDueAt: null });
  // The member was found to hold again during the removal.
  if (member.roleState === 'holder') {
    await enqueueRoleChange(trx, { guildId, userIds: [userId], roleId, kind: 'grant-role', cause: 'holds-again' });
  }
}

/** 'Delete my data' may have come while the role was being given: then it is removed. */
async function recordOfDeleted(trx: Trx, action: BegunAction, isOurs: boolean): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  await shareRoleChanges(trx, guildId);
  if (kind === 'grant-role' && roleId !== null) {
    await enqueueRoleChange(trx, { guildId, userIds: [userId], roleId, kind: 'remove-role', cause: dataDeleted });
  }
  if (isOurs) await forgetActions(trx, action);
}

type Refused = Extract<PlatformOutcome, { readonly kind: 'refused' }>;

async function recordRefusal(trx: Trx, action: BegunAction, { code, sentence }: Refused): Promise<void> {
  const { guildId, userId, kind } = action;
  // Many may be refused at once: only one of them is reported.
  if (isGuildWide(code)) await waitForLock(trx, `discord refusals of ${guildId}`);
  // Members before actions, the lock order everywhere.
  await holdCase(trx, guildId, userId);
  if (code === 'direct-messages-closed' || (kind === 'direct-message' && isGuildWide(code))) {
    await endAction(trx, action, 'dropped', { failure: 'direct-messages-closed' });
    return;
  }
  const refusal = { failure: sentence, failureCode: code };
  if (code === 'unknown-member') {
    await endAction(trx, action, 'dropped', refusal);
    await updateMember(trx, action, { isInGuild: false, hasRole: false });
    return;
  }
  // The one that fails is shown to admins; others with the same fix only wait for it.
  if (isGuildWide(code) && (await isRefusalReported(trx, action, code))) {
    await postponeAction(trx, action, { delayMs: guildPauseMs, ...refusal });
  } else {
    await endAction(trx, action, 'failed', refusal);
  }
  if (isGuildWide(code)) await pauseRoleChanges(trx, action);
}

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
const isGuildWide = (code: string): boolean => (guildWideCodes as readonly string[]).includes(code);

/** True: another action already reports the same refusal of this server to the admins. */
async function isRefusalReported(trx: Trx, { id, guildId }: BegunAction, code: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from discord_actions a
      left join discord_members m on m.guild_id = a.guild_id and m.user_id = a.user_id
      left join discord_guild_configs c on c.guild_id = a.guild_id
    where a.guild_id = ${guildId} and a.id <> ${id} and a.failure_code = ${code} and ${isStillFailed(id)} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Changes that would be refused for the same reason wait; those of another role, chosen meanwhile, are still tried. */
async function pauseRoleChanges(trx: Trx, { guildId, roleId }: BegunAction): Promise<void> {
  await holdRoleChanges(trx, guildId);
  const until = databaseNowPlus(guildPauseMs);
  await sql`
    update discord_actions set due_at = ${until}, failure_code = 'server-refuses'
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
