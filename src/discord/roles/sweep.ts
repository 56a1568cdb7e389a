import { type Kysely, sql, type Transaction } from 'kysely';

import type { HoldingAnswer } from '../../market/contract.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import { holdCasesOf, markDue, type MemberCase, othersOf, saveDecisions } from './member-store.ts';
import {
  type DueSweep,
  type SweepRow,
  endSweep,
  holdSweep,
  putOffSweep,
  readDueSweeps,
  walletsOfGuilds,
} from './sweep-store.ts';
import type { Database } from '../../db/schema.ts';
import { isOfConfiguration, sweepPauseMs } from './rules/follow-up.ts';
import type { Clock, Ownership } from '../ports.ts';
import { dueWork, sweeps } from './job-names.ts';
import { applyGrants, oldestMs } from './member-check.ts';
import { decide, isOutdated } from './rules/decide.ts';

export interface SweepDeps {
  readonly db: Kysely<Database>;
  readonly ownership: Pick<Ownership, 'readWallets'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly jobs: Pick<Jobs, 'send'>;
  readonly log: Pick<Logger, 'warn'>;
  /** RECHECK_INTERVAL_MS. */
  readonly everyMs: number;
  /** Awaited after each batch: the site answers from the same process. */
  readonly stepBack?: ((workedMs: number) => Promise<void>) | undefined;
}

/** No visitor waits behind more than this batch (bench/visitors.ts). */
const membersAtOnceMax = 25;
/** The members of a server stay locked meanwhile, and others may wait for one of them. */
const restInServerMaxMs = 1_000;

/**
 * The backstop (rulings R5): checks every verified member of a server, from one owner table for all servers with the same NFT type.
 * A copy that restarts it after a crash finds nothing half done: each server is stored in one transaction. One type at a time: its
 * table may be the largest data there is.
 */
export const sweepJob = (deps: SweepDeps): JobDefinition<{ nftType: string }> => ({
  ...sweeps,
  failing: 'Sweeps could not be begun',
  run: async ({ nftType }, stop) => {
    const { db, log, everyMs, jobs } = deps;
    const due = await readDueSweeps(db, nftType, everyMs / 12);
    if (due.length === 0) return;
    try {
      await sweepType(deps, nftType, due, stop);
    } catch (error) {
      log.warn({ err: error, nftType }, 'A sweep ended early; trying again');
      await putOffSweep(db, guildIdsOf(due), sweepPauseMs(0));
    }
    await jobs.send(dueWork, {});
  },
});

const guildIdsOf = (due: readonly DueSweep[]): readonly string[] => due.map(({ guildId }) => guildId);

async function sweepType(deps: SweepDeps, nftType: string, due: readonly DueSweep[], stop: AbortSignal): Promise<void> {
  const { db, clock, ownership } = deps;
  const begunMs = clock.now().getTime();
  const { wallets, now: begunAt } = await walletsOfGuilds(db, guildIdsOf(due));
  const answers = await ownership.readWallets(nftType, wallets, stop);
  const lookedAt = new Date(begunAt.getTime() - oldestMs(answers, begunMs));
  const found = { nftType, answers, begunAt, lookedAt, begunMs, failure: outageOf(answers) };
  // One after the other: two at once would be twice the load beside visitors.
  for (const sweep of due) {
    // An interrupted read is no answer.
    if (stop.aborted) return;
    await sweepGuild(deps, { ...found, ...sweep });
  }
}

/** A stable code when nothing could be read: then nothing is changed. */
function outageOf(answers: ReadonlyMap<string, HoldingAnswer>): string | null {
  let reason: string | null = null;
  for (const answer of answers.values()) {
    if (answer.kind !== 'unknown') return null;
    reason ??= answer.reason;
  }
  return reason;
}

/** Most are unknown for lack of configuration: an admin reads it, and what is known still counts. */
function lackOf(answers: ReadonlyMap<string, HoldingAnswer>): string | null {
  const reasons = [...answers.values()].flatMap((answer) =>
    answer.kind === 'unknown' && isOfConfiguration(answer.reason) ? [answer.reason] : [],
  );
  return reasons.length * 2 > answers.size ? (reasons[0] ?? null) : null;
}

interface Swept extends DueSweep {
  readonly nftType: string;
  readonly answers: ReadonlyMap<string, HoldingAnswer>;
  readonly begunAt: Date;
  readonly lookedAt: Date;
  readonly begunMs: number;
  readonly failure: string | null;
}

