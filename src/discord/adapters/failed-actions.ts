import { type RawBuilder, sql } from 'kysely';

import { dataDeleted } from '../core/action-verdict.ts';

/**
 * Whether an action `a`, of the member `m` (null: deleted) in a server with the configuration `c`, failed and is still to be mended. It
 * is history once something newer took its place, or once nobody would do it any more (core/action-verdict.ts). What itself only waits
 * because Discord refused takes no place. `besides`: the id of an action that is left out of account.
 */
export const isStillFailed = (besides: string | null): RawBuilder<boolean> => sql<boolean>`(
  a.state = 'failed'
  and not exists (
    select 1 from discord_actions newer where newer.guild_id = a.guild_id and newer.user_id = a.user_id and newer.id > a.id
      and newer.id is distinct from ${besides}::bigint
      and (newer.kind = 'direct-message') = (a.kind = 'direct-message')
      and (newer.state in ('done', 'failed') or (newer.state in ('pending', 'doing') and newer.failure_code is null)))
  and case
    when a.cause = ${dataDeleted} then m.standing = 'holder'
    when not m.is_in_guild then true
    when a.kind = 'direct-message' then m.standing <> 'grace'
    when a.role_id <> c.role_id then true
    when a.kind = 'remove-role' then m.standing <> 'grace'
    else m.standing <> 'holder' or m.has_role
  end is not true)`;
