import { type Kysely, type Selectable, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { waitForLock } from '../../db/transaction.ts';
import { payoutPaid } from './rules/action-verdict.ts';

type Db = Kysely<Database>;
type ActionRow = Readonly<Selectable<Database['discordActions']>>;

const lockOf = (guildId: string): string => `discord role changes of ${guildId}`;

/**
 * For callers that queue or drop role changes of members they hold: blocks `holdRoleChanges` until the transaction ends. Taken after
 * the members and before the first row of `discord_actions`, against deadlocks.
 */
export async function shareRoleChanges(trx: Db, guildId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(guildId)}, 0))`.execute(trx);
}

/** For callers that touch everything waiting in a server: blocks other queueing and dropping there until the transaction ends. */
export const holdRoleChanges = (trx: Db, guildId: string): Promise<void> => waitForLock(trx, lockOf(guildId));

interface NewRoleChange {
  readonly guildId: string;
  readonly userIds: readonly string[];
  readonly roleId: string;
  readonly kind: 'grant-role' | 'remove-role';
  readonly cause: string;
  /** null: at once. */
  readonly dueAt?: Date | null;
}

/**
 * Queues role changes, in the transaction of the decision; the members are held. A newer change supersedes an older one that has not
 * begun; the same change again is ignored.
 */
export async function enqueueRoleChange(trx: Db, { guildId, roleId, kind, cause, ...change }: NewRoleChange) {
  const userIds = [...change.userIds];
  if (userIds.length === 0) return;
  await shareRoleChanges(trx, guildId);
  await sql`
    update discord_actions set state = 'dropped', failure = 'superseded', done_at = clock_timestamp()
    where guild_id = ${guildId} and user_id = any(${userIds}) and state = 'pending'
      and kind in ('grant-role', 'remove-role') and (kind <> ${kind} or role_id is distinct from ${roleId})`.execute(
    trx,
  );
  await sql`
    insert into discord_actions (guild_id, user_id, kind, role_id, cause, due_at)
    select ${guildId}, wanted.user_id, ${kind}, ${roleId}, ${cause}, coalesce(${change.dueAt ?? null}::timestamptz, clock_timestamp())
    from unnest(${userIds}::text[]) wanted(user_id)
    where not exists (
      select 1 from discord_actions a where a.guild_id = ${guildId} and a.user_id = wanted.user_id
        and a.state = 'doing' and a.kind = ${kind} and a.role_id = ${roleId}
        and not exists (select 1 from discord_actions newer where newer.guild_id = a.guild_id
          and newer.user_id = a.user_id and newer.id > a.id and newer.state in ('pending', 'doing')))
    on conflict (guild_id, user_id) where state = 'pending' and kind in ('grant-role', 'remove-role') do nothing`.execute(
    trx,
  );
}

/** The direct message that comes before a removal. */
export async function enqueueNotices(trx: Db, guildId: string, userIds: readonly string[], content: string) {
  // As an array: a statement takes 65,535 values, which some thousands of rows would use up.
  await sql`
    insert into discord_actions (guild_id, user_id, kind, content, cause)
    select ${guildId}, user_id, 'direct-message', ${content}, 'role-ends'
    from unnest(${[...userIds]}::text[]) message(user_id)`.execute(trx);
}

/** Drops what has not begun; messages about payouts stay. */
export async function dropPending(
  trx: Db,
  guildId: string,
  userIds: readonly string[],
  kinds: readonly ActionRow['kind'][],
  why: string,
): Promise<void> {
  if (userIds.length === 0) return;
  await shareRoleChanges(trx, guildId);
  await trx
    .updateTable('discordActions')
    .set({ state: 'dropped', failure: why, doneAt: databaseNow })
    .where('guildId', '=', guildId)
    .where('state', '=', 'pending')
    .where('kind', 'in', kinds)
    .where('cause', '<>', payoutPaid)
    .where(({ eb, fn }) => eb('userId', '=', fn.any(eb.val([...userIds]))))
    .execute();
}

/** Otherwise nothing is done, whatever is due. */
export const isSwitchedOn = sql<boolean>`exists (select 1 from discord_service where wanted = 'active')`;

/** An action at Discord that has begun. `attempts`: including this one; the copy that began it last decides. */
export type BegunAction = Pick<
  ActionRow,
  'id' | 'guildId' | 'userId' | 'kind' | 'roleId' | 'content' | 'cause' | 'attempts'
>;

/** Of a row `a`: due, and everything before it for the member is over. A `doing` one was left by a copy that died. */
export const isActionReady = sql<boolean>`(a.state in ('pending', 'doing') and a.due_at <= clock_timestamp()
  and not exists (select 1 from discord_actions earlier where earlier.guild_id = a.guild_id
    and earlier.user_id = a.user_id and earlier.id < a.id and earlier.state in ('pending', 'doing')
    and (earlier.cause = ${payoutPaid}) = (a.cause = ${payoutPaid})))`;

/** The server's next role change or direct message; null: none is due, or the bot is absent or switched off. */
export async function beginAction(
  db: Db,
  { guildId, kind }: { readonly guildId: string; readonly kind: 'role-changes' | 'messages' },
): Promise<BegunAction | null> {
  const { rows } = await sql<BegunAction>`
    with due as (
      select a.id from discord_actions a join discord_guilds g on g.guild_id = a.guild_id and g.left_at is null
      where a.guild_id = ${guildId} and (a.kind = 'direct-message') = ${kind === 'messages'} and ${isActionReady}
        and ${isSwitchedOn}
      order by a.due_at, a.id limit 1 for no key update of a skip locked
    )
    update discord_actions a set state = 'doing', attempts = a.attempts + 1 from due where a.id = due.id
    returning a.id, a.guild_id, a.user_id, a.kind, a.role_id, a.content, a.cause, a.attempts`.execute(db);
  return rows[0] ?? null;
}

const isBegun = ({ id, attempts }: BegunAction) =>
  sql<boolean>`(id = ${id} and state = 'doing' and attempts = ${attempts})`;

/** The current cause ('delete my data' may have taken over an ordinary removal); null: another copy has begun it again, or it is over. */
export async function causeNow(db: Db, action: BegunAction): Promise<string | null> {
  const begun = db.selectFrom('discordActions').select('cause').where(isBegun(action));
  return (await begun.executeTakeFirst())?.cause ?? null;
}

/** Why it failed or waits, shown to the member and the admins; with a stable code of ours. */
interface Failure {
  readonly failure?: string;
  readonly failureCode?: string;
}

/** False: another copy has begun it again, and decides. */
export async function endAction(
  trx: Db,
  action: BegunAction,
  state: 'done' | 'failed' | 'dropped',
  { failure, failureCode }: Failure = {},
): Promise<boolean> {
  const end = { state, failure: failure ?? null, failureCode: failureCode ?? null, doneAt: databaseNow };
  const ended = await trx.updateTable('discordActions').set(end).where(isBegun(action)).executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}

/** Rulings R5: the message comes before the removal. It is retried until the removal is due, and at least this long. */
const messageTriedMs = 5 * 60_000;
/** No removal waits for one about a payout: it outlasts an outage of Discord. */
const payoutMessageTriedMs = 24 * 3_600_000;

/** A direct message that keeps failing must not hold back a removal forever. False: it is to be retried. */
export async function endLateMessage(trx: Db, action: BegunAction, removalDueAt: Date | null): Promise<boolean> {
  const triedMs = action.cause === payoutPaid ? payoutMessageTriedMs : messageTriedMs;
  const { numAffectedRows } = await sql`
    update discord_actions set state = 'dropped', failure = 'direct-message-failed', done_at = clock_timestamp()
    where ${isBegun(action)} and kind = 'direct-message'
      and greatest(created_at + ${triedMs} * interval '1 millisecond', ${removalDueAt}::timestamptz)
        <= clock_timestamp()`.execute(trx);
  return numAffectedRows === 1n;
}

interface Retry extends Failure {
  readonly delayMs: number;
  /** Discord was asked, and did not answer. */
  readonly isAttempt?: boolean;
}

/** Retries it after the delay, unless something newer waits for the member: then that goes instead. */
export async function postponeAction(trx: Db, action: BegunAction, again: Retry): Promise<void> {
  const { delayMs, failure = null, failureCode = null, isAttempt = false } = again;
  const isSuperseded = sql`kind <> 'direct-message' and exists (
    select 1 from discord_actions newer where newer.guild_id = ${action.guildId} and newer.user_id = ${action.userId}
      and newer.state = 'pending' and newer.kind in ('grant-role', 'remove-role'))`;
  await sql`
    update discord_actions set
      state = case when ${isSuperseded} then 'dropped' else 'pending' end,
      done_at = case when ${isSuperseded} then clock_timestamp() end,
      failure = case when ${isSuperseded} then 'superseded' else ${failure} end,
      failure_code = ${failureCode}, attempts = attempts - ${isAttempt ? 0 : 1},
      due_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
    where ${isBegun(action)}`.execute(trx);
}
