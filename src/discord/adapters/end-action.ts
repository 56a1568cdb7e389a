import { type Kysely, sql } from 'kysely';

import type { ClaimedAction } from './claim-actions.ts';
import type { DiscordTables } from './tables.ts';

type Db = Kysely<DiscordTables>;

interface ActionEnd {
  readonly state: 'done' | 'failed' | 'dropped';
  readonly failure: string | null;
  readonly failureCode?: string | null;
}

/** False: the claim was lost meanwhile, and somebody else has the last word. */
export async function endAction(trx: Db, action: ClaimedAction, copy: string, end: ActionEnd): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_actions set state = ${end.state}, failure = ${end.failure}, failure_code = ${end.failureCode ?? null},
      done_at = clock_timestamp(), claimed_by = null, claimed_until = null
    where id = ${action.id} and state = 'doing' and claimed_by = ${copy}`.execute(trx);
  return numAffectedRows === 1n;
}

/** What it is done for, as it stands now: 'delete my data' may have made an ordinary removal its own since it was claimed. */
export async function causeNow(db: Db, action: ClaimedAction): Promise<string> {
  const actions = db.selectFrom('discord_actions').select('cause').where('id', '=', action.id);
  return (await actions.executeTakeFirst())?.cause ?? action.cause;
}

/** Rulings R5: the message comes before the removal. It is tried until the removal is due, and at least so long. */
const messageTriedMs = 5 * 60_000;

/** A direct message that Discord goes on failing to take holds back no removal for ever. False: it is to be tried again. */
export async function endLateMessage(
  trx: Db,
  action: ClaimedAction,
  copy: string,
  removalDueAt: Date | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_actions set state = 'dropped', failure = 'direct-message-failed', done_at = clock_timestamp(),
      claimed_by = null, claimed_until = null
    where id = ${action.id} and state = 'doing' and claimed_by = ${copy} and kind = 'direct-message'
      and greatest(created_at + ${messageTriedMs} * interval '1 millisecond', ${removalDueAt}::timestamptz)
        <= clock_timestamp()`.execute(trx);
  return numAffectedRows === 1n;
}

/** To be tried again after so long, unless something newer waits for the member: then that goes instead. */
export async function postponeAction(
  trx: Db,
  action: ClaimedAction,
  copy: string,
  again: {
    readonly delayMs: number;
    readonly failure: string | null;
    readonly isAttempt: boolean;
    readonly failureCode?: string;
  },
): Promise<void> {
  const isSuperseded = sql`kind <> 'direct-message' and exists (
    select 1 from discord_actions newer where newer.guild_id = ${action.guildId} and newer.user_id = ${action.userId}
      and newer.state = 'pending' and newer.kind in ('grant-role', 'remove-role'))`;
  await sql`
    update discord_actions set
      state = case when ${isSuperseded} then 'dropped' else 'pending' end,
      done_at = case when ${isSuperseded} then clock_timestamp() end,
      failure = case when ${isSuperseded} then 'superseded' else ${again.failure} end,
      failure_code = ${again.failureCode ?? null}, attempts = attempts - ${again.isAttempt ? 0 : 1},
      due_at = clock_timestamp() + ${again.delayMs} * interval '1 millisecond', claimed_by = null, claimed_until = null
    where id = ${action.id} and state = 'doing' and claimed_by = ${copy}`.execute(trx);
}
