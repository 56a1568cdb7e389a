import type { PlatformOutcome } from '../../ports.ts';
import type { MemberRecord } from './decide.ts';
import { plainCause } from './findings.ts';

interface WantedChange {
  readonly wanted: 'grant-role' | 'remove-role';
  readonly roleId: string;
  readonly cause: string;
}

type RoleVerdict =
  /** 'end': already done, or no longer wanted. 'end-and-check': another role was chosen, to which they may be entitled. */
  | { readonly kind: 'go' | 'end' | 'end-and-check' | 'check-first' }
  | { readonly kind: 'later'; readonly delayMs: number };

/** An older 'does not hold' removes no role. */
const freshMs = 60_000;
/** An older 'holds' gives no role: a grant may have waited behind a limit, or the bot was shut down. */
const freshGrantMs = 5 * 60_000;
const unknownPauseMs = 30_000;
const afterBuyPauseMs = 10_000;

/** The cause of a removal that a member asked for: 'delete my data'. It needs no check of the chain. */
export const dataDeleted = 'data-deleted';

/**
 * Whether the change is still to be made (rulings R5): a removal needs a 'no' that is at most a minute old, a grant a 'yes' from the last
 * five minutes. `isJustChecked`: the check was made for this change and counts however long it took. Otherwise a member whose kiosks take
 * longer to read would keep the role for good.
 */
export function roleVerdict(change: WantedChange, member: MemberRecord | null, isJustChecked = false): RoleVerdict {
  // A member who came back and may have the role loses it only as everyone else does.
  if (change.cause === dataDeleted) return { kind: member !== null && member.roleState !== 'none' ? 'end' : 'go' };
  if (member === null || !member.isInGuild) return { kind: 'end' };
  const isGrant = change.wanted === 'grant-role';
  if (change.roleId !== member.guild.roleId) return { kind: isGrant ? 'end-and-check' : 'end' };
  return isGrant ? grantVerdict(member, isJustChecked) : removalVerdict(member, isJustChecked);
}

function grantVerdict(member: MemberRecord, isJustChecked: boolean): RoleVerdict {
  if (member.roleState !== 'holder' || member.hasRole === true) return { kind: 'end' };
  if (!isFresh(member, isJustChecked ? null : freshGrantMs)) return { kind: 'check-first' };
  return member.answer === 'holds' ? { kind: 'go' } : { kind: 'later', delayMs: unknownPauseMs };
}

/** Checked this recently (null: at any time), and for the current collection. */
const isFresh = ({ answeredAt, now, findings, guild }: MemberRecord, withinMs: number | null): boolean =>
  answeredAt !== null &&
  (withinMs === null || now.getTime() - answeredAt.getTime() <= withinMs) &&
  findings?.nftType === guild.nftContract;

function removalVerdict(member: MemberRecord, isJustChecked: boolean): RoleVerdict {
  const { roleState, hasRole, removalDueAt, answer, now } = member;
  if (roleState !== 'grace' || hasRole === false) return { kind: 'end' };
  const dueInMs = removalDueAt === null ? 0 : removalDueAt.getTime() - now.getTime();
  if (dueInMs > 0) return { kind: 'later', delayMs: dueInMs };
  if (isJustBought(member)) return { kind: 'later', delayMs: afterBuyPauseMs };
  if (!isFresh(member, isJustChecked ? null : freshMs)) return { kind: 'check-first' };
  return answer === 'does-not-hold' ? { kind: 'go' } : { kind: 'later', delayMs: unknownPauseMs };
}

/** The checks after a purchase are not over (findings.ts): a 'does not hold' may come from a full node that lags behind. */
const isJustBought = ({ checkDueAt, checkCause }: MemberRecord): boolean =>
  checkDueAt !== null && checkCause !== null && ['bought', 'traded'].includes(plainCause(checkCause));

/**
 * What is known about the chosen role of a member once Discord has made the change. `isReplaced`: someone decided or acted meanwhile.
 * `other-role`: another role was chosen meanwhile, about which this change says nothing.
 */
export function roleAfterChange(
  change: Pick<WantedChange, 'wanted' | 'roleId'>,
  member: Pick<MemberRecord, 'roleState'> & { readonly guild: Pick<MemberRecord['guild'], 'roleId'> },
  isReplaced: boolean,
): 'other-role' | 'unknown' | 'given' | 'removed' {
  if (change.roleId !== member.guild.roleId) return 'other-role';
  if (change.wanted === 'grant-role') return isReplaced ? 'unknown' : 'given';
  // They hold again, so they should not have lost it.
  if (member.roleState === 'holder') return 'unknown';
  // Whatever replaced the removal, their role was to end.
  const isStillLosing = member.roleState === 'grace' || member.roleState === 'braked';
  return isReplaced && !isStillLosing ? 'unknown' : 'removed';
}

type RefusalCode = Extract<PlatformOutcome, { readonly kind: 'refused' }>['code'];

/** What Discord's refusal of a change means. `chosenRoleId`: the server's role for holders; null: it is not known. */
export function refusalVerdict(
  { roleId, cause }: Pick<WantedChange, 'roleId' | 'cause'>,
  code: RefusalCode,
  chosenRoleId: string | null,
) {
  const isChosenRole = roleId === chosenRoleId;
  // Nothing is left to do.
  if (code === 'unknown-member') return 'member-left';
  if (cause === dataDeleted && code === 'unknown-role') return 'role-deleted';
  // A member who deletes their data loses every role that the bot gave, not only the chosen one.
  if (cause !== dataDeleted && !isChosenRole) return 'other-role-chosen';
  // The change waits.
  if (!guildWideCodes.includes(code)) return 'member-refused';
  return isChosenRole ? 'chosen-role-blocked' : 'earlier-role-blocked';
}

/** Until the server is fixed, Discord refuses the role for everyone. */
const guildWideCodes: readonly RefusalCode[] = ['missing-permission', 'unknown-role', 'unknown-guild'];
