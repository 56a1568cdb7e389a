import type { Kysely, Transaction } from 'kysely';

import { Unavailable } from '../../shared/failure.ts';
import { claimActions, type ClaimedAction, renewClaim } from '../adapters/claim-actions.ts';
import { causeNow, endAction, endLateMessage, postponeAction } from '../adapters/end-action.ts';
import { enqueueRoleChange } from '../adapters/enqueue-actions.ts';
import { holdCase, type MemberCase, readCase } from '../adapters/member-store.ts';
import { isSweepDue } from '../adapters/sweep-store.ts';
import { otherBotReason } from '../adapters/other-bot.ts';
import type { DiscordTables } from '../adapters/tables.ts';
import { doubtRole, noteRole } from '../adapters/wallet-store.ts';
import { actionVerdict, type ActionVerdict } from '../core/action-verdict.ts';
import { auditReason } from '../core/role-texts.ts';
import type { AuditTrail, PlatformOutcome, RolePlatform } from '../ports.ts';
import { type ClaimedWork, createClaimedWork } from './claimed-work.ts';
import { keepingClaim, type KeepingClaimOptions } from './keeping-claim.ts';
import type { MemberCheck } from './member-check.ts';
import { forgetDeleted, settleAction } from './settle-action.ts';

export interface ActionWorkerOptions extends KeepingClaimOptions {
  readonly db: Kysely<DiscordTables>;
  readonly platform: RolePlatform;
  readonly memberCheck: Pick<MemberCheck, 'check'>;
  readonly audit: AuditTrail;
  readonly copy: string;
  /** One action may have made room for the next. */
  readonly onEnded: () => void;
}

const atOnceMax = 8;
const idleMs = 1_000;
const firstRetryMs = 1_000;
const longestRetryMs = 5 * 60_000;
/** A removal waits behind it. */
const longestMessageRetryMs = 60_000;
const lookPauseMs = 30_000;
const sweepPauseMs = 2_000;
/** One call of Discord: it is ended before another copy may take the action over. */
const callClaimMs = 20_000;
const callPart = 0.75;

/** Gives and takes roles and sends direct messages (rulings R5): any copy does, each member's in order. */
export function createActionWorker(options: ActionWorkerOptions): ClaimedWork {
  const { db, log, copy, claimMs, onEnded } = options;
  return createClaimedWork({
    atOnceMax,
    idleMs,
    claim: (countMax) => claimActions(db, { copy, claimMs, countMax }),
    work: async (action, stop) => {
      await doAction(options, action, stop);
      onEnded();
    },
    onFailure: (error) => log.warn({ err: error }, 'A role change could not be done; trying again'),
  });
}

async function doAction(options: ActionWorkerOptions, action: ClaimedAction, stop: AbortSignal): Promise<void> {
  const { db, copy } = options;
  const verdict = await decideNow(options, action, stop);
  switch (verdict.kind) {
    case 'drop':
      await dropAction(options, action, verdict.why);
      return;
    case 'already':
      await settleAction(options, action, verdict);
      return;
    case 'go':
      await ask(options, action);
      return;
    default: {
      // Stopped in between, or it could not be looked: it waits, and the role stays as it is.
      const delayMs = verdict.kind === 'later' ? verdict.delayMs : lookPauseMs;
      await postponeAction(db, action, copy, { delayMs, failure: null, isAttempt: false });
    }
  }
}

async function decideNow(
  options: ActionWorkerOptions,
  action: ClaimedAction,
  stop: AbortSignal,
): Promise<ActionVerdict> {
  const { db, memberCheck, copy, claimMs } = options;
  const { guildId, userId } = action;
  const verdict = actionVerdict(action, await readCase(db, guildId, userId));
  if (verdict.kind !== 'look-first') return verdict;
  const isGrant = action.kind === 'grant-role';
  // Many grants may have waited for long: one owner table tells of them all.
  if (isGrant && (await isSweepDue(db, guildId))) return { kind: 'later', delayMs: sweepPauseMs };
  const cause = isGrant ? 'before-grant' : 'before-removal';
  const looked = await keepingClaim(
    options,
    () => renewClaim(db, action, copy, claimMs),
    () => memberCheck.check({ guildId, userId, cause }, stop),
  );
  const isJustLooked = looked.kind === 'looked' && looked.isNew;
  return actionVerdict(action, await readCase(db, guildId, userId), isJustLooked);
}

