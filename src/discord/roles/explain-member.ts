import type { MemberExplanation } from '../members-contract.ts';
import { isLookedAt } from './member-check.ts';
import { type MemberCase, readCase } from './member-store.ts';
import type { RolesDeps } from './role-jobs.ts';
import { explain, foundText, nounsFor, type RoleChange, unheardNotice } from './rules/explanation.ts';

type ExplainingDeps = Pick<RolesDeps, 'db' | 'collectionType' | 'recheckIntervalMs'>;

const actionsShown = 20;

/** A member's state and why, from the last findings (rulings R5 and R6); null: they have linked nothing in this server. */
export async function explainMember(
  deps: ExplainingDeps,
  guildId: string,
  userId: string,
): Promise<MemberExplanation | null> {
  const member = await readCase(deps.db, guildId, userId);
  if (member === null) return null;
  const roleChange = await readRoleChange(deps.db, member);
  return explanationOf(deps, { ...member, roleChange }, await readActions(deps.db, member));
}

function explanationOf(
  { collectionType, recheckIntervalMs }: ExplainingDeps,
  member: MemberCase & { readonly roleChange: RoleChange },
  actions: MemberExplanation['actions'],
): MemberExplanation {
  const { guild, userId, displayName, isInGuild, roleState, hasRole, answer } = member;
  const nouns = nounsFor(guild.nftName ?? 'the collection', guild.nftContract === collectionType);
  const findings = new Map(member.findings?.wallets.map((finding) => [finding.wallet, finding]));
  const wallets = member.wallets.map((each) => ({ ...each, finding: findings.get(each.wallet) ?? null }));
  const lastChange = actions.find(({ kind }) => kind !== 'direct-message');
  const sentences = explain({
    ...member,
    nouns,
    nftName: guild.nftName,
    roleName: guild.roleName,
    hasRoleChosen: guild.roleId !== '',
    isRoleGone: isRoleGone(member),
    recheckIntervalMs,
    wallets,
    roleFailure: lastChange?.state === 'failed' || lastChange?.state === 'pending' ? lastChange.failure : null,
  });
  return {
    member: { userId, displayName },
    isInGuild,
    roleState,
    hasRole,
    answer,
    answeredAt: textOf(member.answeredAt),
    // Members who are not checked have no next check.
    nextCheckAt: isLookedAt(member) ? textOf(member.checkDueAt) : null,
    wantsPayoutMessages: member.payoutMessagesSince !== null,
    removalDueAt: textOf(member.removalDueAt),
    sentences: [...sentences, ...unheardNotice(member, actions)],
    wallets: wallets.map(({ wallet, linkedAt, finding, authorizedUntil }) => ({
      wallet,
      linkedAt: linkedAt.toISOString(),
      answer: finding?.answer ?? null,
      found: finding === null || finding.pieces === null ? null : foundText(finding.pieces, nouns),
      authorizedUntil: authorizedUntil instanceof Date ? authorizedUntil.toISOString() : authorizedUntil,
    })),
    actions,
  };
}

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** @everyone has the server's id, and is not among the roles that can be given. */
const isRoleGone = ({ guildId, guild }: MemberCase): boolean =>
  guild.roleId !== '' && guild.roleId !== guildId && guild.roleName === null;

/** Newest first. */
async function readActions(db: RolesDeps['db'], { guildId, userId }: MemberCase) {
  const rows = await db
    .selectFrom('discordActions')
    .select(['id', 'kind', 'state', 'cause', 'createdAt', 'doneAt', 'failure'])
    .where((eb) => eb.and({ guildId, userId }))
    .orderBy('id', 'desc')
    .limit(actionsShown)
    .execute();
  return rows.map(({ createdAt, doneAt, ...row }) => ({ ...row, at: (doneAt ?? createdAt).toISOString() }));
}

/** The state of the member's last change of this role; null: none, or the role was removed. */
async function readRoleChange(db: RolesDeps['db'], { guildId, userId, guild }: MemberCase): Promise<RoleChange> {
  const row = await db
    .selectFrom('discordActions')
    .select(['kind', 'state'])
    .where((eb) => eb.and({ guildId, userId, roleId: guild.roleId }))
    .where('kind', 'in', ['grant-role', 'remove-role'])
    .where('state', 'in', ['pending', 'doing', 'done'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (row?.kind !== 'grant-role') return null;
  return row.state === 'done' ? 'given' : 'being-given';
}

/** For members who have linked nothing. */
export const strangerExplanation = (userId: string): MemberExplanation => ({
  member: { userId, displayName: userId },
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
