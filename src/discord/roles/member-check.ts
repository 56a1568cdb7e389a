import type { JobDefinition } from '../../jobs/jobs.ts';
import { transact } from '../../db/transaction.ts';
import type { HoldingAnswer } from '../../market/contract.ts';
import { concurrently } from '../../process/concurrency.ts';
import { clearGivenRole, cancelRoleChanges, requestRoleChange } from './member-roles.ts';
import { checksTopic, dueCheck, postponeCheck } from './check-requests.ts';
import { memberChecks, roleChanges, type RolesDeps } from './role-jobs.ts';
import { lockMember, type MemberId, readMember, saveDecisions } from './member-store.ts';
import { type Decision, decide, isOutdated, type MemberRecord } from './rules/decide.ts';
import { type CheckCause, plainCause } from './rules/findings.ts';

interface MemberCheckDeps extends Pick<RolesDeps, 'db' | 'clock'> {
  readonly ownership: Pick<RolesDeps['ownership'], 'readWallet'>;
}

interface CheckedMember extends MemberId {
  readonly cause: CheckCause;
}

type CheckOutcome =
  /** `isNew`: everything was read after the call, nothing comes from an older table. */
  | { readonly kind: 'checked'; readonly decision: Decision; readonly isNew: boolean }
  /** The member is not in the server, or the server is not set up. */
  | { readonly kind: 'not-checked' }
  /** Nothing was stored, and the member is due again. */
  | { readonly kind: 'stopped' };

/** Each check costs several calls to the chain. */
const checksAtOnce = 8;
/** After a failure on our side, such as the database. */
const failurePauseMs = 15_000;
/** After a check whose member changed meanwhile: members who keep linking and unlinking must not keep the chain busy. */
const changedPauseMs = 30_000;

/** Checks a member who is due (rulings R5): after an event, for the second time, after a join, … Without a bot only on request. */
export const memberCheckJob = (
  deps: MemberCheckDeps & Pick<RolesDeps, 'jobs' | 'changes' | 'log' | 'platform'>,
): JobDefinition<MemberId> => ({
  ...memberChecks,
  atOnce: checksAtOnce,
  failing: 'Members could not be checked',
  run: async (member, stop) => {
    const { db, jobs, changes, log, platform } = deps;
    const { guildId } = member;
    const cause = await dueCheck(db, member);
    try {
      const checked = cause === null ? null : await checkMember(deps, { ...member, cause }, stop);
      // At once, as the member may be waiting for it.
      if (platform !== null && checked?.kind === 'checked' && checked.decision.grants)
        await jobs.send(roleChanges, { guildId });
    } catch (error) {
      log.warn({ err: error, guildId }, 'A member could not be checked; trying again');
      await postponeCheck(db, member, failurePauseMs);
    }
    // Even if another check did the work: someone may have started waiting since.
    await changes.publish(checksTopic);
  },
});

/** Each wallet may take hundreds of calls to the chain, and everyone else waits in the same queue. */
const walletsAtOnceMax = 2;

export type MemberCheck = (member: CheckedMember, stop: AbortSignal) => Promise<CheckOutcome>;

/** Checks one member now; the result is stored in one transaction. */
export async function checkMember(
  { db, clock, ownership }: MemberCheckDeps,
  member: CheckedMember,
  stop: AbortSignal,
): Promise<CheckOutcome> {
  const before = await readMember(db, member.guildId, member.userId);
  const nftType = before?.guild.nftContract ?? null;
  if (before === null || nftType === null || !isCheckable(before)) {
    if (before !== null) await endCheck(db, before);
    return { kind: 'not-checked' };
  }
  const begunMs = clock.now().getTime();
  const readWallet = async ({ wallet }: MemberRecord['wallets'][number]) =>
    [wallet, await ownership.readWallet(nftType, wallet, stop)] as const;
  const answers = new Map(await concurrently(before.wallets, walletsAtOnceMax, readWallet));
  if (stop.aborted) {
    // An interrupted read is not an answer.
    await postponeCheck(db, member, 0);
    return { kind: 'stopped' };
  }
  const read = { nftType, answers, begunAt: before.now, begunMs };
  return transact(db, async (trx) => {
    const locked = await lockMember(trx, member.guildId, member.userId);
    if (locked === null) return { kind: 'not-checked' };
    const [decided] = await applyAnswers(trx, [locked], read, member.cause);
    if (decided !== undefined) {
      const { decision, asOf } = decided;
      return { kind: 'checked', decision, isNew: asOf >= read.begunAt };
    }
    await postponeCheck(trx, locked, changedPauseMs);
    return { kind: 'stopped' };
  });
}

