import type { Trx } from '../../db/transaction.ts';
import type { PlatformOutcome } from '../ports.ts';
import { type BegunAction, endAction, enqueueRoleChange, postponeAction, shareRoleChanges } from './action-queue.ts';
import { forgetActions, forgetDeleted } from './delete-member.ts';
import { doubtRole, holdCase, type MemberCase, memberSubject, updateMember } from './member-store.ts';
import { moveMembers } from './removal-store.ts';
import type { RolesDeps } from './role-deps.ts';
import { dataDeleted } from './rules/action-verdict.ts';
import {
  holdRefusals,
  isGuildWide,
  isRefusalReported,
  pauseRoleChanges,
  resumeRoleChanges,
} from './server-refusals.ts';

type OutcomeDeps = Pick<RolesDeps, 'db' | 'audit'>;

/** How long a server's other role changes wait after a refusal that concerns the server. */
const guildPauseMs = 5 * 60_000;

/** `already`: it was so already; Discord was not asked. */
type Outcome = PlatformOutcome | { readonly kind: 'already' };

/** Stores an action's result and what follows for the member, in one transaction. */
export async function recordOutcome(deps: OutcomeDeps, action: BegunAction, outcome: Outcome): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    switch (outcome.kind) {
      case 'done':
      case 'already':
        await recordDone(deps, trx, action, outcome.kind === 'done');
        return;
      case 'limited':
        // Discord asked us to wait: not an attempt.
        await postponeAction(trx, action, { delayMs: outcome.retryAfterMs });
        return;
      default:
        await recordRefusal(trx, action, outcome);
        await forgetDeleted(trx, action);
    }
  });
}

async function recordDone({ audit }: OutcomeDeps, trx: Trx, action: BegunAction, isByDiscord: boolean): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  const member = await holdCase(trx, guildId, userId);
  const isOurs = await endAction(trx, action, { state: 'done' });
  if (kind === 'direct-message') return member === null ? forgetActions(trx, action) : undefined;
  // Discord may have refused before what it allows now.
  if (isOurs && isByDiscord) await resumeRoleChanges(trx, guildId);
  if (member === null) return recordOfDeleted(trx, action, isOurs);
  if (isOurs && isByDiscord) await auditDone(audit, trx, action, member);
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

/** Logs what was done; nothing about a member who deleted their data. */
async function auditDone(audit: RolesDeps['audit'], trx: Trx, { kind, cause }: BegunAction, member: MemberCase) {
  const action = kind === 'grant-role' ? 'discord-role-given' : 'discord-role-taken';
  const actor = { kind: 'system', name: 'role check' } as const;
  const entry = { actor, action, subject: memberSubject(member), before: null, after: { cause } };
  await audit.record(entry, trx);
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
  if (isGuildWide(code)) await holdRefusals(trx, guildId);
  // Members before actions, the lock order everywhere.
  await holdCase(trx, guildId, userId);
  if (code === 'direct-messages-closed' || (kind === 'direct-message' && isGuildWide(code))) {
    await endAction(trx, action, { state: 'dropped', failure: 'direct-messages-closed' });
    return;
  }
  const refusal = { failure: sentence, failureCode: code };
  if (code === 'unknown-member') {
    await endAction(trx, action, { state: 'dropped', ...refusal });
    await updateMember(trx, action, { isInGuild: false, hasRole: false });
    return;
  }
  // The one that fails is shown to admins; others with the same fix only wait for it.
  if (isGuildWide(code) && (await isRefusalReported(trx, action, code))) {
    await postponeAction(trx, action, { delayMs: guildPauseMs, ...refusal });
  } else {
    await endAction(trx, action, { state: 'failed', ...refusal });
  }
  if (isGuildWide(code)) await pauseRoleChanges(trx, action, guildPauseMs);
}
