import { type Kysely, sql } from 'kysely';

import { cleanText } from '../../shared/clean-text.ts';
import type { MemberExplanation, MembersAnswer, StatisticsAnswer } from '../members-contract.ts';
import type { RoleChange } from '../roles/rules/explanation.ts';
import type { Database } from '../../db/schema.ts';
import { isVerified } from '../roles/member-store.ts';
import { isStillFailed } from '../roles/server-refusals.ts';

type Db = Kysely<Database>;
export type MemberActions = MemberExplanation['actions'];
type Statistics = StatisticsAnswer['data'];

const actionsShown = 20;
const failuresShown = 50;
const namesShown = 50;
const pageSize = 50;
const nameMax = 100;

const named = (row: { readonly userId: string; readonly displayName: string | null }) => ({
  userId: row.userId,
  displayName: row.displayName === null ? 'Former member' : cleanText(row.displayName, nameMax),
});

/** Newest first. */
export async function readMemberActions(db: Db, guildId: string, userId: string): Promise<MemberActions> {
  const rows = await db
    .selectFrom('discordActions')
    .selectAll()
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(actionsShown)
    .execute();
  return rows.map(({ id, kind, state, cause, createdAt, doneAt, failure }) => ({
    id,
    kind,
    state,
    cause,
    at: (doneAt ?? createdAt).toISOString(),
    failure,
  }));
}

