import type { Kysely } from 'kysely';

import type { Jobs } from '../../jobs/jobs.ts';
import type { ChangeSignal } from '../../platform/change-signal.ts';
import { dueCheck, type MemberId, requestCheck } from '../adapters/member-check-store.ts';
import type { Database } from '../../db/schema.ts';
import type { CheckBudget } from './check-budget.ts';
import { memberChecks } from './job-names.ts';

/** Puts down, in the caller's transaction, that a member is to be checked. True: it is due now, or under way. */
export type RequestCheck = (trx: Kysely<Database>, member: MemberId, cause: string) => Promise<boolean>;
export type AskedCheck = (guildId: string, userId: string, cause: string) => Promise<void>;

/** 'Check now' of an admin is not held up by what the member does. */
export const budgetKey = ({ guildId, userId }: MemberId, cause: string): string =>
  `${cause === 'asked-by-admin' ? 'admin' : 'member'} ${guildId} ${userId}`;

/**
 * Whatever a member does that asks for a check (linking, unlinking, /why, coming back) joins the one that is due or under way; only
 * otherwise there is another, when the budget has one.
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
/** A check may take minutes: the member has hundreds of kiosks. It goes on afterwards. */
const waitsAtMostMs = 5 * 60_000;

/**
 * A check that somebody waits for. One a member is under way, whoever asks and for whatever cause: asking again joins it. It ends
 * without a check when the member's budget has none: then one is due by itself later.
 */
export const createAskedChecks =
  ({ db, jobs, changes, requestCheck: request }: AskedChecksDeps): AskedCheck =>
  async (guildId, userId, cause) => {
    const member = { guildId, userId };
    const isDue = await db.transaction().execute((trx) => request(trx, member, cause));
    if (!isDue) return;
    const over = Promise.withResolvers<void>();
    const look = (): void => {
      dueCheck(db, member).then((due) => {
        if (due === null) over.resolve();
      }, over.reject);
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
