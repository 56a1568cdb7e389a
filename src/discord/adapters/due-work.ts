import { type Kysely, sql } from 'kysely';

import { isActionReady } from './role-actions.ts';
import type { MemberId } from './member-check-store.ts';
import { guildsWithRemovals } from './removal-store.ts';
import type { DiscordTables } from './tables.ts';

type Db = Kysely<DiscordTables>;

/** What is due at one moment. */
export interface DueWork {
  readonly members: readonly MemberId[];
  readonly actions: readonly { readonly guildId: string; readonly kind: 'role-changes' | 'messages' }[];
  readonly nftTypes: readonly string[];
  readonly removals: readonly string[];
}

/** Those that are due first; the rest is found a second later. */
const membersAtOnceMax = 200;

/** null: the bot is not wanted, so nothing is done. */
export async function readDueWork(db: Db): Promise<DueWork | null> {
  const { rows: wanted } = await sql`select 1 from discord_service where wanted = 'active'`.execute(db);
  if (wanted.length === 0) return null;
  return {
    members: await dueMembers(db),
    actions: await dueActions(db),
    nftTypes: await dueSweeps(db),
    removals: await guildsWithRemovals(db),
  };
}

async function dueMembers(db: Db): Promise<DueWork['members']> {
  const { rows } = await sql<{ guild_id: string; user_id: string }>`
    select m.guild_id, m.user_id from discord_members m
      join discord_guilds g on g.guild_id = m.guild_id and g.left_at is null
      join discord_guild_configs c on c.guild_id = m.guild_id
    where m.check_due_at <= statement_timestamp() and m.is_in_guild
    order by m.check_due_at limit ${membersAtOnceMax}`.execute(db);
  return rows.map((row) => ({ guildId: row.guild_id, userId: row.user_id }));
}

async function dueActions(db: Db): Promise<DueWork['actions']> {
  const { rows } = await sql<{ guild_id: string; is_message: boolean }>`
    select distinct a.guild_id, a.kind = 'direct-message' as is_message from discord_actions a
      join discord_guilds g on g.guild_id = a.guild_id and g.left_at is null
    where ${isActionReady}`.execute(db);
  return rows.map((row) => ({ guildId: row.guild_id, kind: row.is_message ? 'messages' : 'role-changes' }));
}

async function dueSweeps(db: Db): Promise<DueWork['nftTypes']> {
  const { rows } = await sql<{ nft_contract: string }>`
    select distinct c.nft_contract from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
    where c.sweep_due_at <= statement_timestamp() and g.left_at is null`.execute(db);
  return rows.map((row) => row.nft_contract);
}
