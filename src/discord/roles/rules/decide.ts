import type { HoldingAnswer } from '../../../market/contract.ts';
import {
  type CheckCause,
  evaluate,
  findingOf,
  type Findings,
  followUp,
  isConfigurationProblem,
  type MemberAnswer,
  unknownPauseMs,
} from './findings.ts';

/** Rulings R5. 'braked': a mass removal waits for an admin; 'kept': an admin refused it, so the role stays until the wallets hold again. */
export type RoleState = 'none' | 'holder' | 'doubt' | 'grace' | 'braked' | 'kept';

export interface RoleRecord {
  readonly roleState: RoleState;
  readonly firstNoAt: Date | null;
  readonly secondNoAt: Date | null;
  /** null in 'grace': not notified yet, as the brake on mass removals decides first (removal-plan.ts). */
  readonly removalDueAt: Date | null;
}

interface CheckedAnswer {
  readonly answer: MemberAnswer;
  /** The time as of which the answer is true. */
  readonly asOf: Date;
  /** As last reported by Discord; null: not reported yet. */
  readonly hasRole: boolean | null;
}

interface RoleStep {
  readonly state: RoleRecord;
  /** null: the state needs no further check. */
  readonly checkAgainAt: Date | null;
  /** Entitled to the role. */
  readonly isEntitled: boolean;
}

/** Rulings R5: removal needs two 'does not hold' at least this far apart. */
export const secondCheckAfterMs = 10 * 60_000;

/** A state without a pending removal. */
export const nothingDue = (roleState: RoleState): RoleRecord => ({
  roleState,
  firstNoAt: null,
  secondNoAt: null,
  removalDueAt: null,
});

/** What one check changes. `unknown` never changes anything; the caller checks again. */
export function nextRoleState(state: RoleRecord, checked: CheckedAnswer): RoleStep {
  if (checked.answer === 'holds') return { state: nothingDue('holder'), checkAgainAt: null, isEntitled: true };
  if (checked.answer === 'unknown') return { state, checkAgainAt: null, isEntitled: false };
  return { ...afterNo(state, checked), isEntitled: false };
}

function afterNo(state: RoleRecord, { asOf, hasRole }: CheckedAnswer): Omit<RoleStep, 'isEntitled'> {
  const stays = { state, checkAgainAt: null };
  switch (state.roleState) {
    case 'none':
    // Also without the role: another one may be chosen for a while (decision 0019).
    case 'kept':
      return stays;
    case 'holder':
      return {
        state: { ...nothingDue('doubt'), firstNoAt: asOf },
        checkAgainAt: new Date(asOf.getTime() + secondCheckAfterMs),
      };
    case 'doubt':
      return secondCheck(state, asOf, hasRole);
    case 'grace':
    case 'braked': {
      // Someone else has removed the role already.
      if (hasRole === false) return { state: nothingDue('none'), checkAgainAt: null };
      const isInGracePeriod = state.roleState === 'grace' && state.removalDueAt !== null && asOf < state.removalDueAt;
      return isInGracePeriod ? { state, checkAgainAt: state.removalDueAt } : stays;
    }
    default:
      return state.roleState satisfies never;
  }
}

function secondCheck(state: RoleRecord, asOf: Date, hasRole: boolean | null): Omit<RoleStep, 'isEntitled'> {
  const firstNoAt = state.firstNoAt ?? asOf;
  const secondCheckAt = new Date(firstNoAt.getTime() + secondCheckAfterMs);
  if (asOf < secondCheckAt) return { state: { ...state, firstNoAt }, checkAgainAt: secondCheckAt };
  if (hasRole === false) return { state: nothingDue('none'), checkAgainAt: null };
  return { state: { roleState: 'grace', firstNoAt, secondNoAt: asOf, removalDueAt: null }, checkAgainAt: null };
}

/** A member of a server with everything that a check, a role change and /why need, read in one statement. */
export interface MemberRecord extends RoleRecord {
  readonly guildId: string;
  readonly userId: string;
  readonly displayName: string;
  readonly isInGuild: boolean;
  /** As last reported by Discord; null: not reported yet. */
  readonly hasRole: boolean | null;
  readonly answer: MemberAnswer | null;
  readonly answeredAt: Date | null;
  readonly findings: Findings | null;
  /** null: checked with everyone else in the next sweep. */
  readonly checkDueAt: Date | null;
  readonly checkCause: CheckCause | null;
  /** When they asked for payout messages; null: they have not. */
  readonly payoutMessagesSince: Date | null;
  readonly wallets: readonly {
    readonly wallet: string;
    readonly linkedAt: Date;
    readonly isAuthorized: boolean;
    readonly authorizedUntil: Date | 'always' | null;
  }[];
  readonly guild: {
    readonly name: string;
    /** The bot is no longer in it. */
    readonly isGone: boolean;
    /** null: not configured. */
    readonly nftContract: string | null;
    readonly nftName: string | null;
    /** Empty: none yet. */
    readonly roleId: string;
    /** null: none, or not one of the server's roles. */
    readonly roleName: string | null;
  };
  /** By the database's clock. */
  readonly now: Date;
}

/** What a decision needs to know about a member. */
export interface DecidedMember
  extends RoleRecord, Pick<MemberRecord, 'hasRole' | 'findings' | 'checkDueAt' | 'checkCause'> {
  readonly wallets: readonly Pick<MemberRecord['wallets'][number], 'wallet' | 'isAuthorized'>[];
}

