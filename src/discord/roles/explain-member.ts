import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { type MemberCase, readCase } from './member-store.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { type Audience, explain, foundText, nounsFor, type RoleChange } from './rules/explanation.ts';
import { isLookedAt } from './member-check.ts';
import type { RolesDeps } from './job-names.ts';
import { unheardNotice } from './rules/role-texts.ts';

type ExplainingDeps = Pick<RolesDeps, 'db' | 'collectionType' | 'recheckMs'>;

type MemberActions = MemberExplanation['actions'];

const nameMax = 100;
const actionsShown = 20;

/** A member's state and why, from the last findings (rulings R5 and R6); null: they have linked nothing in this server. */
export async function explainMember(
  deps: ExplainingDeps,
  guildId: string,
  userId: string,
  audience: Audience,
): Promise<MemberExplanation | null> {
  const member = await readCase(deps.db, guildId, userId);
  if (member === null) return null;
  const roleChange = await readRoleChange(deps.db, { guildId, userId, roleId: member.guild.roleId });
  return explanationOf(deps, { ...member, roleChange }, await readMemberActions(deps.db, guildId, userId), audience);
}

/** Newest first. */
async function readMemberActions(db: Kysely<Database>, guildId: string, userId: string): Promise<MemberActions> {
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
async function readRoleChange(
  db: Kysely<Database>,
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

/** For members who have linked nothing. */
export const strangerExplanation = (userId: string, displayName: string): MemberExplanation => ({
  member: { userId, displayName },
  isInGuild: true,
  roleState: 'none',
  hasRole: null,
  answer: null,
  answeredAt: null,
  nextCheckAt: null,
  wantsPayoutMessages: false,
  removalDueAt: null,
  sentences: ['You have not linked a wallet in this server yet: use /verify.'],
  wallets: [],
  actions: [],
});

/** @everyone has the server's id, and is not among the roles that can be given. */
const isRoleGone = ({ guildId, guild }: MemberCase): boolean =>
  guild.roleId !== '' && guild.roleId !== guildId && guild.roleName === null;

/** Members who are not checked have no next check. */
const nextCheckOf = (member: MemberCase): string | null =>
  isLookedAt(member) ? (member.checkDueAt?.toISOString() ?? null) : null;

function explanationOf(
  { collectionType, recheckMs }: ExplainingDeps,
  member: MemberCase & { readonly roleChange: RoleChange },
  actions: MemberActions,
  audience: Audience,
): MemberExplanation {
  const { guild, findings, roleChange } = member;
  const nftName = guild.nftName === null ? null : cleanText(guild.nftName, nameMax);
  const nouns = nounsFor(nftName ?? 'the collection', guild.nftContract === collectionType);
  const findingOf = (wallet: string) => findings?.wallets.find((finding) => finding.wallet === wallet) ?? null;
  const wallets = member.wallets.map((each) => ({ ...each, finding: findingOf(each.wallet) }));
  const lastChange = actions.find(({ kind }) => kind !== 'direct-message');
  const sentences = explain({
    ...member,
    audience,
    nouns,
    nftName,
    roleName: guild.roleName === null ? null : cleanText(guild.roleName, nameMax),
    hasRoleChosen: guild.roleId !== '',
    isRoleGone: isRoleGone(member),
    recheckMs,
    wallets,
    roleChange,
    roleFailure: lastChange?.state === 'failed' || lastChange?.state === 'pending' ? lastChange.failure : null,
  });
  return {
    member: { userId: member.userId, displayName: cleanText(member.displayName, nameMax) },
    isInGuild: member.isInGuild,
    roleState: member.roleState,
    hasRole: member.hasRole,
    answer: member.answer,
    answeredAt: member.answeredAt?.toISOString() ?? null,
    nextCheckAt: nextCheckOf(member),
    wantsPayoutMessages: member.payoutMessagesSince !== null,
    removalDueAt: member.removalDueAt?.toISOString() ?? null,
    sentences: [...sentences, ...unheardNotice(member, actions, audience)],
    wallets: wallets.map(({ wallet, linkedAt, finding, authorizedUntil }) => ({
      wallet,
      linkedAt: linkedAt.toISOString(),
      answer: finding?.answer ?? null,
      found: finding === null || finding.pieces === null ? null : foundText(finding.pieces, nouns, audience),
      authorizedUntil: authorizedUntil instanceof Date ? authorizedUntil.toISOString() : authorizedUntil,
    })),
    actions: [...actions],
  };
}