/** A removal that was tried before may have been done, although nobody heard of it. */
async function dropAction({ db, copy }: ActionWorkerOptions, action: ClaimedAction, why: string): Promise<void> {
  const { guildId, userId, kind, roleId, attempts } = action;
  await db.transaction().execute(async (trx) => {
    const member = await holdCase(trx, guildId, userId);
    // Deleted and linked anew within the look: what was decided is about an action of before.
    if ((await causeNow(trx, action)) !== action.cause) {
      await postponeAction(trx, action, copy, { delayMs: 0, failure: null, isAttempt: false });
      return;
    }
    if (!(await endAction(trx, action, copy, { state: 'dropped', failure: why }))) return;
    await forgetDeleted(trx, action);
    if (kind === 'grant-role' && lacksAnotherRole(member, roleId)) await grantChosen(trx, member, action.cause);
    const mayBeGone = kind === 'remove-role' && attempts > 1 && roleId === member?.guild.roleId;
    if (mayBeGone && member.standing === 'holder') await doubtRole(trx, guildId, userId);
  });
}

/** Another role was chosen while this one waited, and nothing has asked for that one yet: an hour would be long. */
const lacksAnotherRole = (member: MemberCase | null, roleId: string | null): member is MemberCase =>
  member !== null &&
  member.isInGuild &&
  member.standing === 'holder' &&
  member.hasRole !== true &&
  member.guild.roleId !== '' &&
  member.guild.roleId !== roleId;

const grantChosen = (trx: Transaction<DiscordTables>, { guildId, userId, guild }: MemberCase, cause: string) =>
  enqueueRoleChange(trx, { guildId, userIds: [userId], roleId: guild.roleId, kind: 'grant-role', cause });

async function ask(options: ActionWorkerOptions, action: ClaimedAction): Promise<void> {
  const { db, copy, platform, log, claimMs } = options;
  const leftMs = Math.min(claimMs, callClaimMs);
  // Begun before the claim: it ends the call before the claim ends.
  const stop = AbortSignal.timeout(leftMs * callPart);
  if (!(await renewClaim(db, action, copy, leftMs))) return;
  try {
    await settleAction(options, action, await perform(platform, action, stop));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error, guildId: action.guildId }, 'Discord could not be asked; trying again');
    const longestMs = action.kind === 'direct-message' ? longestMessageRetryMs : longestRetryMs;
    const backOffMs = Math.min(longestMs, firstRetryMs * 2 ** Math.min(action.attempts - 1, 20));
    // Those that failed together do not come back together.
    const delayMs = Math.max(error.retryAfterMs ?? 0, Math.round(backOffMs * (0.75 + Math.random() / 4)));
    await tryLater(options, action, { delayMs, failure: unansweredText(error) });
  }
}

/** Told to the member and the admins for as long as it waits. */
const unansweredText = ({ reason }: Unavailable): string => {
  if (reason === otherBotReason)
    return 'The bot of this server is not the one that runs right now; it is tried again by itself.';
  return reason === 'refused-by-upstream'
    ? 'Discord refuses the token of the bot right now; it is tried again by itself.'
    : 'Discord does not answer right now; it is tried again by itself.';
};

/** The answer may have been lost after a role was taken: whoever holds again meanwhile gets it anew. */
async function tryLater(
  { db, copy }: ActionWorkerOptions,
  action: ClaimedAction,
  again: { readonly delayMs: number; readonly failure: string },
): Promise<void> {
  const { guildId, userId, kind, roleId } = action;
  await db.transaction().execute(async (trx) => {
    // Members before actions, as everybody locks them.
    const member = await holdCase(trx, guildId, userId);
    const isOurs = kind === 'remove-role' && roleId === member?.guild.roleId;
    if (isOurs && member.standing === 'holder') await doubtRole(trx, guildId, userId);
    else if (isOurs) await noteRole(trx, guildId, userId, null);
    if (!(await endLateMessage(trx, action, copy, member?.removalDueAt ?? null))) {
      await postponeAction(trx, action, copy, { ...again, isAttempt: true });
    }
    await forgetDeleted(trx, action);
  });
}

function perform(platform: RolePlatform, action: ClaimedAction, stop: AbortSignal): Promise<PlatformOutcome> {
  const { guildId, userId, roleId, kind, content, cause } = action;
  if (kind === 'direct-message') return platform.sendDirectMessage(userId, content ?? '', stop);
  const target = { guildId, userId, roleId: roleId ?? '' };
  const reason = auditReason(kind, cause);
  return kind === 'grant-role' ? platform.grantRole(target, reason, stop) : platform.removeRole(target, reason, stop);
}