/** The state of the member's last change of this role; null: none, or the role was removed. */
export async function readRoleChange(
  db: Db,
  { guildId, userId, roleId }: { readonly guildId: string; readonly userId: string; readonly roleId: string },
): Promise<RoleChange> {
  const row = await db
    .selectFrom('discordActions')
    .select(['kind', 'state'])
    .where('guildId', '=', guildId)
    .where('userId', '=', userId)
    .where('roleId', '=', roleId)
    .where('kind', 'in', ['grant-role', 'remove-role'])
    .where('state', 'in', ['pending', 'doing', 'done'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (row?.kind !== 'grant-role') return null;
  return row.state === 'done' ? 'given' : 'being-given';
}

/** The bot is or was in that server. */
export async function isKnownGuild(db: Db, guildId: string): Promise<boolean> {
  const guild = db.selectFrom('discordGuilds').select('guildId').where('guildId', '=', guildId);
  return (await guild.executeTakeFirst()) !== undefined;
}

/** null: the bot has never been in that server. */
export async function readStatistics(db: Db, guildId: string): Promise<Statistics | null> {
  const counts = await readCounts(db, guildId);
  if (counts === null) return null;
  const { lastSweep: sweep, lastSweepAt: sweptAt, sweepDueAt: dueAt } = counts;
  return {
    memberCount: counts.memberCount,
    verifiedCount: counts.verified,
    roleHolderCount: counts.roleHolders,
    walletCount: counts.wallets,
    authorizedWalletCount: counts.authorized,
    inDoubtCount: counts.inDoubt,
    pendingRemovalCount: counts.pendingRemovals,
    unknownCount: counts.unknown,
    lastSweep:
      sweep === null || sweptAt === null
        ? null
        : {
            at: sweptAt.toISOString(),
            checked: sweep.checked,
            holding: sweep.holding,
            notHolding: sweep.notHolding,
            unknown: sweep.unknown,
            durationMs: sweep.durationMs,
            failure: sweep.failure,
          },
    nextSweepAt: dueAt?.toISOString() ?? null,
    waitingRemoval: await readWaitingRemoval(db, guildId),
    pendingActionCount: counts.pendingActions,
    failedActions: await readFailures(db, guildId),
  };
}

interface Counts {
  readonly memberCount: number | null;
  readonly verified: number;
  readonly roleHolders: number;
  readonly inDoubt: number;
  readonly pendingRemovals: number;
  readonly unknown: number;
  readonly wallets: number;
  readonly authorized: number;
  readonly pendingActions: number;
  readonly lastSweep: NonNullable<Statistics['lastSweep']> | null;
  readonly lastSweepAt: Date | null;
  readonly sweepDueAt: Date | null;
}

async function readCounts(db: Db, guildId: string): Promise<Counts | null> {
  const { rows } = await sql<Counts>`
    select g.member_count, c.last_sweep, c.last_sweep_at, c.sweep_due_at, members.*,
      (select count(*)::int from discord_wallets where guild_id = g.guild_id) as wallets,
      (select count(*)::int from discord_authorized_wallets where guild_id = g.guild_id and removed_at is null
        and (expires_at is null or expires_at > clock_timestamp())) as authorized,
      (select count(*)::int from discord_actions where guild_id = g.guild_id and state in ('pending', 'doing'))
        as pending_actions
    from discord_guilds g left join discord_guild_configs c on c.guild_id = g.guild_id
      cross join lateral (
        select count(*) filter (where ${isVerified})::int as verified,
          count(*) filter (where has_role)::int as role_holders,
          count(*) filter (where standing = 'doubt')::int as in_doubt,
          count(*) filter (where standing in ('grace', 'braked'))::int as pending_removals,
          count(*) filter (where answer = 'unknown')::int as unknown
        from discord_members m where m.guild_id = g.guild_id and m.is_in_guild) members
    where g.guild_id = ${guildId}`.execute(db);
  return rows[0] ?? null;
}

async function readWaitingRemoval(db: Db, guildId: string): Promise<Statistics['waitingRemoval']> {
  const batch = await db
    .selectFrom('discordRemovalBatches')
    .selectAll()
    .where('guildId', '=', guildId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (batch === undefined) return null;
  const braked = db
    .selectFrom('discordMembers')
    .where('guildId', '=', guildId)
    .where('standing', '=', 'braked')
    .where('isInGuild', '=', true);
  const names = braked.select(['userId', 'displayName']).orderBy('displayName').orderBy('userId').limit(namesShown);
  const members = await names.execute();
  // About as many as an approval would cover now: members who hold again or have left are excluded.
  const count = braked.select(({ fn }) => fn.countAll<string>().as('count'));
  return {
    id: batch.id,
    createdAt: batch.createdAt.toISOString(),
    removalCount: Number((await count.executeTakeFirstOrThrow()).count),
    holderCount: batch.holderCount,
    members: members.map(named),
  };
}

async function readFailures(db: Db, guildId: string): Promise<Statistics['failedActions']> {
  const { rows } = await sql<{
    id: string;
    kind: 'grant-role' | 'remove-role' | 'direct-message';
    userId: string;
    displayName: string | null;
    failure: string | null;
    at: Date;
  }>`
    select a.id, a.kind, a.user_id, m.display_name, a.failure, coalesce(a.done_at, a.created_at) as at
    from discord_actions a left join discord_members m on m.guild_id = a.guild_id and m.user_id = a.user_id
      left join discord_guild_configs c on c.guild_id = a.guild_id
    where a.guild_id = ${guildId} and ${isStillFailed(null)} order by a.id desc limit ${failuresShown}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    member: named(row),
    failure: row.failure ?? 'Discord refused it.',
    at: row.at.toISOString(),
  }));
}

/** Members with a linked wallet, or with the role of one they unlinked, by user id; `search`: part of a name, an id or an address. */
export async function readMembers(
  db: Db,
  guildId: string,
  page: { readonly search: string | null; readonly after: string | null },
): Promise<MembersAnswer['data']> {
  const { search, after } = page;
  const part = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`;
  const address = (search ?? '').toLowerCase();
  const { rows } = await sql<{
    userId: string;
    displayName: string;
    isInGuild: boolean;
    standing: MembersAnswer['data']['members'][number]['standing'];
    hasRole: boolean | null;
    walletCount: number;
    answeredAt: Date | null;
  }>`
    select m.user_id, m.display_name, m.is_in_guild, m.standing, m.has_role, m.answered_at,
      (select count(*)::int from discord_wallets w where w.guild_id = m.guild_id and w.user_id = m.user_id) as wallet_count
    from discord_members m
    where m.guild_id = ${guildId} and (m.has_role or m.standing <> 'none' or exists (
        select 1 from discord_wallets w where w.guild_id = m.guild_id and w.user_id = m.user_id))
      and (${after}::text is null or m.user_id::numeric > ${after}::numeric)
      and (${search}::text is null or m.display_name ilike ${part} or m.user_id = ${search} or exists (
        select 1 from discord_wallets w where w.guild_id = m.guild_id and w.user_id = m.user_id
          and starts_with(w.wallet, ${address}) and length(${address}::text) >= 4))
    order by m.user_id::numeric limit ${pageSize + 1}`.execute(db);
  const shown = rows.slice(0, pageSize);
  return {
    members: shown.map((row) => ({
      ...named(row),
      isInGuild: row.isInGuild,
      standing: row.standing,
      hasRole: row.hasRole,
      walletCount: row.walletCount,
      answeredAt: row.answeredAt?.toISOString() ?? null,
    })),
    nextAfter: rows.length > pageSize ? (shown.at(-1)?.userId ?? null) : null,
  };
}
