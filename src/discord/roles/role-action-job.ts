import type { Kysely, Transaction } from 'kysely';

import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import { Unavailable } from '../../shared/failure.ts';
import { enqueueRoleChange } from './enqueue-actions.ts';
import { holdCase, type MemberCase, readCase } from './member-store.ts';
import { otherBotReason } from '../gateway/other-bot.ts';
import {
  beginAction,
  type BegunAction,
  causeNow,
  endAction,
  endLateMessage,
  isStillBegun,
  postponeAction,
} from './role-actions.ts';
import { isSweepDue } from './sweep-store.ts';
import type { Database } from '../../db/schema.ts';
import { doubtRole, noteRole } from '../verify/wallet-store.ts';
import { actionVerdict, type ActionVerdict } from './rules/action-verdict.ts';
import { auditReason } from './rules/role-texts.ts';
import type { AuditTrail, PlatformOutcome, RolePlatform } from '../ports.ts';
import { type ActionsOf, roleActions } from './job-names.ts';
import type { MemberCheck } from './member-check.ts';
import { forgetDeleted, settleAction } from './settle-action.ts';

export interface RoleActionDeps {
  readonly db: Kysely<Database>;
  readonly platform: RolePlatform;
  readonly memberCheck: MemberCheck;
  readonly audit: AuditTrail;
  readonly jobs: Pick<Jobs, 'send'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** How many servers at a time in one copy. */
const serversAtOnce = 8;
/** Then another server gets its turn. */
const turnMs = 10_000;
const firstRetryMs = 1_000;
const longestRetryMs = 5 * 60_000;
/** A removal waits for the message. */
const longestMessageRetryMs = 60_000;
const lookPauseMs = 30_000;
const sweepPauseMs = 2_000;
const callWithinMs = 15_000;

/** Gives and removes roles and sends direct messages (rulings R5), each member's in order. One server does not delay another. */
export const roleActionJob = (deps: RoleActionDeps): JobDefinition<ActionsOf> => ({
  ...roleActions,
  atOnce: serversAtOnce,
  failing: 'Role changes could not be done',
  run: async ({ guildId, kind }, stop) => {
    const endsAtMs = performance.now() + turnMs;
    while (!stop.aborted) {
      if (performance.now() > endsAtMs) return { againAt: new Date() };
      const action = await beginAction(deps.db, { guildId, kind });
      if (action === null) return undefined;
      await doAction(deps, action, stop);
      // A role change may wait for it.
      if (kind === 'messages') await deps.jobs.send(roleActions, { guildId, kind: 'role-changes' });
    }
    return undefined;
  },
});

async function doAction(deps: RoleActionDeps, action: BegunAction, stop: AbortSignal): Promise<void> {
  const { db } = deps;
  const verdict = await decideNow(deps, action, stop);
  switch (verdict.kind) {
    case 'drop':
      await dropAction(deps, action, verdict.why);
      return;
    case 'already':
      await settleAction(deps, action, verdict);
      return;
    case 'go':
      await ask(deps, action);
      return;
    default: {
      // Stopped, or the check failed: the action waits, and the role stays as it is.
      const delayMs = verdict.kind === 'later' ? verdict.delayMs : lookPauseMs;
      await postponeAction(db, action, { delayMs, failure: null, isAttempt: false });
    }
  }
}

async function decideNow(deps: RoleActionDeps, action: BegunAction, stop: AbortSignal): Promise<ActionVerdict> {
  const { db, memberCheck } = deps;
  const { guildId, userId } = action;
  const verdict = actionVerdict(action, await readCase(db, guildId, userId));
  if (verdict.kind !== 'look-first') return verdict;
  const isGrant = action.kind === 'grant-role';
  // Many grants may have waited for long: one owner table answers for all.
  if (isGrant && (await isSweepDue(db, guildId))) return { kind: 'later', delayMs: sweepPauseMs };
  const cause = isGrant ? 'before-grant' : 'before-removal';
  const looked = await memberCheck.check({ guildId, userId, cause }, stop);
  const isJustLooked = looked.kind === 'looked' && looked.isNew;
  return actionVerdict(action, await readCase(db, guildId, userId), isJustLooked);
}

/** A removal that was tried before may have been done without us hearing of it. */
async function dropAction({ db }: RoleActionDeps, action: BegunAction, why: string): Promise<void> {
  const { guildId, userId, kind, roleId, attempts } = action;
  await db.transaction().execute(async (trx) => {
    const member = await holdCase(trx, guildId, userId);
    // Deleted and linked anew during the check: the decision was about an earlier action.
    if ((await causeNow(trx, action)) !== action.cause) {
      await postponeAction(trx, action, { delayMs: 0, failure: null, isAttempt: false });
      return;
    }
    if (!(await endAction(trx, action, { state: 'dropped', failure: why }))) return;
    await forgetDeleted(trx, action);
    if (kind === 'grant-role' && lacksAnotherRole(member, roleId)) await grantChosen(trx, member, action.cause);
    const mayBeGone = kind === 'remove-role' && attempts > 1 && roleId === member?.guild.roleId;
    if (mayBeGone && member.standing === 'holder') await doubtRole(trx, guildId, userId);
  });
}

/** Another role was chosen while this one waited, and nothing has queued that one yet: an hour would be long. */
const lacksAnotherRole = (member: MemberCase | null, roleId: string | null): member is MemberCase =>
  member !== null &&
  member.isInGuild &&
  member.standing === 'holder' &&
  member.hasRole !== true &&
  member.guild.roleId !== '' &&
  member.guild.roleId !== roleId;

const grantChosen = (trx: Transaction<Database>, { guildId, userId, guild }: MemberCase, cause: string) =>
  enqueueRoleChange(trx, { guildId, userIds: [userId], roleId: guild.roleId, kind: 'grant-role', cause });

async function ask(deps: RoleActionDeps, action: BegunAction): Promise<void> {
  const { db, platform, log } = deps;
  // Not the job's own signal: a call to Discord is finished.
  const stop = AbortSignal.timeout(callWithinMs);
  if (!(await isStillBegun(db, action))) return;
  try {
    await settleAction(deps, action, await perform(platform, action, stop));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error, guildId: action.guildId }, 'Discord could not be asked; trying again');
    const longestMs = action.kind === 'direct-message' ? longestMessageRetryMs : longestRetryMs;
    const backOffMs = Math.min(longestMs, firstRetryMs * 2 ** Math.min(action.attempts - 1, 20));
    // Jitter, so that those that failed together are not retried together.
    const delayMs = Math.max(error.retryAfterMs ?? 0, Math.round(backOffMs * (0.75 + Math.random() / 4)));
    await tryLater(deps, action, { delayMs, failure: unansweredText(error) });
  }
}

