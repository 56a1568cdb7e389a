import type { RoleState } from './decide.ts';
import { type MemberAnswer, plainCause } from './findings.ts';

/** What decides whether an action at Discord is still wanted. */
interface WantedAction {
  readonly kind: 'grant-role' | 'remove-role' | 'direct-message';
  readonly roleId: string | null;
  readonly cause: string;
}

/** The member, now. */
interface MemberNow {
  readonly isInGuild: boolean;
  readonly hasRole: boolean | null;
  readonly roleState: RoleState;
  /** null: they want no messages of payouts. */
  readonly payoutMessagesSince: Date | null;
  readonly removalDueAt: Date | null;
  readonly answer: MemberAnswer | null;
  readonly answeredAt: Date | null;
  readonly checkDueAt: Date | null;
  readonly checkCause: string | null;
  readonly now: Date;
  readonly findings: { readonly nftType: string } | null;
  readonly guild: { readonly roleId: string; readonly nftContract: string | null };
}

export type ActionVerdict =
  | { readonly kind: 'go' }
  /** Its effect is in place already. */
  | { readonly kind: 'already' }
  | { readonly kind: 'drop'; readonly why: string }
  | { readonly kind: 'look-first' }
  | { readonly kind: 'later'; readonly delayMs: number };

/** An older 'does not hold' removes no role. */
const freshMs = 60_000;
/** An older 'holds' gives no role: a grant may have waited behind a limit, or the bot was shut down. */
const freshGrantMs = 5 * 60_000;
const unknownPauseMs = 30_000;
const afterBuyPauseMs = 10_000;

/** The cause of a removal that a member asked for: 'delete my data'. It needs no check of the chain. */
export const dataDeleted = 'data-deleted';

/** The cause of a direct message about a payout. It has nothing to do with the role, and waits for none of its changes. */
export const payoutPaid = 'payout-paid';

const drop = (why: string): ActionVerdict => ({ kind: 'drop', why });

/**
 * Whether it is still to be done (rulings R5): a removal needs a 'no' that is at most a minute old, a grant a 'yes' of the last
 * minutes. `isJustLooked`: the check was made for this, and counts however long it took. Otherwise a member with kiosks that take
 * longer to read would keep the role for good.
 */
export function actionVerdict(action: WantedAction, member: MemberNow | null, isJustLooked = false): ActionVerdict {
  if (action.cause === dataDeleted) {
    return member?.roleState === 'holder' ? drop('holds again') : { kind: 'go' };
  }
  if (member === null) {
    // A removal that was running then counts as theirs now, whatever began it.
    return action.kind === 'remove-role' ? { kind: 'go' } : drop('the member has deleted their data');
  }
  if (!member.isInGuild) return drop('the member is not in the server');
  if (action.cause === payoutPaid)
    return member.payoutMessagesSince === null ? drop('not asked for any more') : { kind: 'go' };
  if (action.kind === 'direct-message')
    return member.roleState === 'grace' ? { kind: 'go' } : drop('not needed any more');
  if (action.roleId !== member.guild.roleId) return drop('another role was chosen');
  return action.kind === 'grant-role' ? grantVerdict(member, isJustLooked) : removalVerdict(member, isJustLooked);
}

function grantVerdict(member: MemberNow, isJustLooked: boolean): ActionVerdict {
  if (member.roleState !== 'holder') return drop('does not hold any more');
  if (member.hasRole === true) return { kind: 'already' };
  if (!isFresh(member, isJustLooked ? null : freshGrantMs)) return { kind: 'look-first' };
  return member.answer === 'holds' ? { kind: 'go' } : { kind: 'later', delayMs: unknownPauseMs };
}

/** Found this recently (null: at any time), and for the current collection. */
const isFresh = ({ answeredAt, now, findings, guild }: MemberNow, withinMs: number | null): boolean =>
  answeredAt !== null &&
  (withinMs === null || now.getTime() - answeredAt.getTime() <= withinMs) &&
  findings?.nftType === guild.nftContract;

function removalVerdict(member: MemberNow, isJustLooked: boolean): ActionVerdict {
  const { roleState, hasRole, removalDueAt, answer, now } = member;
  if (roleState !== 'grace') return drop(roleState === 'holder' ? 'holds again' : 'not wanted any more');
  if (hasRole === false) return { kind: 'already' };
  const dueInMs = removalDueAt === null ? 0 : removalDueAt.getTime() - now.getTime();
  if (dueInMs > 0) return { kind: 'later', delayMs: dueInMs };
  if (isJustBought(member)) return { kind: 'later', delayMs: afterBuyPauseMs };
  if (!isFresh(member, isJustLooked ? null : freshMs)) return { kind: 'look-first' };
  return answer === 'does-not-hold' ? { kind: 'go' } : { kind: 'later', delayMs: unknownPauseMs };
}

/** The checks after a purchase are not over (findings.ts): a 'does not hold' may come from a full node that lags behind. */
const isJustBought = ({ checkDueAt, checkCause }: MemberNow): boolean =>
  checkDueAt !== null && checkCause !== null && ['bought', 'traded'].includes(plainCause(checkCause));
