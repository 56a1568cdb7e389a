import type { Kysely } from 'kysely';

import { databaseNow, databaseNowPlus, statementBegun } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { configsOfPresentGuilds, watchUntracked } from '../servers/guild-config-store.ts';
import { lockMembers } from '../servers/guild-member-store.ts';
import { applyAnswers, type WalletAnswers } from './member-check.ts';
import { isSwitchedOn } from './member-roles.ts';
import { readMembersOf } from './member-store.ts';
import type { MemberRecord } from './rules/decide.ts';
import { type RolesDeps, sweeps } from './role-jobs.ts';
import { isConfigurationProblem, type MemberAnswer } from './rules/findings.ts';

type SweepDeps = Pick<
  RolesDeps,
  'db' | 'ownership' | 'watching' | 'clock' | 'log' | 'recheckIntervalMs' | 'yieldToRequests'
>;

/** Visitors wait behind at most one batch of this size (bench/visitors.ts). */
const membersAtOnceMax = 25;
/** After a sweep that ended early. */
const failurePauseMs = 30_000;
/** The members of a server stay locked during these rests, and others may wait for them. */
const restInServerMaxMs = 1_000;

/**
 * The backstop (rulings R5): checks every verified member of a server, from one owner table for all servers with the same NFT type.
 * A copy that restarts it after a crash finds nothing half done: each server is stored in one transaction. One type at a time: its
 * owner table may be very large.
 */
export const sweepJob = (deps: SweepDeps): JobDefinition<{ nftType: string }> => ({
  ...sweeps,
  failing: 'Sweeps could not be started',
  run: async ({ nftType }, stop) => {
    const { db, recheckIntervalMs } = deps;
    // Servers that are due soon join the sweep of their collection.
    const due = await readDueSweeps(db, nftType, recheckIntervalMs / 12);
    if (due.length === 0) return;
    // First, so that trades during the sweep are checked on their own.
    await watchUntracked(deps, nftType);
    await sweepType(deps, nftType, due, stop);
  },
});

type Db = Kysely<Database>;
type DueSweep = Awaited<ReturnType<typeof readDueSweeps>>[number];

/** Servers of that NFT type, if one is due; those due within `aheadMs` are included. Only while the bot is switched on. */
async function readDueSweeps(db: Db, nftType: string, aheadMs: number) {
  const due = await configsOfPresentGuilds(db)
    .select(({ eb }) => [
      'c.guildId',
      // As the database writes it: another value means that the server was reconfigured.
      eb.cast<string>('c.sweepDueAt', 'text').as('dueAt'),
      eb('c.sweepDueAt', '<=', statementBegun).as('isDue'),
    ])
    .where('c.nftContract', '=', nftType)
    .where('c.sweepDueAt', '<=', databaseNowPlus(aheadMs))
    .where(isSwitchedOn)
    .orderBy('c.guildId')
    .execute();
  return due.some(({ isDue }) => isDue) ? due : [];
}

const guildIdsOf = (due: readonly DueSweep[]): readonly string[] => due.map(({ guildId }) => guildId);

interface SweepAnswers extends WalletAnswers {
  /** Why no wallet could be read: a stable code. Then nothing is changed. */
  readonly failure: string | null;
}

async function sweepType(deps: SweepDeps, nftType: string, due: readonly DueSweep[], stop: AbortSignal): Promise<void> {
  const putOff = (sweeps: readonly DueSweep[]) => async (error: unknown) => {
    deps.log.warn({ err: error, nftType, guildIds: guildIdsOf(sweeps) }, 'A sweep ended early; trying again');
    const configs = deps.db.updateTable('discordGuildConfigs').set({ sweepDueAt: databaseNowPlus(failurePauseMs) });
    await configs.where('guildId', 'in', guildIdsOf(sweeps)).execute();
    return null;
  };
  const answers = await readAnswers(deps, nftType, due, stop).catch(putOff(due));
  if (answers === null) return;
  // One after the other: two at once would double the load that visitors notice.
  for (const sweep of due) {
    // An interrupted read is not an answer.
    if (stop.aborted) return;
    await sweepGuild(deps, sweep, answers).catch(putOff([sweep]));
  }
}

async function readAnswers(
  deps: SweepDeps,
  nftType: string,
  due: readonly DueSweep[],
  stop: AbortSignal,
): Promise<SweepAnswers> {
  const begunMs = deps.clock.now().getTime();
  const { now: begunAt } = await deps.db.selectNoFrom(databaseNow.as('now')).executeTakeFirstOrThrow();
  const answers = await deps.ownership.readWallets(nftType, await linkedWallets(deps.db, guildIdsOf(due)), stop);
  const reasons = [...answers.values()].map((answer) => (answer.kind === 'unknown' ? answer.reason : null));
  const failure = reasons.includes(null) ? null : (reasons[0] ?? null);
  return { nftType, answers, begunAt, begunMs, failure };
}