/** One server, in one transaction. */
async function sweepGuild({ db, clock, everyMs, stepBack }: SweepDeps, swept: Swept): Promise<void> {
  const { guildId, failure, begunAt } = swept;
  const passedOver = await db.transaction().execute(async (trx): Promise<readonly string[]> => {
    const held = await holdSweep(trx, swept);
    if (held === null || held.nftContract !== swept.nftType) return [];
    const members = await holdCasesOf(trx, guildId);
    const known = failure === null ? members.filter((member) => isAnswered(member, swept)) : [];
    const counts = await writeInHandfuls(trx, known, swept, stepBack);
    const durationMs = Math.round(clock.now().getTime() - swept.begunMs);
    const failingSince = failure === null ? null : (held.lastSweep?.failingSince ?? begunAt.toISOString());
    const unknown = failure === null ? counts.unknown : members.length;
    const named = lackOf(swept.answers) ?? failure;
    const found: SweepRow = { ...counts, unknown, durationMs, failure: named, failingSince };
    const failingForMs = failingSince === null ? 0 : begunAt.getTime() - Date.parse(failingSince);
    const isWaitedOut = failure === null || isOfConfiguration(named);
    await endSweep(trx, guildId, found, isWaitedOut ? everyMs : Math.min(everyMs, sweepPauseMs(failingForMs)));
    return failure === null ? othersOf(trx, guildId, members) : [];
  });
  // Locked by others before: waited for only now that no member is held here.
  if (passedOver.length === 0) return;
  await markDue(db, sql`m.guild_id = ${guildId} and m.user_id = any(${[...passedOver]})`, 'sweep');
}

/** Linked or checked since the reading began, or about to be checked: that check is newer. */
const isAnswered = (member: MemberCase, { answers, begunAt }: Swept): boolean =>
  member.wallets.every(({ wallet }) => answers.has(wallet)) &&
  (member.answeredAt === null || member.answeredAt <= begunAt) &&
  (member.checkDueAt === null || member.checkDueAt > member.now);

/** Answers may come from a table that was made before the sweep began. */
function trueAtOf({ wallets }: MemberCase, { answers, begunAt, begunMs }: Swept): Date {
  const agesMs = wallets.map(({ wallet }) => begunMs - (answers.get(wallet)?.asOf.getTime() ?? begunMs));
  return new Date(begunAt.getTime() - Math.max(0, ...agesMs));
}

type Counts = Pick<SweepRow, 'checked' | 'holding' | 'notHolding' | 'unknown'>;
const noCounts: Counts = { checked: 0, holding: 0, notHolding: 0, unknown: 0 };

async function writeInHandfuls(
  trx: Transaction<Database>,
  members: readonly MemberCase[],
  swept: Swept,
  stepBack: SweepDeps['stepBack'],
): Promise<Counts> {
  let counts = noCounts;
  let restedMs = 0;
  for (let from = 0; from < members.length; from += membersAtOnceMax) {
    const begunMs = performance.now();
    counts = sum(counts, await writeMembers(trx, members.slice(from, from + membersAtOnceMax), swept));
    const workedMs = performance.now();
    if (restedMs < restInServerMaxMs) await stepBack?.(workedMs - begunMs);
    restedMs += performance.now() - workedMs;
  }
  return counts;
}

const sum = (one: Counts, other: Counts): Counts => ({
  checked: one.checked + other.checked,
  holding: one.holding + other.holding,
  notHolding: one.notHolding + other.notHolding,
  unknown: one.unknown + other.unknown,
});

async function writeMembers(trx: Transaction<Database>, members: readonly MemberCase[], swept: Swept): Promise<Counts> {
  const { guildId, nftType, answers, begunAt, lookedAt } = swept;
  const decided = members
    .map((held) => ({
      held,
      userId: held.userId,
      lookedAt,
      decision: decide(held, { nftType, answers, begunAt, lookedAt, now: held.now, cause: 'sweep' }),
    }))
    .filter(({ held, decision: { answer } }) => !isOutdated(held, { nftType, answer, trueAt: trueAtOf(held, swept) }));
  const count = (answer: string): number => decided.filter(({ decision }) => decision.answer === answer).length;
  const counts = {
    checked: decided.length,
    holding: count('holds'),
    notHolding: count('does-not-hold'),
    unknown: count('unknown'),
  };
  if (decided.length === 0) return counts;
  await saveDecisions(trx, guildId, decided);
  await applyGrants(trx, decided, 'sweep');
  return counts;
}
