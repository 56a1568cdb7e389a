import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

/** An action at Discord that has begun. */
export interface BegunAction {
  readonly id: string;
  readonly guildId: string;
  readonly userId: string;
  readonly kind: 'grant-role' | 'remove-role' | 'direct-message';
  readonly roleId: string | null;
  readonly content: string | null;
  readonly cause: string;
  /** Including this one. The copy that began it last decides. */
  readonly attempts: number;
}

/** Of a row `a`: due, and everything before it for the member is over. A `doing` one was left by a copy that died. */
export const isActionReady = sql<boolean>`(a.state in ('pending', 'doing') and a.due_at <= clock_timestamp()
  and not exists (select 1 from discord_actions earlier where earlier.guild_id = a.guild_id
    and earlier.user_id = a.user_id and earlier.id < a.id and earlier.state in ('pending', 'doing')))`;

/** The server's next role change or direct message; null: none is due, or the bot is absent or switched off. */
export async function beginAction(
  db: Db,
  { guildId, kind }: { readonly guildId: string; readonly kind: 'role-changes' | 'messages' },
): Promise<BegunAction | null> {
  const { rows } = await sql<BegunAction>`
    with due as (
      select a.id from discord_actions a join discord_guilds g on g.guild_id = a.guild_id and g.left_at is null
      where a.guild_id = ${guildId} and (a.kind = 'direct-message') = ${kind === 'messages'} and ${isActionReady}
        and exists (select 1 from discord_service where wanted = 'active')
      order by a.due_at, a.id limit 1 for no key update of a skip locked
    )
    update discord_actions a set state = 'doing', attempts = a.attempts + 1 from due where a.id = due.id
    returning a.id, a.guild_id, a.user_id, a.kind, a.role_id, a.content, a.cause, a.attempts`.execute(db);
  return rows[0] ?? null;
}

const isBegun = ({ id, attempts }: BegunAction) => sql`id = ${id} and state = 'doing' and attempts = ${attempts}`;

/** False: another copy has begun it again, or it is over. */
export async function isStillBegun(db: Db, action: BegunAction): Promise<boolean> {
  return (await sql`select 1 from discord_actions where ${isBegun(action)}`.execute(db)).rows.length > 0;
}

interface ActionEnd {
  readonly state: 'done' | 'failed' | 'dropped';
  readonly failure: string | null;
  readonly failureCode?: string | null;
}

/** False: another copy has begun it again, and decides. */
export async function endAction(trx: Db, action: BegunAction, end: ActionEnd): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_actions set state = ${end.state}, failure = ${end.failure}, failure_code = ${end.failureCode ?? null},
      done_at = clock_timestamp()
    where ${isBegun(action)}`.execute(trx);
  return numAffectedRows === 1n;
}

/** The current cause: 'delete my data' may have taken over an ordinary removal since it began. */
export async function causeNow(db: Db, action: BegunAction): Promise<string> {
  const actions = db.selectFrom('discordActions').select('cause').where('id', '=', action.id);
  return (await actions.executeTakeFirst())?.cause ?? action.cause;
}

/** Rulings R5: the message comes before the removal. It is retried until the removal is due, and at least this long. */
const messageTriedMs = 5 * 60_000;

/** A direct message that keeps failing must not hold back a removal forever. False: it is to be retried. */
export async function endLateMessage(trx: Db, action: BegunAction, removalDueAt: Date | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update discord_actions set state = 'dropped', failure = 'direct-message-failed', done_at = clock_timestamp()
    where ${isBegun(action)} and kind = 'direct-message'
      and greatest(created_at + ${messageTriedMs} * interval '1 millisecond', ${removalDueAt}::timestamptz)
        <= clock_timestamp()`.execute(trx);
  return numAffectedRows === 1n;
}

/** Retries it after the delay, unless something newer waits for the member: then that goes instead. */
export async function postponeAction(
  trx: Db,
  action: BegunAction,
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
      due_at = clock_timestamp() + ${again.delayMs} * interval '1 millisecond'
    where ${isBegun(action)}`.execute(trx);
}
