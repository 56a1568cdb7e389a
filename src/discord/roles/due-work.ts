import { type Kysely, sql } from 'kysely';

import { isActionReady } from './role-actions.ts';
import type { MemberId } from './member-check-store.ts';
import { guildsWithRemovals } from './removal-store.ts';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

/** What is due now. */
export interface DueWork {
  readonly members: readonly MemberId[];
  readonly actions: readonly { readonly guildId: string; readonly kind: 'role-changes' | 'messages' }[];
  readonly nftTypes: readonly string[];
  readonly removals: readonly string[];
}

/** The first that are due; the rest is found a second later. */
const membersAtOnceMax = 200;

/** null: the bot is switched off, so nothing is done. */
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
  const { rows } = await sql<MemberId>`
    select m.guild_id, m.user_id from discord_members m
      join discord_guilds g on g.guild_id = m.guild_id and g.left_at is null
      join discord_guild_configs c on c.guild_id = m.guild_id
    where m.check_due_at <= statement_timestamp() and m.is_in_guild
    order by m.check_due_at limit ${membersAtOnceMax}`.execute(db);
  return rows;
}

async function dueActions(db: Db): Promise<DueWork['actions']> {
  const { rows } = await sql<DueWork['actions'][number]>`
    select distinct a.guild_id, case when a.kind = 'direct-message' then 'messages' else 'role-changes' end as kind from discord_actions a
      join discord_guilds g on g.guild_id = a.guild_id and g.left_at is null
    where ${isActionReady}`.execute(db);
  return rows;
}

async function dueSweeps(db: Db): Promise<DueWork['nftTypes']> {
  const { rows } = await sql<{ nftContract: string }>`
    select distinct c.nft_contract from discord_guild_configs c join discord_guilds g on g.guild_id = c.guild_id
    where c.sweep_due_at <= statement_timestamp() and g.left_at is null`.execute(db);
  return rows.map((row) => row.nftContract);
}
