import { type Kysely, type RawBuilder, sql, type UpdateObject } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Decision, MemberRecord } from './rules/decide.ts';
import { type CheckCause, readCause, tradeCause } from './rules/findings.ts';

type Db = Kysely<Database>;

export type MemberId = Pick<MemberRecord, 'guildId' | 'userId'>;

/** How the log of changes names a member. */
export const memberSubject = (member: NamedMember) => ({
  kind: 'discord-member',
  id: `${member.guildId}/${member.userId}`,
  label: `${member.displayName} in ${member.guild.name}`,
});

interface NamedMember extends MemberId {
  readonly displayName: string;
  readonly guild: { readonly name: string };
}

/** Of a row `m` of discord_members: in the server, with a linked wallet. Every 'verified' figure counts the same members. */
export const isVerified = sql<boolean>`(m.is_in_guild and exists (
  select 1 from discord_wallets w where w.guild_id = m.guild_id and w.user_id = m.user_id))`;

/** Of a row `a` of discord_authorized_wallets. */
export const isAuthorizationActive = sql<boolean>`(a.removed_at is null and (a.expires_at is null or a.expires_at > clock_timestamp()))`;

/** One member; null: they have linked nothing in this server. */
export async function readMember(db: Db, guildId: string, userId: string): Promise<MemberRecord | null> {
  const [found] = await readRecords(db, sql`m.guild_id = ${guildId} and m.user_id = ${userId}`);
  return found ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockMember(trx: Db, guildId: string, userId: string): Promise<MemberRecord | null> {
  // The lock comes first: a read in the same statement may miss what its previous holder wrote.
  const member = trx
    .selectFrom('discordMembers')
    .select('userId')
    .where((eb) => eb.and({ guildId, userId }));
  await member.forNoKeyUpdate().execute();
  return readMember(trx, guildId, userId);
}

/** Everyone in a server, without a lock. */
export const readMembersOf = (db: Db, guildId: string): Promise<readonly MemberRecord[]> =>
  readRecords(db, sql`m.guild_id = ${guildId} and m.is_in_guild`);

async function readRecords(db: Db, where: RawBuilder<unknown>): Promise<readonly MemberRecord[]> {
  const { rows } = await sql<MemberRecord>`
    select m.guild_id, m.user_id, m.display_name, m.is_in_guild, m.has_role, m.role_state, m.first_no_at, m.second_no_at,
      m.removal_due_at, m.payout_messages_since, m.answer, m.answered_at, m.explanation as findings, m.check_due_at, m.check_cause,
      clock_timestamp() as now,
      jsonb_build_object('name', g.name, 'isGone', g.left_at is not null, 'nftContract', c.nft_contract,
        'nftName', c.nft_name, 'roleId', coalesce(c.role_id, ''),
        'roleName', (select role ->> 'name' from jsonb_array_elements(g.roles) role where role ->> 'id' = c.role_id)
      ) as guild,
      coalesce((
        select jsonb_agg(jsonb_build_object('wallet', w.wallet, 'linkedAt', w.linked_at,
          'isAuthorized', a.id is not null, 'authorizedUntil', a.expires_at) order by w.linked_at, w.wallet)
        from discord_wallets w left join discord_authorized_wallets a on a.guild_id = w.guild_id and a.wallet = w.wallet
          and ${isAuthorizationActive}
        where w.guild_id = m.guild_id and w.user_id = m.user_id), '[]') as wallets
    from discord_members m join discord_guilds g on g.guild_id = m.guild_id
      left join discord_guild_configs c on c.guild_id = m.guild_id
    where ${where} order by m.user_id`.execute(db);
  return rows.map(({ checkCause, wallets, ...row }) => ({
    ...row,
    checkCause: checkCause === null ? null : readCause(checkCause),
    wallets: wallets.map(withTimes),
  }));
}

type RecordWallet = MemberRecord['wallets'][number];

/** Times inside JSON arrive as text. */
const withTimes = ({ linkedAt, isAuthorized, authorizedUntil, ...wallet }: RecordWallet): RecordWallet => ({
  ...wallet,
  linkedAt: new Date(linkedAt),
  isAuthorized,
  authorizedUntil: !isAuthorized ? null : authorizedUntil === null ? 'always' : new Date(authorizedUntil),
});

/** Stores what was decided about locked members of one server. */
export async function saveDecisions(
  trx: Db,
  guildId: string,
  decided: readonly { readonly locked: Pick<MemberId, 'userId'>; readonly asOf: Date; readonly decision: Decision }[],
): Promise<void> {
  const rows = decided.map(({ locked, asOf, decision: { answer, state, findings, checkDueAt, checkCause } }) => ({
    user_id: locked.userId,
    role_state: state.roleState,
    first_no_at: state.firstNoAt,
    second_no_at: state.secondNoAt,
    removal_due_at: state.removalDueAt,
    answer,
    answered_at: asOf,
    explanation: findings,
    check_due_at: checkDueAt,
    check_cause: checkCause,
  }));
  // An older table does not overwrite what a newer check with the same answer found.
  const isNewer = sql`(m.answer = d.answer and m.answered_at > d.answered_at
    and m.explanation ->> 'nftType' = d.explanation ->> 'nftType')`;
  await sql`
    update discord_members m set role_state = d.role_state, first_no_at = d.first_no_at, second_no_at = d.second_no_at,
      removal_due_at = d.removal_due_at, answer = d.answer, check_due_at = d.check_due_at, check_cause = d.check_cause,
      explanation = case when ${isNewer} then m.explanation else d.explanation end,
      answered_at = case when ${isNewer} then m.answered_at else d.answered_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(user_id text, role_state text, first_no_at timestamptz,
      second_no_at timestamptz, removal_due_at timestamptz, answer text, answered_at timestamptz, explanation jsonb,
      check_due_at timestamptz, check_cause text)
    where m.guild_id = ${guildId} and m.user_id = d.user_id`.execute(trx);
}

/**
 * The cause of a check that becomes due. While the series of checks after a trade lasts, the new check is an extra one and the series
 * continues: its number goes back by one, since a full node may lag behind. Only another trade replaces the series.
 */
export function causeNow(cause: RawBuilder<unknown> | CheckCause) {
  const wanted = typeof cause === 'string' ? sql`${cause}::text` : cause;
  return sql<string>`case
    when check_due_at is not null and check_cause ~ ${tradeCause.source} and ${wanted} !~ ${tradeCause.source}
      then translate(check_cause, '234', '123') else ${wanted} end`;
}

export interface DueMember extends MemberId {
  readonly cause: CheckCause;
}

/** Makes the members due for a check; changes no role itself. */
export async function markDue(db: Db, members: readonly DueMember[]): Promise<void> {
  if (members.length === 0) return;
  const of = (field: keyof DueMember): readonly string[] => members.map((member) => member[field]);
  // Locked in one order, to avoid deadlocks.
  await sql`
    with due as (
      select m.guild_id, m.user_id, wanted.cause from discord_members m
        join unnest(${of('guildId')}::text[], ${of('userId')}::text[], ${of('cause')}::text[]) as wanted (guild_id, user_id, cause)
          on wanted.guild_id = m.guild_id and wanted.user_id = m.user_id
      where m.is_in_guild order by m.guild_id, m.user_id for no key update of m
    )
    update discord_members m set check_due_at = clock_timestamp(), check_cause = ${causeNow(sql`due.cause`)}
    from due where m.guild_id = due.guild_id and m.user_id = due.user_id`.execute(db);
}

export async function updateMember(
  db: Db,
  { guildId, userId }: MemberId,
  set: UpdateObject<Database, 'discordMembers'>,
): Promise<void> {
  const members = db.updateTable('discordMembers').where((eb) => eb.and({ guildId, userId }));
  await members.set(set).execute();
}

/** The role may have been removed from a member entitled to it: whether they have it is unknown, and they are checked next. */
export const markRoleUnknown = (db: Db, member: MemberId): Promise<void> =>
  updateMember(db, member, { hasRole: null, checkDueAt: databaseNow, checkCause: causeNow('role-doubted') });

/** The member is in the server again; if they had left, they have lost the role. False: they have linked nothing here. */
export async function noteJoin(trx: Db, { guildId, userId }: MemberId, displayName: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('discordMembers')
    .set(({ eb }) => ({
      isInGuild: true,
      displayName,
      hasRole: eb.case().when('isInGuild', '=', true).then(eb.ref('hasRole')).else(false).end(),
    }))
    .where((eb) => eb.and({ guildId, userId }))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
