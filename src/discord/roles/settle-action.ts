import type { Kysely, Transaction } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import { type BegunAction, endAction, postponeAction } from './role-actions.ts';
import {
  holdRefusals,
  isGuildWide,
  isRefusalReported,
  pauseRoleChanges,
  resumeRoleChanges,
} from './server-refusals.ts';
import { holdCase, type MemberCase } from './member-store.ts';
import { moveMembers } from './removal-store.ts';
import type { Database } from '../../db/schema.ts';
import { doubtRole, forgetMember, noteRole } from '../verify/wallet-store.ts';
import { dataDeleted } from './rules/action-verdict.ts';
import type { AuditTrail, PlatformOutcome } from '../ports.ts';
import { memberSubject } from './audit-members.ts';
import { enqueueRoleChange, shareRoleChanges } from './enqueue-actions.ts';

interface SettleDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
}

/** How long a server's other role changes wait after a refusal that concerns the server. */
const guildPauseMs = 5 * 60_000;

/** `already`: it was so already; Discord was not asked. */
type Settled = PlatformOutcome | { readonly kind: 'already' };

/** Stores an action's result and what follows for the member, in one transaction. */
export async function settleAction(deps: SettleDeps, action: BegunAction, outcome: Settled): Promise<void> {
  const { db } = deps;
  await db.transaction().execute(async (trx) => {
    switch (outcome.kind) {
      case 'done':
      case 'already':
        await settleDone(deps, trx, action, outcome.kind === 'done');
        return;
      case 'limited':
        // Discord asked us to wait: not an attempt.
        await postponeAction(trx, action, { delayMs: outcome.retryAfterMs, failure: null, isAttempt: false });
        return;
      default:
        await settleRefused(trx, action, outcome);
        await forgetDeleted(trx, action);
    }
  });
}

type Trx = Transaction<Database>;

async function settleDone({ audit }: SettleDeps, trx: Trx, action: BegunAction, isByDiscord: boolean): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  const member = await holdCase(trx, guildId, userId);
  const isOurs = await endAction(trx, action, { state: 'done', failure: null });
  if (kind === 'direct-message') return member === null ? forgetMember(trx, guildId, userId) : undefined;
  // Discord may have refused before what it allows now.
  if (isOurs && isByDiscord) await resumeRoleChanges(trx, guildId);
  if (member === null) return settleDeleted(trx, action, isOurs);
  if (isOurs && isByDiscord) await auditDone(audit, trx, action, member);
  // Another role was chosen meanwhile: this result says nothing about that one.
  if (roleId === null || roleId !== member.guild.roleId) return;
  // Another copy decided and acted meanwhile, before or after this: the member's current role is unknown.
  if (!isOurs) return doubtRole(trx, guildId, userId);
  await noteRole(trx, guildId, userId, kind === 'grant-role');
  if (kind === 'grant-role') return;
  if (member.standing === 'grace') await moveMembers(trx, guildId, [userId], { standing: 'none', checkDueAt: null });
  // The member was found to hold again during the removal.
  if (member.standing === 'holder') {
    await enqueueRoleChange(trx, { guildId, userIds: [userId], roleId, kind: 'grant-role', cause: 'holds-again' });
  }
}

/** Logs what was done; nothing about a member who deleted their data. */
async function auditDone(audit: AuditTrail, trx: Trx, { kind, cause }: BegunAction, member: MemberCase) {
  const action = kind === 'grant-role' ? 'discord-role-given' : 'discord-role-taken';
  const actor = { kind: 'system', name: 'role check' } as const;
  const entry = { actor, action, subject: memberSubject(member), before: null, after: { cause } };
  await audit.record(entry, openTransaction(trx));
}

/** 'Delete my data' may have come while the role was being given: then it is removed. */
async function settleDeleted(trx: Trx, action: BegunAction, isOurs: boolean): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  await shareRoleChanges(trx, guildId);
  if (kind === 'grant-role' && roleId !== null) {
    await enqueueRoleChange(trx, { guildId, userIds: [userId], roleId, kind: 'remove-role', cause: dataDeleted });
  }
  if (isOurs) await forgetMember(trx, guildId, userId);
}

/** Of a member who deleted their data, only pending actions stay; the member is held, if there is one. */
export async function forgetDeleted(trx: Trx, { guildId, userId }: BegunAction): Promise<void> {
  if ((await holdCase(trx, guildId, userId)) === null) await forgetMember(trx, guildId, userId);
}

type Refused = Extract<PlatformOutcome, { readonly kind: 'refused' }>;

async function settleRefused(trx: Trx, action: BegunAction, refusal: Refused): Promise<void> {
  const { guildId, userId, kind } = action;
  const { code, sentence } = refusal;
  // Many may be refused at once: only one of them is reported.
  if (isGuildWide(code)) await holdRefusals(trx, guildId);
  // Members before actions, the lock order everywhere.
  await holdCase(trx, guildId, userId);
  if (code === 'direct-messages-closed' || (kind === 'direct-message' && isGuildWide(code))) {
    await endAction(trx, action, { state: 'dropped', failure: 'direct-messages-closed' });
    return;
  }
  if (code === 'unknown-member') {
    await endAction(trx, action, { state: 'dropped', failure: sentence, failureCode: code });
    await trx
      .updateTable('discordMembers')
      .set({ isInGuild: false, hasRole: false })
      .where('guildId', '=', guildId)
      .where('userId', '=', userId)
      .execute();
    return;
  }
  if (!isGuildWide(code)) {
    await endAction(trx, action, { state: 'failed', failure: sentence, failureCode: code });
    return;
  }
  // The one that fails is shown to admins; others with the same fix only wait for it.
  if (await isRefusalReported(trx, action, code)) {
    const again = { delayMs: guildPauseMs, failure: sentence, isAttempt: false, failureCode: code };
    await postponeAction(trx, action, again);
  } else {
    await endAction(trx, action, { state: 'failed', failure: sentence, failureCode: code });
  }
  await pauseRoleChanges(trx, action, guildPauseMs);
}
