import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import { withTimeout } from '../../process/in-time.ts';
import { memberChecks, type RolesDeps } from './role-jobs.ts';
import { causeNow, type MemberId, updateMember } from './member-store.ts';

type Db = RolesDeps['db'];

/** How many checks a key may cause at once, and how often after that. */
const atOnceMax = 5;
const everyMs = 60_000;
/** Above this many keys, full budgets are dropped. */
const rememberedMax = 10_000;

/**
 * A check reads every kiosk of every wallet: hundreds of calls to the chain, while everyone else waits. So each member has a budget,
 * whatever triggers the checks. Kept in memory by each copy, since 'Delete my data' would reset a stored one.
 */
export function createCheckBudget(nowMs: () => number) {
  const freeAtMs = new Map<string, number>();
  return {
    /** Milliseconds until the next check for `key` may start; 0: now. Requests that have to wait share one check. */
    take: (key: string): number => {
      const now = nowMs();
      const first = now - (atOnceMax - 1) * everyMs;
      if (freeAtMs.size > rememberedMax)
        for (const [known, freeMs] of freeAtMs) if (freeMs <= first) freeAtMs.delete(known);
      const nextMs = Math.max(freeAtMs.get(key) ?? first, first);
      // One is already waiting: share it.
      if (nextMs - everyMs > now) return nextMs - everyMs - now;
      freeAtMs.set(key, nextMs + everyMs);
      return Math.max(0, nextMs - now);
    },
  };
}
type CheckBudget = ReturnType<typeof createCheckBudget>;

/** An admin's 'Check now' has a budget of its own. */
const budgetKey = ({ guildId, userId }: MemberId, cause: string): string =>
  `${cause === 'asked-by-admin' ? 'admin' : 'member'} ${guildId} ${userId}`;

/**
 * Any action of a member that needs a check (linking, unlinking, /why, coming back) joins the one that is due or running; otherwise one
 * becomes due as soon as the budget allows. In the caller's transaction; true: the check is due now, or running.
 */
export const createRequestCheck =
  (budget: CheckBudget) =>
  async (trx: Db, member: MemberId, cause: string): Promise<boolean> => {
    const row = await trx
      .selectFrom('discordMembers')
      .select(['checkDueAt', databaseNow.as('now')])
      .where((eb) => eb.and({ guildId: member.guildId, userId: member.userId }))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const { checkDueAt, now } = row;
    if (checkDueAt !== null && checkDueAt <= now) return true;
    const delayMs = budget.take(budgetKey(member, cause));
    const at = new Date(now.getTime() + delayMs);
    if (checkDueAt === null || checkDueAt > at)
      await updateMember(trx, member, { checkDueAt: at, checkCause: causeNow(cause) });
    return delayMs === 0;
  };
export type RequestCheck = ReturnType<typeof createRequestCheck>;

/** Why the member's check is due now; null: it is not. */
export async function dueCheck(db: Db, { guildId, userId }: MemberId): Promise<string | null> {
  const due = await db
    .selectFrom('discordMembers')
    .select('checkCause')
    .where((eb) => eb.and({ guildId, userId }))
    .where('checkDueAt', '<=', databaseNow)
    .executeTakeFirst();
  return due === undefined ? null : (due.checkCause ?? 'due');
}

/** Makes the check due again after the delay. */
export const postponeCheck = (db: Db, member: MemberId, delayMs: number): Promise<void> =>
  updateMember(db, member, { checkDueAt: databaseNowPlus(delayMs) });

/** Published when a check has ended. */
export const checksTopic = 'discord checks';
/** A check of hundreds of kiosks may take minutes. It continues after this. */
const waitsAtMostMs = 5 * 60_000;

/**
 * Waits for a check of the member. One per member runs at a time, and all requests join it. Returns without a check when the budget is
 * used up: then one becomes due later.
 */
export const createCheckAndWait =
  ({ db, jobs, changes }: Pick<RolesDeps, 'db' | 'jobs' | 'changes'>, requestCheck: RequestCheck) =>
  async (guildId: string, userId: string, cause: string): Promise<void> => {
    const member = { guildId, userId };
    const isDue = await db.transaction().execute((trx) => requestCheck(trx, member, cause));
    if (!isDue) return;
    const over = Promise.withResolvers<void>();
    const endIfChecked = (): void => {
      // On an error the caller reads the database next and meets the outage there.
      dueCheck(db, member).then((due) => (due === null ? over.resolve() : undefined), over.resolve);
    };
    const stopListening = changes.subscribe(checksTopic, endIfChecked);
    try {
      await jobs.send(memberChecks, member);
      await withTimeout(over.promise, waitsAtMostMs, () => {});
    } finally {
      stopListening();
    }
  };