/** The answers about a member's wallets, with time and cause of the check. */
export interface CheckedAnswers {
  /** The canonical type that was checked for. */
  readonly nftType: string;
  /** Every wallet of the member; a missing one counts as unknown. */
  readonly answers: ReadonlyMap<string, HoldingAnswer>;
  /** When the check began. Whatever became due after that still needs a check. */
  readonly begunAt: Date;
  /** The time as of which the answers are true: earlier than `begunAt` if they come from an older table. */
  readonly asOf: Date;
  readonly now: Date;
  readonly cause: CheckCause;
}

export interface Decision {
  readonly answer: MemberAnswer;
  readonly state: RoleRecord;
  readonly findings: Findings;
  readonly checkDueAt: Date | null;
  readonly checkCause: CheckCause | null;
  /** The role is to be given. */
  readonly grants: boolean;
}

/** What follows from one check of a member: the same for a single check and for the sweep (rulings R5). */
export function decide(member: DecidedMember, checked: CheckedAnswers): Decision {
  const { answers, now } = checked;
  const found = member.wallets.map(({ wallet }) =>
    findingOf(wallet, answers.get(wallet) ?? { kind: 'unknown', reason: 'not-read', asOf: now }),
  );
  const answer = evaluate(
    found.map((finding, index) => ({
      answer: finding.answer,
      isAuthorized: member.wallets[index]?.isAuthorized === true,
    })),
  );
  const step = nextRoleState(roleRecordFor(member, checked.nftType), { ...checked, answer, hasRole: member.hasRole });
  const unknownSince = answer === 'unknown' ? (member.findings?.unknownSince ?? now.toISOString()) : null;
  return {
    answer,
    state: step.state,
    findings: { nftType: checked.nftType, unknownSince, wallets: found },
    ...nextCheck(member, checked, {
      answer,
      checkAgainAt: step.checkAgainAt,
      unknownSince: found.every(isSettled) ? null : unknownSince,
    }),
    grants: step.isEntitled && member.hasRole !== true,
  };
}

const isSettled = ({ answer, reason }: Findings['wallets'][number]): boolean =>
  answer !== 'unknown' || isConfigurationProblem(reason);

/** Members who had the role start over if the two checks were for another collection, or an admin's refusal about wallets now unlinked. */
function roleRecordFor(member: DecidedMember, nftType: string): RoleRecord {
  const { findings, roleState, wallets } = member;
  const isAboutAnother = findings !== null && findings.nftType !== nftType && roleState !== 'none';
  return isAboutAnother || (roleState === 'kept' && wallets.length === 0) ? nothingDue('holder') : member;
}

type Due = Pick<Decision, 'checkDueAt' | 'checkCause'>;
const noCheck: Due = { checkDueAt: null, checkCause: null };

function nextCheck(
  member: DecidedMember,
  { begunAt, now, cause }: CheckedAnswers,
  found: { readonly answer: MemberAnswer; readonly checkAgainAt: Date | null; readonly unknownSince: string | null },
): Due {
  const { checkDueAt, checkCause } = member;
  // A check covers whatever was due: a purchase is followed up even if the member asked for a check just then.
  const isOverdue = checkDueAt !== null && checkDueAt <= begunAt;
  const about = isOverdue ? (checkCause ?? cause) : cause;
  const again = followUp(about, found.answer);
  const unknownForMs = found.unknownSince === null ? 0 : now.getTime() - Date.parse(found.unknownSince);
  return earliest([
    found.checkAgainAt === null ? noCheck : { checkDueAt: found.checkAgainAt, checkCause: 'second-look' },
    again === null ? noCheck : { checkDueAt: later(now, again.afterMs), checkCause: again.cause },
    // It keeps its cause: a failed check after a purchase is followed up like any other.
    found.unknownSince === null ? noCheck : { checkDueAt: later(now, unknownPauseMs(unknownForMs)), checkCause: about },
    // Something happened during this check, so the member became due again.
    checkDueAt !== null && checkDueAt > begunAt ? { checkDueAt, checkCause } : noCheck,
  ]);
}

const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

const earliest = (dues: readonly Due[]): Due =>
  dues.reduce((first, due) => {
    if (due.checkDueAt === null) return first;
    return first.checkDueAt === null || due.checkDueAt < first.checkDueAt ? due : first;
  }, noCheck);

interface OlderAnswer {
  /** The canonical type that was checked for. */
  readonly nftType: string;
  readonly answer: MemberAnswer;
  /** The time as of which its oldest part is true, by the clock of `answeredAt`. */
  readonly asOf: Date;
}

/**
 * An owner table may be a minute old: it does not undo what a check of the wallets themselves has found since. Otherwise a member who
 * just sold would count as a holder until the next sweep, and one who just bought would be in doubt.
 */
export const isOutdated = (
  member: Pick<MemberRecord, 'answer' | 'answeredAt' | 'findings'>,
  { nftType, answer, asOf }: OlderAnswer,
): boolean =>
  member.answeredAt !== null &&
  member.answeredAt > asOf &&
  member.findings?.nftType === nftType &&
  member.answer !== 'unknown' &&
  member.answer !== answer;
