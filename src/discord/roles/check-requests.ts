import { type Kysely, sql } from 'kysely';

import { concernsMember, type MemberId } from '../adapters/claim-members.ts';
import type { DiscordTables } from '../adapters/tables.ts';
import type { CheckBudget } from './check-budget.ts';

/** Puts down, in the caller's transaction, that a member is to be checked. True: it is due now, or under way. */
export type RequestCheck = (trx: Kysely<DiscordTables>, member: MemberId, cause: string) => Promise<boolean>;

/** 'Check now' of an admin is not held up by what the member does. */
export const budgetKey = ({ guildId, userId }: MemberId, cause: string): string =>
  `${cause === 'asked-by-admin' ? 'admin' : 'member'} ${guildId} ${userId}`;

/**
 * Whatever a member does that asks for a check (linking, unlinking, /why, coming back) joins the one that is due or under way; only
 * otherwise there is another, when the budget has one. The member needs no place in this process: any copy does what is due.
 */
export const createCheckRequests =
  (budget: CheckBudget): RequestCheck =>
  async (trx, member, cause) => {
    const { rows } = await sql<{ is_due: boolean }>`
      select coalesce(check_due_at <= clock_timestamp(), false) as is_due from discord_members m
      where ${concernsMember(member)} for no key update`.execute(trx);
    const [row] = rows;
    if (row === undefined || row.is_due) return row !== undefined;
    const delayMs = budget.take(budgetKey(member, cause));
    const at = sql`(clock_timestamp() + ${delayMs} * interval '1 millisecond')`;
    await sql`
      update discord_members m set check_due_at = least(check_due_at, ${at}),
        check_cause = case when check_due_at is null or check_due_at > ${at} then ${cause} else check_cause end
      where ${concernsMember(member)}`.execute(trx);
    return delayMs === 0;
  };
