import { type Kysely, sql, type Transaction } from 'kysely';

import type { HoldingAnswer } from '../../market/contract.ts';
import type { Logger } from '../../platform/logger.ts';
import { holdCasesOf, markDue, type MemberCase, othersOf, saveDecisions } from '../adapters/member-store.ts';
import {
  type ClaimedSweep,
  claimSweep,
  endSweep,
  holdSweep,
  releaseSweep,
  renewSweep,
  walletsOfGuilds,
} from '../adapters/sweep-store.ts';
import type { DiscordTables, SweepRow } from '../adapters/tables.ts';
import { decide } from '../core/decide.ts';
import { isOfConfiguration, sweepPauseMs } from '../core/follow-up.ts';
import { isOutdated } from '../core/newer-look.ts';
import type { Clock, Ownership } from '../ports.ts';
import { type ClaimedWork, createClaimedWork } from './claimed-work.ts';
import { keepingClaim } from './keeping-claim.ts';
import { applyGrants, oldestMs } from './member-check.ts';

export interface SweepOptions {
  readonly db: Kysely<DiscordTables>;
  readonly ownership: Pick<Ownership, 'readWallets'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly copy: string;
  /** RECHECK_INTERVAL_MS. */
  readonly everyMs: number;
  readonly claimMs: number;
  /** Awaited after each handful: the site answers from the same process. */
  readonly stepBack?: ((workedMs: number) => Promise<void>) | undefined;
  /** Roles wait to be given, members to be looked at again. */
  readonly onQueued: () => void;
}

const idleMs = 1_000;
/** No visitor waits behind more than such a handful (bench/visitors.ts). */
const membersAtOnceMax = 25;
/** The members of a server are held meanwhile, and somebody may wait for one of them. */
const restInServerMaxMs = 1_000;

/**
 * The backstop (rulings R5): every verified member of a server, looked at from one owner table for all servers with the same NFT
 * type. A copy that dies on the way leaves a claim that ends; whoever takes it begins again, and nothing was half done: a
 * server is written down in one transaction.
 */
export function createSweep(options: SweepOptions): ClaimedWork {
  const { db, log, copy, claimMs, everyMs } = options;
  return createClaimedWork<ClaimedSweep>({
    // One type at a time: its table may be the largest thing there is.
    atOnceMax: 1,
    idleMs: Math.min(idleMs, everyMs),
    claim: async () => {
      const claimed = await claimSweep(db, { copy, claimMs, aheadMs: everyMs / 12 });
      return claimed === null ? [] : [claimed];
    },
    work: async (claimed, stop) => {
      try {
        await sweepType(options, claimed, stop);
      } catch (error) {
        log.warn({ err: error, nftType: claimed.nftType }, 'A sweep ended early; trying again');
        await releaseSweep(db, copy, claimed.guildIds, sweepPauseMs(0));
      }
    },
    onFailure: (error) => log.warn({ err: error }, 'Sweeps could not be begun; trying again'),
  });
}

async function sweepType(options: SweepOptions, { nftType, guildIds }: ClaimedSweep, stop: AbortSignal): Promise<void> {
  const { db, clock, copy, ownership } = options;
  const begunMs = clock.now().getTime();
  const { wallets, now: begunAt } = await walletsOfGuilds(db, guildIds);
  const renew = () => renewSweep(db, copy, guildIds, options.claimMs);
  const answers = await keepingClaim(options, renew, () => ownership.readWallets(nftType, wallets, stop));
  // Whatever was not waited for is no answer.
  if (stop.aborted) return releaseSweep(db, copy, guildIds, 0);
  const lookedAt = new Date(begunAt.getTime() - oldestMs(answers, begunMs));
  const failure = outageOf(answers);
  const found = { nftType, answers, begunAt, lookedAt, begunMs, failure };
  await keepingClaim(options, renew, async () => {
    // One after the other: two at once would be twice the work beside a visitor.
    for (const guildId of guildIds) await sweepGuild(options, { ...found, guildId });
  });
  options.onQueued();
}

/** A stable code when nothing at all could be read: then nothing is touched. */
function outageOf(answers: ReadonlyMap<string, HoldingAnswer>): string | null {
  let reason: string | null = null;
  for (const answer of answers.values()) {
    if (answer.kind !== 'unknown') return null;
    reason ??= answer.reason;
  }
  return reason;
}

/** Most could not be said for want of configuration: an admin reads it, and what is known counts all the same. */
function lackOf(answers: ReadonlyMap<string, HoldingAnswer>): string | null {
  const reasons = [...answers.values()].flatMap((answer) =>
    answer.kind === 'unknown' && isOfConfiguration(answer.reason) ? [answer.reason] : [],
  );
  return reasons.length * 2 > answers.size ? (reasons[0] ?? null) : null;
}

interface Swept {
  readonly guildId: string;
  readonly nftType: string;
  readonly answers: ReadonlyMap<string, HoldingAnswer>;
  readonly begunAt: Date;
  readonly lookedAt: Date;
  readonly begunMs: number;
  readonly failure: string | null;
}

/** One server, in one transaction. */
async function sweepGuild(options: SweepOptions, swept: Swept): Promise<void> {
  const { db, copy, everyMs } = options;
  const { guildId, failure, begunAt } = swept;
  const passedOver = await db.transaction().execute(async (trx): Promise<readonly string[]> => {
    const held = await holdSweep(trx, guildId, copy);
    // Somebody else has begun it, or an admin has chosen another collection.
    if (held === null || held.nftContract !== swept.nftType) return [];
    const members = await holdCasesOf(trx, guildId);
    const known = failure === null ? members.filter((member) => isAnswered(member, swept)) : [];
    const counts = await writeInHandfuls(trx, known, swept, options.stepBack);
    const durationMs = Math.round(options.clock.now().getTime() - swept.begunMs);
    const failingSince = failure === null ? null : (held.lastSweep?.failingSince ?? begunAt.toISOString());
    const unknown = failure === null ? counts.unknown : members.length;
    const named = lackOf(swept.answers) ?? failure;
    const found: SweepRow = { ...counts, unknown, durationMs, failure: named, failingSince };
    const failingForMs = failingSince === null ? 0 : begunAt.getTime() - Date.parse(failingSince);
    const isWaitedOut = failure === null || isOfConfiguration(named);
    await endSweep(trx, guildId, found, isWaitedOut ? everyMs : Math.min(everyMs, sweepPauseMs(failingForMs)));
    return failure === null ? othersOf(trx, guildId, members) : [];
  });
  // Somebody held them in that moment: waited for only now that nobody is held here.
  if (passedOver.length === 0) return;
  await markDue(db, sql`m.guild_id = ${guildId} and m.user_id = any(${[...passedOver]})`, 'sweep');
}

/** Linked or looked at since the reading began, or about to be looked at: that look knows better. */
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
const nobody: Counts = { checked: 0, holding: 0, notHolding: 0, unknown: 0 };

async function writeInHandfuls(
  trx: Transaction<DiscordTables>,
  members: readonly MemberCase[],
  swept: Swept,
  stepBack: SweepOptions['stepBack'],
): Promise<Counts> {
  let counts = nobody;
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

async function writeMembers(
  trx: Transaction<DiscordTables>,
  members: readonly MemberCase[],
  swept: Swept,
): Promise<Counts> {
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
