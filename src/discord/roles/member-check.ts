import type { Kysely } from 'kysely';

import type { HoldingAnswer } from '../../market/contract.ts';
import { concurrently } from '../../process/concurrently.ts';
import { endCheck, type MemberId, putOffCheck } from './member-check-store.ts';
import { dropPending, enqueueRoleChange } from './enqueue-actions.ts';
import { holdCase, type MemberCase, readCase, saveDecisions } from './member-store.ts';
import type { Database } from '../../db/schema.ts';
import { type Decision, decide } from './rules/decide.ts';
import { plainCause } from './rules/follow-up.ts';
import type { Clock, Ownership } from '../ports.ts';
import { budgetKey, type CheckBudget } from './asked-checks.ts';

export interface MemberCheckDeps {
  readonly db: Kysely<Database>;
  readonly ownership: Pick<Ownership, 'readWallet'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly budget: CheckBudget;
}

/** Checks one member now; the result is stored in one transaction. */
export interface MemberCheck {
  /**
   * Calls for the same member while a check runs share it.
   * `looked`: with the findings; `isNew`: all of it was read since the call, none from an older table. `left-alone`: not in the server,
   * or it is not set up. `stopped`: nothing was stored, the member is due again. Throws database errors.
   */
  check(
    member: { readonly guildId: string; readonly userId: string; readonly cause: string },
    stop?: AbortSignal,
  ): Promise<CheckOutcome>;
}
type CheckOutcome =
  | { readonly kind: 'looked'; readonly decision: Decision; readonly isNew: boolean }
  | { readonly kind: 'left-alone' }
  | { readonly kind: 'stopped' };

/** Each may be hundreds of calls to the chain, for which everyone else waits in the same queue. */
const walletsAtOnceMax = 2;

export function createMemberCheck(deps: MemberCheckDeps): MemberCheck {
  const checks = new Map<string, Promise<CheckOutcome>>();
  return {
    check: (member, stop) => {
      const key = keyOf(member);
      const begun = checks.get(key) ?? checkTillDone(deps, member, stop).finally(() => checks.delete(key));
      checks.set(key, begun);
      return begun;
    },
  };
}

const keyOf = ({ guildId, userId }: MemberId): string => `${guildId} ${userId}`;

/** A member who keeps linking and unlinking is checked again while the budget lasts, and then later. */
async function checkTillDone(deps: MemberCheckDeps, member: Member, stop?: AbortSignal): Promise<CheckOutcome> {
  for (;;) {
    const outcome = await lookOnce(deps, member, stop);
    if (outcome !== 'changed') return outcome;
    const delayMs = deps.budget.take(budgetKey(member, member.cause));
    if (delayMs === 0) continue;
    await putOffCheck(deps.db, member, delayMs);
    return { kind: 'stopped' };
  }
}

type Member = Parameters<MemberCheck['check']>[0];

async function lookOnce(deps: MemberCheckDeps, member: Member, stop?: AbortSignal): Promise<CheckOutcome | 'changed'> {
  const { db, clock } = deps;
  const before = await readCase(db, member.guildId, member.userId);
  const nftType = before?.guild.nftContract ?? null;
  if (before === null || nftType === null || !isLookedAt(before)) {
    if (before !== null) await endCheck(db, before);
    return { kind: 'left-alone' };
  }
  const begunMs = clock.now().getTime();
  const answers = await readWallets(deps, nftType, before, stop);
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
    const decision = decide(held, {
      nftType,
      answers,
      begunAt: before.now,
      lookedAt,
      now: held.now,
      cause: member.cause,
    });
    await saveDecisions(trx, held.guildId, [{ userId: held.userId, lookedAt, decision }]);
    await applyGrants(trx, [{ held, decision }], plainCause(member.cause));
    return { kind: 'looked', decision, isNew: lookedAt >= before.now };
  });
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

async function readWallets(
  { ownership }: MemberCheckDeps,
  nftType: string,
  { wallets }: MemberCase,
  stop: AbortSignal | undefined,
): Promise<ReadonlyMap<string, HoldingAnswer>> {
  const read = await concurrently(
    wallets,
    walletsAtOnceMax,
    async ({ wallet }) => [wallet, await ownership.readWallet(nftType, wallet, stop)] as const,
  );
  return new Map(read);
}

/** How much older than the check its oldest 'does not hold' is: it may come from an earlier table. */
export function oldestMs(answers: ReadonlyMap<string, HoldingAnswer>, begunMs: number): number {
  const negatives = [...answers.values()].filter(({ kind }) => kind === 'does-not-hold');
  return Math.max(0, ...negatives.map(({ asOf }) => begunMs - asOf.getTime()));
}

interface Decided {
  readonly held: MemberCase;
  readonly decision: Decision;
}

/** Queues the role for those who are to get it, and cancels the removal of those who hold; all of one server, held. */
export async function applyGrants(trx: Kysely<Database>, decided: readonly Decided[], cause: string): Promise<void> {
  const [first] = decided;
  if (first === undefined) return;
  const { guildId, guild } = first.held;
  const holding = decided.filter(({ decision }) => decision.answer === 'holds');
  const saved = holding.filter(({ held }) => held.standing !== 'holder' && held.standing !== 'none');
  const savedIds = saved.map(({ held }) => held.userId);
  await dropPending(trx, guildId, savedIds, ['remove-role', 'direct-message'], 'holds again');
  const granted = holding.filter(({ decision }) => decision.grants && guild.roleId !== '');
  const userIds = granted.map(({ held }) => held.userId);
  await enqueueRoleChange(trx, { guildId, userIds, roleId: guild.roleId, kind: 'grant-role', cause });
}
