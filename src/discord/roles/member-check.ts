import type { JobDefinition } from '../../jobs/jobs.ts';
import type { HoldingAnswer } from '../../market/contract.ts';
import { concurrently } from '../../process/taking-turns.ts';
import { forgetGiven, wantNothing, wantRole } from './member-roles.ts';
import { budgetKey, type CheckBudget, checksTopic, dueCheck, putOffCheck } from './check-requests.ts';
import { dueWork, memberChecks, roleChanges, type RolesDeps } from './role-jobs.ts';
import { holdCase, type MemberCase, type MemberId, readCase, saveDecisions } from './member-store.ts';
import { type Decision, decide } from './rules/decide.ts';
import { plainCause } from './rules/findings.ts';

interface MemberCheckDeps extends Pick<RolesDeps, 'db' | 'clock'> {
  readonly ownership: Pick<RolesDeps['ownership'], 'readWallet'>;
  readonly budget: CheckBudget;
}

interface CheckedMember extends MemberId {
  readonly cause: string;
}

type CheckOutcome =
  /** `isNew`: all of it was read since the call, none from an older table. */
  | { readonly kind: 'looked'; readonly decision: Decision; readonly isNew: boolean }
  /** Not in the server, or it is not set up. */
  | { readonly kind: 'left-alone' }
  /** Nothing was stored, the member is due again. */
  | { readonly kind: 'stopped' };

/** Each costs several calls to the chain. */
const checksAtOnce = 8;
/** After a failure of ours, such as the database. */
const failurePauseMs = 15_000;

/** Checks a member who is due (rulings R5): after an event, for the second time, after a join, … Without a bot only those asked for. */
export const memberCheckJob = (
  { db, jobs, changes, log, platform }: Pick<RolesDeps, 'db' | 'jobs' | 'changes' | 'log' | 'platform'>,
  memberCheck: MemberCheck,
): JobDefinition<MemberId> => ({
  ...memberChecks,
  atOnce: checksAtOnce,
  failing: 'Members could not be checked',
  run: async (member, stop) => {
    const cause = await dueCheck(db, member);
    if (cause === null) return;
    try {
      const checked = await memberCheck.check({ ...member, cause }, stop);
      if (platform !== null && checked.kind === 'looked') await sendWhatFollows(jobs, member.guildId, checked.decision);
    } catch (error) {
      log.warn({ err: error, guildId: member.guildId }, 'A member could not be checked; trying again');
      await putOffCheck(db, member, failurePauseMs);
    }
    await changes.publish(checksTopic);
  },
});

async function sendWhatFollows(jobs: Pick<RolesDeps['jobs'], 'send'>, guildId: string, { grants, state }: Decision) {
  if (grants) await jobs.send(roleChanges, { guildId });
  if (state.roleState === 'grace') await jobs.send(dueWork, {});
}

/** Each may be hundreds of calls to the chain, for which everyone else waits in the same queue. */
const walletsAtOnceMax = 2;

/** Checks one member now; the result is stored in one transaction. Calls for the same member while a check runs share it. */
export function createMemberCheck(deps: MemberCheckDeps) {
  const checks = new Map<string, Promise<CheckOutcome>>();
  return {
    check: (member: CheckedMember, stop?: AbortSignal): Promise<CheckOutcome> => {
      const key = `${member.guildId} ${member.userId}`;
      const begun = checks.get(key) ?? checkTillDone(deps, member, stop).finally(() => checks.delete(key));
      checks.set(key, begun);
      return begun;
    },
  };
}
export type MemberCheck = ReturnType<typeof createMemberCheck>;

/** A member who keeps linking and unlinking is checked again while the budget lasts, and then later. */
async function checkTillDone(deps: MemberCheckDeps, member: CheckedMember, stop?: AbortSignal): Promise<CheckOutcome> {
  for (;;) {
    const outcome = await checkOnce(deps, member, stop);
    if (outcome !== 'changed') return outcome;
    const delayMs = deps.budget.take(budgetKey(member, member.cause));
    if (delayMs === 0) continue;
    await putOffCheck(deps.db, member, delayMs);
    return { kind: 'stopped' };
  }
}

