import type { JobDefinition } from '../../jobs/jobs.ts';
import type { HoldingAnswer } from '../../market/contract.ts';
import { concurrently } from '../../process/taking-turns.ts';
import { forgetGiven, wantNothing, wantRole } from './member-roles.ts';
import { checksTopic, dueCheck, putOffCheck } from './check-requests.ts';
import { dueWork, memberChecks, roleChanges, type RolesDeps } from './role-jobs.ts';
import { holdCase, type MemberId, readCase, saveDecisions } from './member-store.ts';
import { type Decision, decide, isOutdated, type MemberCase } from './rules/decide.ts';
import { plainCause } from './rules/findings.ts';

interface MemberCheckDeps extends Pick<RolesDeps, 'db' | 'clock'> {
  readonly ownership: Pick<RolesDeps['ownership'], 'readWallet'>;
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
/** After a check whose member changed meanwhile: who keeps linking and unlinking does not keep the chain busy. */
const changedPauseMs = 30_000;

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
    const { guildId } = member;
    try {
      const checked = cause === null ? null : await memberCheck.check({ ...member, cause }, stop);
      if (platform !== null && checked?.kind === 'looked') await sendWhatFollows(jobs, guildId, checked.decision);
    } catch (error) {
      log.warn({ err: error, guildId }, 'A member could not be checked; trying again');
      await putOffCheck(db, member, failurePauseMs);
    }
    // Even if another check did this one: someone may have started waiting since.
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
      const begun = checks.get(key) ?? checkMember(deps, member, stop).finally(() => checks.delete(key));
      checks.set(key, begun);
      return begun;
    },
  };
}
export type MemberCheck = ReturnType<typeof createMemberCheck>;

async function checkMember(
  { db, clock, ownership }: MemberCheckDeps,
  member: CheckedMember,
  stop?: AbortSignal,
): Promise<CheckOutcome> {
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
  const reading = { nftType, answers, begunAt: before.now, begunMs };
  return db.transaction().execute(async (trx) => {
    const held = await holdCase(trx, member.guildId, member.userId);
    if (held === null) return { kind: 'left-alone' };
    const [decided] = await applyReading(trx, [held], reading, member.cause);
    if (decided !== undefined) {
      const { decision, lookedAt } = decided;
      return { kind: 'looked', decision, isNew: lookedAt >= reading.begunAt };
    }
    await putOffCheck(trx, held, changedPauseMs);
    return { kind: 'stopped' };
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

/** What was read of wallets: of one member's, or once for all servers with the same collection. */
export interface Reading {
  readonly nftType: string;
  readonly answers: ReadonlyMap<string, HoldingAnswer>;
  /** By the database's clock. */
  readonly begunAt: Date;
  /** By ours. */
  readonly begunMs: number;
}

interface Decided {
  readonly held: MemberCase;
  readonly lookedAt: Date;
  readonly decision: Decision;
}

/**
 * Decides about held members of one server and stores what follows. Left alone: whom the reading does not answer for, who was checked
 * since it began, and about whom a newer look says something else.
 */
export async function applyReading(
  trx: RolesDeps['db'],
  members: readonly MemberCase[],
  reading: Reading,
  cause: string,
): Promise<readonly Decided[]> {
  const decided = members
    .filter((held) => isAnswered(held, reading))
    .map((held) => {
      const lookedAt = lookedAtOf(held, reading);
      return { held, lookedAt, decision: decide(held, { ...reading, lookedAt, now: held.now, cause }) };
    })
    .filter(({ held, lookedAt, decision }) => !isOutdated(held, { ...reading, answer: decision.answer, lookedAt }));
  const [first] = decided;
  if (first === undefined) return decided;
  const { guildId, guild } = first.held;
  await saveDecisions(trx, guildId, decided);
  const idsOf = (which: readonly Decided[]): readonly string[] => which.map(({ held }) => held.userId);
  const moved = decided.filter(({ held, decision }) => held.roleState !== decision.state.roleState);
  await wantNothing(trx, guildId, idsOf(moved));
  // They have not got the role any more (rules/decide.ts).
  const released = idsOf(moved.filter(({ decision }) => decision.state.roleState === 'none'));
  await forgetGiven(trx, guildId, guild.roleId, released);
  const userIds = idsOf(decided.filter(({ decision }) => decision.grants));
  await wantRole(trx, { guildId, userIds, roleId: guild.roleId, wanted: 'grant-role', cause: plainCause(cause) });
  return decided;
}

/** The same collection and no wallet that was not read; no check stored since. */
const isAnswered = (member: MemberCase, { nftType, answers, begunAt }: Reading): boolean =>
  isLookedAt(member) &&
  member.guild.nftContract === nftType &&
  member.wallets.every(({ wallet }) => answers.has(wallet)) &&
  (member.answeredAt === null || member.answeredAt <= begunAt);

/** What the answers about this member are true of: the oldest may come from a table that was made before the reading began. */
function lookedAtOf({ wallets }: MemberCase, { answers, begunAt, begunMs }: Reading): Date {
  const agesMs = wallets.map(({ wallet }) => begunMs - (answers.get(wallet)?.asOf.getTime() ?? begunMs));
  return new Date(begunAt.getTime() - Math.max(0, ...agesMs));
}
