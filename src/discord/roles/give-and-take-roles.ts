import type { JobDefinition } from '../../jobs/jobs.ts';
import { Unavailable } from '../../shared/failure.ts';
import { otherBotReason } from '../bot.ts';
import type { PlatformOutcome, RolePlatform } from '../ports.ts';
import {
  beginAction,
  type BegunAction,
  causeNow,
  endAction,
  endLateMessage,
  enqueueRoleChange,
  postponeAction,
} from './action-queue.ts';
import { forgetDeleted } from './linking.ts';
import { type ActionsOf, roleActions, type RolesDeps } from './role-jobs.ts';
import type { MemberCheck } from './member-check.ts';
import { doubtRole, holdCase, type MemberCase, readCase, updateMember } from './member-store.ts';
import { recordOutcome } from './record-outcome.ts';
import { actionVerdict, type ActionVerdict } from './rules/action-verdict.ts';
import { auditReason } from '../commands/rules/bot-texts.ts';
import { isSweepDue } from './sweep.ts';

interface GiveAndTakeDeps extends Pick<RolesDeps, 'db' | 'audit' | 'log'> {
  readonly jobs: Pick<RolesDeps['jobs'], 'send'>;
  readonly platform: RolePlatform;
  readonly memberCheck: MemberCheck;
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
export const roleActionJob = (deps: GiveAndTakeDeps): JobDefinition<ActionsOf> => ({
  ...roleActions,
  atOnce: serversAtOnce,
  failing: 'Role changes could not be made',
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

async function doAction(deps: GiveAndTakeDeps, action: BegunAction, stop: AbortSignal): Promise<void> {
  const verdict = await decideNow(deps, action, stop);
  if (verdict.kind === 'drop') return dropAction(deps, action, verdict.why);
  if (verdict.kind === 'already') return recordOutcome(deps, action, verdict);
  if (verdict.kind === 'go') return askDiscord(deps, action);
  // Stopped, or the check failed: the action waits, and the role stays as it is.
  return postponeAction(deps.db, action, { delayMs: verdict.kind === 'later' ? verdict.delayMs : lookPauseMs });
}

async function decideNow(deps: GiveAndTakeDeps, action: BegunAction, stop: AbortSignal): Promise<ActionVerdict> {
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
async function dropAction({ db }: GiveAndTakeDeps, action: BegunAction, why: string): Promise<void> {
  const { guildId, userId, kind, roleId, attempts } = action;
  await db.transaction().execute(async (trx) => {
    const member = await holdCase(trx, guildId, userId);
    // Deleted and linked anew during the check: the decision was about an earlier action.
    if ((await causeNow(trx, action)) !== action.cause) return postponeAction(trx, action, { delayMs: 0 });
    await endAction(trx, action, 'dropped', { failure: why });
    await forgetDeleted(trx, action);
    if (kind === 'grant-role' && lacksAnotherRole(member, roleId)) {
      const chosen = { guildId, userIds: [userId], roleId: member.guild.roleId, kind, cause: action.cause };
      return enqueueRoleChange(trx, chosen);
    }
    const mayBeGone = kind === 'remove-role' && attempts > 1 && roleId === member?.guild.roleId;
    if (mayBeGone && member.roleState === 'holder') return doubtRole(trx, action);
  });
}

/** Another role was chosen while this one waited, and nothing has queued that one yet: an hour would be long. */
const lacksAnotherRole = (member: MemberCase | null, roleId: string | null): member is MemberCase =>
  member !== null &&
  member.isInGuild &&
  member.roleState === 'holder' &&
  member.hasRole !== true &&
  member.guild.roleId !== '' &&
  member.guild.roleId !== roleId;

async function askDiscord(deps: GiveAndTakeDeps, action: BegunAction): Promise<void> {
  const { db, platform, log } = deps;
  // Not the job's own signal: a call to Discord is finished.
  const stop = AbortSignal.timeout(callWithinMs);
  if ((await causeNow(db, action)) === null) return;
  try {
    await recordOutcome(deps, action, await perform(platform, action, stop));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error, guildId: action.guildId }, 'Discord could not be asked; trying again');
    await tryLater(deps, action, error);
  }
}

function perform(platform: RolePlatform, action: BegunAction, stop: AbortSignal): Promise<PlatformOutcome> {
  const { id, guildId, userId, roleId, kind, content, cause } = action;
  if (kind === 'direct-message') return platform.sendDirectMessage(userId, content ?? '', stop, `action ${id}`);
  const target = { guildId, userId, roleId: roleId ?? '' };
  const reason = auditReason(kind, cause);
  return kind === 'grant-role' ? platform.grantRole(target, reason, stop) : platform.removeRole(target, reason, stop);
}

/** The answer may have been lost after a role was removed: a member who holds again meanwhile gets it anew. */
async function tryLater({ db }: GiveAndTakeDeps, action: BegunAction, error: Unavailable): Promise<void> {
  const { guildId, userId, kind, roleId, attempts } = action;
  const longestMs = kind === 'direct-message' ? longestMessageRetryMs : longestRetryMs;
  const backOffMs = Math.min(longestMs, firstRetryMs * 2 ** Math.min(attempts - 1, 20));
  // Jitter, so that those that failed together are not retried together.
  const delayMs = Math.max(error.retryAfterMs ?? 0, Math.round(backOffMs * (0.75 + Math.random() / 4)));
  await db.transaction().execute(async (trx) => {
    // Members before actions, the lock order everywhere.
    const member = await holdCase(trx, guildId, userId);
    const isOurs = kind === 'remove-role' && roleId === member?.guild.roleId;
    if (isOurs && member.roleState === 'holder') await doubtRole(trx, action);
    else if (isOurs) await updateMember(trx, action, { hasRole: null });
    if (!(await endLateMessage(trx, action, member?.removalDueAt ?? null))) {
      await postponeAction(trx, action, { delayMs, failure: unansweredText(error), isAttempt: true });
    }
    await forgetDeleted(trx, action);
  });
}

const unansweredText = ({ reason }: Unavailable): string => {
  if (reason === otherBotReason)
    return 'The bot of this server is not the one that runs right now; the bot tries again by itself.';
  return reason === 'refused-by-upstream'
    ? 'Discord refuses the token of the bot right now; the bot tries again by itself.'
    : 'Discord does not answer right now; the bot tries again by itself.';
};