/** There was nothing to check when the member was read. A check that became due since then, or because they returned, stays. */
async function endCheck(db: RolesDeps['db'], { guildId, userId, now, isInGuild }: MemberRecord): Promise<void> {
  await db
    .updateTable('discordMembers')
    .set({ checkDueAt: null })
    .where((eb) => eb.and({ guildId, userId, isInGuild }))
    .where('checkDueAt', '<=', now)
    .execute();
}

/** Members who have left, or whose server is gone or not set up, are not checked. */
export const isCheckable = ({ isInGuild, guild }: MemberRecord): boolean =>
  isInGuild && !guild.isGone && guild.nftContract !== null;

/** What was read about the wallets of one member, or of all servers with the same collection. */
export interface WalletAnswers {
  readonly nftType: string;
  readonly answers: ReadonlyMap<string, HoldingAnswer>;
  /** By the database's clock. */
  readonly begunAt: Date;
  /** By this copy's clock. */
  readonly begunMs: number;
}

interface Decided {
  readonly locked: MemberRecord;
  readonly asOf: Date;
  readonly decision: Decision;
}

/**
 * Decides about locked members of one server and stores what follows. Skips members whom the answers do not cover, who were checked
 * since the read began, or about whom a newer check says something else.
 */
export async function applyAnswers(
  trx: RolesDeps['db'],
  members: readonly MemberRecord[],
  read: WalletAnswers,
  cause: CheckCause,
): Promise<readonly Decided[]> {
  const decided = members
    .filter((locked) => isAnswered(locked, read))
    .map((locked) => {
      const asOf = answersAsOf(locked, read);
      return { locked, asOf, decision: decide(locked, { ...read, asOf, now: locked.now, cause }) };
    })
    .filter(({ locked, asOf, decision }) => !isOutdated(locked, { ...read, answer: decision.answer, asOf }));
  const [first] = decided;
  if (first === undefined) return decided;
  const { guildId, guild } = first.locked;
  await saveDecisions(trx, guildId, decided);
  const idsOf = (which: readonly Decided[]): readonly string[] => which.map(({ locked }) => locked.userId);
  const moved = decided.filter(({ locked, decision }) => locked.roleState !== decision.state.roleState);
  await cancelRoleChanges(trx, guildId, idsOf(moved));
  // They no longer have the role (rules/decide.ts).
  const released = idsOf(moved.filter(({ decision }) => decision.state.roleState === 'none'));
  await clearGivenRole(trx, guildId, guild.roleId, released);
  const userIds = idsOf(decided.filter(({ decision }) => decision.grants));
  await requestRoleChange(trx, {
    guildId,
    userIds,
    roleId: guild.roleId,
    wanted: 'grant-role',
    cause: plainCause(cause),
  });
  return decided;
}

/** Same collection, every wallet read, and no check stored since. */
const isAnswered = (member: MemberRecord, { nftType, answers, begunAt }: WalletAnswers): boolean =>
  isCheckable(member) &&
  member.guild.nftContract === nftType &&
  member.wallets.every(({ wallet }) => answers.has(wallet)) &&
  (member.answeredAt === null || member.answeredAt <= begunAt);

/** The time as of which the answers about this member are true: the oldest may come from a table made before the read began. */
function answersAsOf({ wallets }: MemberRecord, { answers, begunAt, begunMs }: WalletAnswers): Date {
  const agesMs = wallets.map(({ wallet }) => begunMs - (answers.get(wallet)?.asOf.getTime() ?? begunMs));
  return new Date(begunAt.getTime() - Math.max(0, ...agesMs));
}
