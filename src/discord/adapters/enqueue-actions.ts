import { type Kysely, sql } from 'kysely';

import { shareRoleChanges } from './role-change-lock.ts';
import type { Database } from '../../db/schema.ts';

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
 * What is to be done of members' roles, in the transaction of the decision; the members are held. A newer change supersedes
 * an older one that nobody has begun; the same change again is none.
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
    select ${guildId}, told.user_id, 'direct-message', told.content, ${cause}
    from unnest(${userIds}::text[], ${contents}::text[]) told(user_id, content)`.execute(trx);
}

/** What nobody has begun is not wanted any more. */
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