/** Shown to the member and the admins while it waits. */
const unansweredText = ({ reason }: Unavailable): string => {
  if (reason === otherBotReason)
    return 'The bot of this server is not the one that runs right now; it is tried again by itself.';
  return reason === 'refused-by-upstream'
    ? 'Discord refuses the token of the bot right now; it is tried again by itself.'
    : 'Discord does not answer right now; it is tried again by itself.';
};

/** The answer may have been lost after a role was removed: a member who holds again meanwhile gets it anew. */
async function tryLater(
  { db }: RoleActionDeps,
  action: BegunAction,
  again: { readonly delayMs: number; readonly failure: string },
): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  await db.transaction().execute(async (trx) => {
    // Members before actions, the lock order everywhere.
    const member = await holdCase(trx, guildId, userId);
    const isOurs = kind === 'remove-role' && roleId === member?.guild.roleId;
    if (isOurs && member.standing === 'holder') await doubtRole(trx, guildId, userId);
    else if (isOurs) await noteRole(trx, guildId, userId, null);
    if (!(await endLateMessage(trx, action, member?.removalDueAt ?? null))) {
      await postponeAction(trx, action, { ...again, isAttempt: true });
    }
    await forgetDeleted(trx, action);
  });
}

function perform(platform: RolePlatform, action: BegunAction, stop: AbortSignal): Promise<PlatformOutcome> {
  const { guildId, userId, roleId, kind, content, cause } = action;
  if (kind === 'direct-message') return platform.sendDirectMessage(userId, content ?? '', stop);
  const target = { guildId, userId, roleId: roleId ?? '' };
  const reason = auditReason(kind, cause);
  return kind === 'grant-role' ? platform.grantRole(target, reason, stop) : platform.removeRole(target, reason, stop);
}
