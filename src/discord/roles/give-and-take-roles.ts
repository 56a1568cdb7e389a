import { databaseNow } from '../../db/expressions.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { Unavailable } from '../../shared/failure.ts';
import { otherBotReason } from '../bot.ts';
import { auditReason } from '../bot-texts.ts';
import type { PlatformOutcome, RolePlatform } from '../ports.ts';
import type { MemberCheck } from './member-check.ts';
import {
  beginChange,
  endChange,
  endNotGiven,
  failedChanges,
  nextChange,
  type Pause,
  postponeChange,
  postponeRefused,
  pauseRoleChanges,
  resumeRoleChanges,
  type RoleChange,
  undoBeginChange,
} from './member-roles.ts';
import { markRoleUnknown, lockMember, markDue, memberSubject, readMember, updateMember } from './member-store.ts';
import { moveMembers } from './removal-store.ts';
import { roleChanges, type RolesDeps } from './role-jobs.ts';
import type { MemberRecord } from './rules/decide.ts';
import { refusalVerdict, roleAfterChange, roleVerdict } from './rules/role-verdict.ts';

type Refused = Extract<PlatformOutcome, { readonly kind: 'refused' }>;

interface GiveAndTakeDeps extends Pick<RolesDeps, 'db' | 'audit' | 'log'> {
  readonly platform: RolePlatform;
  readonly check: MemberCheck;
}

/** Servers at a time, per copy. */
const serversAtOnce = 8;
/** After this long another server gets its turn. */
const turnMs = 10_000;
const callWithinMs = 15_000;
/** Until the next attempt. Longer than a call may take, so that a change whose copy died is not sent twice at once. */
const pauseMs = 20_000;
/** How long a server's role changes wait after a refusal that concerns the whole server; the maximum after a rate limit. */
const guildPauseMs = 5 * 60_000;
/** After a refusal that concerns only one member. */
const refusedPauseMs = 3_600_000;

/** Gives and removes roles (rulings R5). One server does not delay another. */
export const roleChangeJob = (deps: GiveAndTakeDeps): JobDefinition<{ guildId: string }> => ({
  ...roleChanges,
  atOnce: serversAtOnce,
  failing: 'Role changes could not be made',
  run: async ({ guildId }, stop) => {
    const endsAtMs = performance.now() + turnMs;
    while (!stop.aborted) {
      if (performance.now() > endsAtMs) return { againInMs: 0 };
      const change = await nextChange(deps.db, guildId);
      if (change === null) return undefined;
      await makeChange(deps, change, stop);
    }
    return undefined;
  },
});

async function makeChange(deps: GiveAndTakeDeps, change: RoleChange, stop: AbortSignal): Promise<void> {
  const verdict = await decideNow(deps, change, stop);
  switch (verdict.kind) {
    case 'go':
      return askDiscord(deps, change);
    case 'end':
    case 'end-and-check':
      await endChange(deps.db, change);
      if (verdict.kind === 'end-and-check') await markDue(deps.db, [{ ...change, cause: 'role-chosen' }]);
      return;
    case 'later':
      return postponeChange(deps.db, change, verdict.delayMs);
    case 'check-first':
      // Stopped, or the check failed: the role stays as it is.
      return postponeChange(deps.db, change, pauseMs);
  }
}

async function decideNow({ db, check }: GiveAndTakeDeps, change: RoleChange, stop: AbortSignal) {
  const { guildId, userId, wanted } = change;
  const verdict = roleVerdict(change, await readMember(db, guildId, userId));
  if (verdict.kind !== 'check-first') return verdict;
  const cause = wanted === 'grant-role' ? 'before-grant' : 'before-removal';
  const checked = await check({ guildId, userId, cause }, stop);
  const isJustChecked = checked.kind === 'checked' && checked.isNew;
  return roleVerdict(change, await readMember(db, guildId, userId), isJustChecked);
}

async function askDiscord(deps: GiveAndTakeDeps, change: RoleChange): Promise<void> {
  const { db, platform, log } = deps;
  const { guildId, userId, roleId, wanted, cause } = change;
  const begun = await transact(db, (trx) => begin(trx, change));
  if (begun === null) return;
  // Not the job's own signal: a call to Discord that has started is completed.
  const stop = AbortSignal.timeout(callWithinMs);
  const target = { guildId, userId, roleId };
  const reason = auditReason(wanted, cause);
  try {
    const outcome =
      wanted === 'grant-role'
        ? await platform.grantRole(target, reason, stop)
        : await platform.removeRole(target, reason, stop);
    const pause = await transact(db, (trx) => recordOutcome(deps, trx, begun, outcome));
    if (pause !== null) await pauseRoleChanges(db, change, pause);
    // Discord may now allow what it refused before.
    if (outcome.kind === 'done' && change.wasPaused) await resumeRoleChanges(db, guildId);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error, guildId }, 'Discord did not confirm a role change; trying again');
    const forMs = Math.max(pauseMs, error.retryAfterMs ?? 0);
    await transact(db, async (trx) => {
      if (undoneReasons.includes(error.reason)) await undo(trx, begun, await lockMember(trx, guildId, userId));
      await postponeChange(trx, begun, forMs);
    });
    await pauseRoleChanges(db, change, { forMs, reason: unansweredText(error), isUnanswered: true });
  }
}

