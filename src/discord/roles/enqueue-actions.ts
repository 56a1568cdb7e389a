import { type Kysely, sql } from 'kysely';

import type { Database } from '../../db/schema.ts';

const nameOf = (guildId: string): string => `discord role changes of ${guildId}`;

/**
 * For callers that queue or drop role changes of members they hold: blocks `holdRoleChanges` until the transaction ends. Taken after
 * the members and before the first row of `discord_actions`, against deadlocks.
 */
export async function shareRoleChanges(trx: Kysely<Database>, guildId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${nameOf(guildId)}, 0))`.execute(trx);
}

/** For callers that touch everything waiting in a server: blocks other queueing and dropping there until the transaction ends. */
export async function holdRoleChanges(trx: Kysely<Database>, guildId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(guildId)}, 0))`.execute(trx);
}

type Db = Kysely<Database>;
type ActionKind = 'grant-role' | 'remove-role' | 'direct-message';

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
export async function enqueueRoleChange(trx: Db, change: NewRoleChange): Promise<void> {
  const { guildId, roleId, kind, cause } = change;
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

export async function enqueueMessages(
  trx: Db,
  guildId: string,
  messages: readonly { readonly userId: string; readonly content: string }[],
  cause: string,
): Promise<void> {
  if (messages.length === 0) return;
  // As arrays: a statement takes 65,535 values, which some thousands of rows would use up.
  const [userIds, contents] = [messages.map(({ userId }) => userId), messages.map(({ content }) => content)];
  await sql`
    insert into discord_actions (guild_id, user_id, kind, content, cause)
    select ${guildId}, message.user_id, 'direct-message', message.content, ${cause}
    from unnest(${userIds}::text[], ${contents}::text[]) message(user_id, content)`.execute(trx);
}

/** Drops what has not begun. */
export async function dropPending(
  trx: Db,
  guildId: string,
  userIds: readonly string[],
  kinds: readonly ActionKind[],
  why: string,
): Promise<void> {
  if (userIds.length === 0) return;
  await shareRoleChanges(trx, guildId);
  await sql`
    update discord_actions set state = 'dropped', failure = ${why}, done_at = clock_timestamp()
    where guild_id = ${guildId} and user_id = any(${[...userIds]}) and state = 'pending'
      and kind = any(${[...kinds]})`.execute(trx);
}