/** Every wallet linked in these servers, once. */
async function linkedWallets(db: Db, guildIds: readonly string[]): Promise<readonly string[]> {
  const linked = await db
    .selectFrom('discordWallets as w')
    .innerJoin('discordMembers as m', (join) =>
      join.onRef('m.guildId', '=', 'w.guildId').onRef('m.userId', '=', 'w.userId'),
    )
    .select('w.wallet')
    .distinct()
    .where('w.guildId', 'in', guildIds)
    .where('m.isInGuild', '=', true)
    .execute();
  return linked.map(({ wallet }) => wallet);
}

/** One server, in one transaction. */
async function sweepGuild(deps: SweepDeps, sweep: DueSweep, read: SweepAnswers): Promise<void> {
  const { guildId } = sweep;
  await transact(deps.db, async (trx) => {
    // Reconfigured meanwhile.
    if (!(await lockSweep(trx, sweep, read.nftType))) return;
    await lockMembers(trx, guildId);
    const members = await readMembersOf(trx, guildId);
    if (read.failure !== null) {
      await saveSweep(deps, trx, guildId, read, { checked: 0, holding: 0, notHolding: 0, unknown: members.length });
      return;
    }
    const swept = members.filter((member) => !isCheckDue(member));
    const found = await writeInBatches(trx, swept, read, deps.yieldToRequests);
    const count = (answer: MemberAnswer): number => found.filter((each) => each === answer).length;
    await saveSweep(deps, trx, guildId, read, {
      checked: found.length,
      holding: count('holds'),
      notHolding: count('does-not-hold'),
      unknown: count('unknown'),
    });
  });
}

/** False: the server was reconfigured since the sweep was found due. */
async function lockSweep(trx: Trx, { guildId, dueAt }: DueSweep, nftType: string): Promise<boolean> {
  const config = await trx
    .selectFrom('discordGuildConfigs')
    .select('guildId')
    .where((eb) => eb.and({ guildId, nftContract: nftType }))
    .where(({ eb }) => eb(eb.cast('sweepDueAt', 'text'), '=', dueAt))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return config !== undefined;
}

type SweepCounts = Readonly<Record<'checked' | 'holding' | 'notHolding' | 'unknown', number>>;

/** Stores the result for the admins, and when the next sweep is due. */
async function saveSweep(
  { clock, recheckIntervalMs }: SweepDeps,
  trx: Trx,
  guildId: string,
  read: SweepAnswers,
  counts: SweepCounts,
): Promise<void> {
  const failure = missingConfiguration(read) ?? read.failure;
  const durationMs = Math.round(clock.now().getTime() - read.begunMs);
  // Missing configuration does not come back by itself: trying again soon would be in vain.
  const isRetriedSoon = read.failure !== null && !isConfigurationProblem(failure);
  const dueInMs = isRetriedSoon ? Math.min(recheckIntervalMs, failurePauseMs) : recheckIntervalMs;
  await trx
    .updateTable('discordGuildConfigs')
    .set({
      lastSweep: JSON.stringify({ ...counts, durationMs, failure }),
      lastSweepAt: databaseNow,
      sweepDueAt: databaseNowPlus(dueInMs),
    })
    .where('guildId', '=', guildId)
    .execute();
}

/** The reason if most answers are unknown because of missing configuration: shown to admins, while known answers still count. */
function missingConfiguration({ answers }: WalletAnswers): string | null {
  const reasons = [...answers.values()].flatMap((answer) =>
    answer.kind === 'unknown' && isConfigurationProblem(answer.reason) ? [answer.reason] : [],
  );
  return reasons.length * 2 > answers.size ? (reasons[0] ?? null) : null;
}

/** These have a check of their own, which is newer. */
const isCheckDue = ({ checkDueAt, now }: MemberRecord): boolean => checkDueAt !== null && checkDueAt <= now;

async function writeInBatches(
  trx: Trx,
  members: readonly MemberRecord[],
  answers: WalletAnswers,
  yieldToRequests: SweepDeps['yieldToRequests'],
): Promise<readonly MemberAnswer[]> {
  const found: MemberAnswer[] = [];
  let restedMs = 0;
  for (let from = 0; from < members.length; from += membersAtOnceMax) {
    const begunMs = performance.now();
    const decided = await applyAnswers(trx, members.slice(from, from + membersAtOnceMax), answers, 'sweep');
    found.push(...decided.map(({ decision }) => decision.answer));
    const workedMs = performance.now();
    if (restedMs < restInServerMaxMs) await yieldToRequests(workedMs - begunMs);
    restedMs += performance.now() - workedMs;
  }
  return found;
}