/** `hadRole`: whether the member was known to have the role before a removal began. */
type BegunChange = RoleChange & { readonly hadRole: boolean | null };

/** null: the change was replaced or taken over meanwhile. */
async function begin(trx: Trx, change: RoleChange): Promise<BegunChange | null> {
  // Members are locked before their roles, as everywhere.
  const member = change.wanted === 'remove-role' ? await lockMember(trx, change.guildId, change.userId) : null;
  const begun = await beginChange(trx, change, pauseMs);
  if (begun === null) return null;
  const isRemovalOfChosenRole = member !== null && member.guild.roleId === change.roleId;
  if (!isRemovalOfChosenRole) return { ...begun, hadRole: null };
  // If Discord's answer is lost, it is unknown whether the role was removed.
  await updateMember(trx, change, { hasRole: null });
  return { ...begun, hadRole: member.hasRole };
}

/** Stores what follows for the member. Returns a pause for the server if Discord would not make its other role changes now either. */
async function recordOutcome(
  deps: GiveAndTakeDeps,
  trx: Trx,
  change: BegunChange,
  outcome: PlatformOutcome,
): Promise<Pause | null> {
  const member = await lockMember(trx, change.guildId, change.userId);
  if (outcome.kind === 'done') {
    await recordDone(deps, trx, change, member);
    return null;
  }
  await undo(trx, change, member);
  if (outcome.kind === 'refused') return recordRefusal(trx, change, outcome, member);
  await postponeChange(trx, change, outcome.retryAfterMs);
  return { forMs: Math.min(outcome.retryAfterMs, guildPauseMs), reason: null };
}

/** Discord did not do it: restores what was stored about the role before. */
async function undo(trx: Trx, change: BegunChange, member: MemberRecord | null): Promise<void> {
  await undoBeginChange(trx, change);
  // Unless Discord has reported the role since, or no longer reports the server's members.
  const isAsBefore = member?.hasRole === null && member.guild.roleId === change.roleId && !member.guild.isGone;
  if (isAsBefore && change.hadRole !== null) await updateMember(trx, change, { hasRole: change.hadRole });
}

async function recordRefusal(
  trx: Trx,
  change: RoleChange,
  { code, sentence }: Refused,
  member: MemberRecord | null,
): Promise<Pause | null> {
  const verdict = refusalVerdict(change, code, member?.guild.roleId ?? null);
  switch (verdict) {
    case 'member-left':
      await updateMember(trx, change, { isInGuild: false, hasRole: false });
      await endNotGiven(trx, change);
      return null;
    case 'role-deleted':
      await endNotGiven(trx, change);
      return null;
    case 'other-role-chosen':
      await endChange(trx, change);
      return null;
    case 'member-refused':
      await postponeRefused(trx, change, refusedPauseMs, sentence);
      return null;
    case 'earlier-role-blocked':
      await postponeRefused(trx, change, guildPauseMs, await unlessListed(trx, change, sentence));
      return null;
    case 'chosen-role-blocked':
      await postponeRefused(trx, change, 0, await unlessListed(trx, change, sentence));
      return { forMs: guildPauseMs, reason: sentence };
    default:
      return verdict satisfies never;
  }
}

/** The first failure shows the fix to the admins. null: it is shown with another pending change of that role, so this one only waits. */
async function unlessListed(trx: Trx, { id, guildId, roleId }: RoleChange, sentence: string): Promise<string | null> {
  const others = failedChanges(trx, guildId).select('r.id').where('r.id', '<>', id).where('r.roleId', '=', roleId);
  const isListed = (await others.where('r.failure', '=', sentence).limit(1).executeTakeFirst()) !== undefined;
  return isListed ? null : sentence;
}

async function recordDone(
  { audit }: GiveAndTakeDeps,
  trx: Trx,
  change: RoleChange,
  member: MemberRecord | null,
): Promise<void> {
  const { guildId, userId, cause } = change;
  const isRemoval = change.wanted === 'remove-role';
  const end = isRemoval ? endNotGiven : endChange;
  const isReplaced = !(await end(trx, change));
  if (member === null) return;
  const actor = { kind: 'system', name: 'role check' } as const;
  const action = isRemoval ? 'discord-role-taken' : 'discord-role-given';
  await audit.record({ actor, action, subject: memberSubject(member), before: null, after: { cause } }, trx);
  switch (roleAfterChange(change, member, isReplaced)) {
    case 'other-role':
      return;
    case 'unknown':
      return markRoleUnknown(trx, change);
    case 'given':
      return updateMember(trx, change, { hasRole: true });
    case 'removed':
      await updateMember(trx, change, { hasRole: false, ...(cause === 'not-holding' && { roleTakenAt: databaseNow }) });
      if (member.roleState === 'grace')
        await moveMembers(trx, guildId, [userId], { roleState: 'none', checkDueAt: null });
  }
}

const tokenReason = 'refused-by-upstream';
/** Discord was not asked, or answered that it did nothing. */
const undoneReasons: readonly string[] = [otherBotReason, tokenReason];

const unansweredText = ({ reason }: Unavailable): string => {
  if (reason === otherBotReason)
    return 'This server has a different bot from the one running now; the bot tries again by itself.';
  return reason === tokenReason
    ? 'Discord refuses the token of the bot right now; the bot tries again by itself.'
    : 'Discord does not answer right now; the bot tries again by itself.';
};
