import type { MemberAnswer } from './findings.ts';

/** How many are about to lose the role in one server, and what that is measured against. */
interface BrakeCount {
  /** Members whose removal is decided or due. */
  readonly leaving: number;
  /**
   * Members with one 'does not hold' and no answer since, even if the second check is delayed because the wallets cannot be read:
   * otherwise sources that fail and come back would let a mass removal through in pieces.
   */
  readonly inDoubt: number;
  /** Members who lost it within the last hour, except those an admin approved. */
  readonly doneLastHour: number;
  /** Members who have the role now, including those leaving and in doubt. */
  readonly roleHolders: number;
}

const membersMax = 10;
const percentMax = 20;

/** Rulings R5: more than 10 members and more than 20 % of those who had the role an hour ago. */
export const isMassRemoval = (leaving: number, roleHolders: number): boolean =>
  leaving > membersMax && leaving * 100 > roleHolders * percentMax;

/** `brake`: stop and wait for an admin. `wait`: it may become a mass removal, so no one loses the role before that is known. */
export function brakeVerdict({ leaving, inDoubt, doneLastHour, roleHolders }: BrakeCount): 'go' | 'wait' | 'brake' {
  const hadRole = roleHolders + doneLastHour;
  if (isMassRemoval(leaving + doneLastHour, hadRole)) return 'brake';
  return isMassRemoval(leaving + inDoubt + doneLastHour, hadRole) ? 'wait' : 'go';
}

/** A member with two 'does not hold' who still has the role. */
export interface PlannedMember {
  readonly userId: string;
  readonly roleState: 'grace' | 'braked';
  readonly hasRole: boolean | null;
  readonly secondNoAt: Date;
  /** null: not announced yet. */
  readonly removalDueAt: Date | null;
  readonly answer: MemberAnswer | null;
  readonly answeredAt: Date | null;
  /** The cause of a removal that is pending or has failed since the second 'no'; null: there is none. */
  readonly removalCause: string | null;
}

export interface RemovalSituation {
  readonly members: readonly PlannedMember[];
  /** A batch waits for an admin's decision. */
  readonly isWaiting: boolean;
  /** Of the last hour, or, while a batch waits, of the hour before it began: waiting alone never releases it. */
  readonly doneLastHour: number;
  readonly inDoubt: number;
  readonly roleHolders: number;
  readonly now: Date;
}

export interface RemovalPlan {
  /** The role is already gone: nothing is left to remove. */
  readonly gone: readonly string[];
  /** To be notified, and given their grace. */
  readonly announce: readonly string[];
  /** The role is removed now. */
  readonly remove: readonly string[];
  /** These wait for an admin, together with those already braked. */
  readonly brake: readonly string[];
  /** The braked members, if too few are left for the brake: they are decided again. */
  readonly release: readonly string[];
  /** The waiting batch ends. */
  readonly isObsolete: boolean;
}

const hourMs = 3_600_000;
/** The longest wait for those in doubt; if their wallets still cannot be read then, an admin decides. */
const waitMaxMs = 30 * 60_000;
const nothing: Omit<RemovalPlan, 'gone'> = { announce: [], remove: [], brake: [], release: [], isObsolete: false };
const idsOf = (members: readonly PlannedMember[]): readonly string[] => members.map(({ userId }) => userId);

/** Plans the removals of one server (rulings R5: announced, due, or stopped by the brake on mass removals). */
export function planRemovals(situation: RemovalSituation): RemovalPlan {
  const { isWaiting } = situation;
  const gone = situation.members.filter(({ hasRole }) => hasRole === false);
  const withRole = situation.members.filter(({ hasRole }) => hasRole !== false);
  const braked = withRole.filter(({ roleState }) => roleState === 'braked');
  const leaving = withRole.filter((member) => member.roleState === 'grace' && isCounted(member, situation.now));
  const isStopped = isWaiting || braked.length > 0;
  const plan = isStopped ? planWhileStopped(situation, braked, leaving) : planFreely(situation, leaving);
  return { ...nothing, ...plan, gone: idsOf(gone) };
}

/** Removals that are decided or due now, except those an admin approved. */
function isCounted({ removalCause, removalDueAt, secondNoAt }: PlannedMember, now: Date): boolean {
  if (removalCause === 'approved') return false;
  const isRecent = now.getTime() - secondNoAt.getTime() < hourMs;
  return removalDueAt === null || removalDueAt <= now || isRecent;
}

function planWhileStopped(
  { inDoubt, doneLastHour, roleHolders, isWaiting }: RemovalSituation,
  braked: readonly PlannedMember[],
  leaving: readonly PlannedMember[],
): Partial<RemovalPlan> {
  const left = braked.length + leaving.length + inDoubt;
  const isStillMass = left > 0 && isMassRemoval(left + doneLastHour, roleHolders + doneLastHour);
  if (!isStillMass || !isWaiting) return { release: idsOf(braked), isObsolete: isWaiting };
  return { brake: idsOf(leaving) };
}

function planFreely(situation: RemovalSituation, leaving: readonly PlannedMember[]): Partial<RemovalPlan> {
  const { now } = situation;
  const verdict = brakeVerdict({ ...situation, leaving: leaving.length });
  const notHolding = leaving.filter(({ answer }) => answer === 'does-not-hold');
  if (verdict === 'wait' && !notHolding.some((member) => isOverdue(member, now))) return {};
  if (verdict !== 'go') return { brake: idsOf(leaving) };
  return {
    announce: idsOf(notHolding.filter(({ removalDueAt }) => removalDueAt === null)),
    remove: idsOf(notHolding.filter((member) => isDue(member, now) && member.removalCause === null)),
  };
}

/** Has waited too long for those in doubt. */
const isOverdue = ({ removalCause, secondNoAt, removalDueAt }: PlannedMember, now: Date): boolean =>
  removalCause === null && now.getTime() - Math.max(secondNoAt.getTime(), removalDueAt?.getTime() ?? 0) >= waitMaxMs;

/** Due, and checked again since with a 'no'. */
const isDue = ({ removalDueAt, answeredAt }: PlannedMember, now: Date): boolean =>
  removalDueAt !== null && removalDueAt <= now && answeredAt !== null && answeredAt >= removalDueAt;
