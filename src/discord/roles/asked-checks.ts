import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { memberChecks } from './job-names.ts';
import { dueCheck, type MemberId, requestCheck } from './member-check-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';

/** How many checks a key may cause at once, and how often after that. */
const atOnceMax = 5;
const everyMs = 60_000;
/** Above this many, full budgets are forgotten. */
const rememberedMax = 10_000;

export interface CheckBudget {
  /** In how many ms the next check that `key` causes may begin; 0: now. Requests that have to wait share one check. */
  take(key: string): number;
}

/**
 * A check reads every kiosk of every wallet: hundreds of calls to the chain, for which everyone else waits as well. So each member has
 * a budget, whatever triggers the checks. Kept in memory by each copy, since 'Delete my data' would reset a stored one.
 */
export function createCheckBudget(nowMs: () => number): CheckBudget {
  const freeAtMs = new Map<string, number>();
  return {
    take: (key) => {
      const now = nowMs();
      const first = now - (atOnceMax - 1) * everyMs;
      if (freeAtMs.size > rememberedMax)
        for (const [known, freeMs] of freeAtMs) if (freeMs <= first) freeAtMs.delete(known);
      const nextMs = Math.max(freeAtMs.get(key) ?? first, first);
      // One waits already: share it.
      if (nextMs - everyMs > now) return nextMs - everyMs - now;
      freeAtMs.set(key, nextMs + everyMs);
      return Math.max(0, nextMs - now);
    },
  };
}

/** Records, in the caller's transaction, that a member is to be checked. True: the check is due now, or running. */
export type RequestCheck = (trx: Kysely<Database>, member: MemberId, cause: string) => Promise<boolean>;
export type AskedCheck = (guildId: string, userId: string, cause: string) => Promise<void>;

/** An admin's 'Check now' is not held up by what the member does. */
export const budgetKey = ({ guildId, userId }: MemberId, cause: string): string =>
  `${cause === 'asked-by-admin' ? 'admin' : 'member'} ${guildId} ${userId}`;

/**
 * Any action of a member that needs a check (linking, unlinking, /why, coming back) joins the one that is due or running; otherwise a
 * new one is made if the budget allows.
 */
export const createCheckRequests =
  (budget: CheckBudget): RequestCheck =>
  async (trx, member, cause) =>
    (await requestCheck(trx, member, cause, () => budget.take(budgetKey(member, cause)))).isDue;

export interface AskedChecksDeps {
  readonly db: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'send'>;
  readonly changes: Pick<ChangeSignal, 'subscribe'>;
  readonly requestCheck: RequestCheck;
}

/** Published when a check is over. */
export const checksTopic = 'discord checks';
/** A check may take minutes, for hundreds of kiosks. It goes on after this. */
const waitsAtMostMs = 5 * 60_000;

/**
 * Waits for a check of the member. One per member runs at a time, and all requests join it. Returns without a check when the budget is
 * empty: then one is due later.
 */
export const createAskedChecks =
  ({ db, jobs, changes, requestCheck: request }: AskedChecksDeps): AskedCheck =>
  async (guildId, userId, cause) => {
    const member = { guildId, userId };
    const isDue = await db.transaction().execute((trx) => request(trx, member, cause));
    if (!isDue) return;
    const over = Promise.withResolvers<void>();
    const look = (): void => {
      dueCheck(db, member).then((due) => (due === null ? over.resolve() : undefined), over.reject);
    };
    const stopListening = changes.subscribe(checksTopic, look);
    AbortSignal.timeout(waitsAtMostMs).addEventListener('abort', () => over.resolve(), { once: true });
    try {
      await jobs.send(memberChecks, member);
      await over.promise;
    } finally {
      stopListening();
    }
  };