async function checkOnce(
  { db, clock, ownership }: MemberCheckDeps,
  member: CheckedMember,
  stop?: AbortSignal,
): Promise<CheckOutcome | 'changed'> {
  const before = await readCase(db, member.guildId, member.userId);
  const nftType = before?.guild.nftContract ?? null;
  if (before === null || nftType === null || !isLookedAt(before)) {
    if (before !== null) await endCheck(db, before);
    return { kind: 'left-alone' };
  }
  const begunMs = clock.now().getTime();
  const read = async ({ wallet }: MemberCase['wallets'][number]) =>
    [wallet, await ownership.readWallet(nftType, wallet, stop)] as const;
  const answers = new Map(await concurrently(before.wallets, walletsAtOnceMax, read));
  if (stop?.aborted === true) {
    // An interrupted read is no answer.
    await putOffCheck(db, member, 0);
    return { kind: 'stopped' };
  }
  const lookedAt = new Date(before.now.getTime() - oldestMs(answers, begunMs));
  return db.transaction().execute(async (trx) => {
    const held = await holdCase(trx, member.guildId, member.userId);
    if (held === null) return { kind: 'left-alone' };
    if (!isSameQuestion(before, held)) return 'changed';
    const look = { nftType, answers, begunAt: before.now, lookedAt, now: held.now, cause: member.cause };
    const decision = decide(held, look);
    await saveDecisions(trx, held.guildId, [{ userId: held.userId, lookedAt, decision }]);
    await applyGrants(trx, [{ held, decision }], plainCause(member.cause));
    return { kind: 'looked', decision, isNew: lookedAt >= before.now };
  });
}

/** There was nothing to check when the member was read; a check that became due since, or by a return, stays. */
async function endCheck(db: RolesDeps['db'], { guildId, userId, now, isInGuild }: MemberCase): Promise<void> {
  await db
    .updateTable('discordMembers')
    .set({ checkDueAt: null })
    .where((eb) => eb.and({ guildId, userId, isInGuild }))
    .where('checkDueAt', '<=', now)
    .execute();
}

/** Members outside the server, or of one that is gone or not set up, are not checked. */
export const isLookedAt = ({ isInGuild, guild }: MemberCase): boolean =>
  isInGuild && !guild.isGone && guild.nftContract !== null;

/** The same wallets and contract, and no later check stored meanwhile. */
const isSameQuestion = (before: MemberCase, held: MemberCase): boolean =>
  isLookedAt(held) &&
  before.guild.nftContract === held.guild.nftContract &&
  before.wallets.map(({ wallet }) => wallet).join() === held.wallets.map(({ wallet }) => wallet).join() &&
  (held.answeredAt === null || held.answeredAt <= before.now);

/** How much older than the check its oldest 'does not hold' is: it may come from an earlier table. */
export function oldestMs(answers: ReadonlyMap<string, HoldingAnswer>, begunMs: number): number {
  const negatives = [...answers.values()].filter(({ kind }) => kind === 'does-not-hold');
  return Math.max(0, ...negatives.map(({ asOf }) => begunMs - asOf.getTime()));
}

/** Gives the role to those who are to get it, and stops what was to become of it where they stand elsewhere now; all of one server, held. */
export async function applyGrants(
  trx: RolesDeps['db'],
  decided: readonly { readonly held: MemberCase; readonly decision: Decision }[],
  cause: string,
): Promise<void> {
  const [first] = decided;
  if (first === undefined) return;
  const { guildId, guild } = first.held;
  const idsOf = (which: typeof decided): readonly string[] => which.map(({ held }) => held.userId);
  const moved = decided.filter(({ held, decision }) => held.roleState !== decision.state.roleState);
  await wantNothing(trx, guildId, idsOf(moved));
  // They have not got the role any more (rules/decide.ts).
  const released = idsOf(moved.filter(({ decision }) => decision.state.roleState === 'none'));
  await forgetGiven(trx, guildId, guild.roleId, released);
  const userIds = idsOf(decided.filter(({ decision }) => decision.grants));
  await wantRole(trx, { guildId, userIds, roleId: guild.roleId, wanted: 'grant-role', cause });
}
