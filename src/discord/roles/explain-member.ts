import { sql } from 'kysely';

import { answeredWithin } from '../../db/outage.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { checkAndWait, type WaitingDeps } from './check-requests.ts';
import { isCheckable } from './member-check.ts';
import { isSwitchedOn, pauseReason } from './member-roles.ts';
import { readMember } from './member-store.ts';
import type { MemberRecord } from './rules/decide.ts';
import type { RolesDeps } from './role-jobs.ts';
import type { CheckCause } from './rules/findings.ts';
import { explain, foundText, nounsFor, type RoleChange, undeliveredNotice } from './rules/explanation.ts';

export type ExplainingDeps = Pick<RolesDeps, 'db' | 'collectionType' | 'recheckIntervalMs'>;

/** Someone who asks again gets the same answer for this long: each check reads the chain. */
const freshMs = 30_000;

export type AskingDeps = ExplainingDeps & WaitingDeps & Pick<RolesDeps, 'clock'>;

/** The same after a check, unless the last one is new; null: they have linked nothing, or deleted it meanwhile. */
export async function checkAndExplain(
  deps: AskingDeps,
  guildId: string,
  userId: string,
  cause: CheckCause,
): Promise<MemberExplanation | null> {
  const known = await answeredWithin(explainMember(deps, guildId, userId));
  if (known === null || isFresh(known, deps.clock.now().getTime())) return known;
  await checkAndWait(deps, { guildId, userId }, cause);
  return explainMember(deps, guildId, userId);
}

const isFresh = ({ answer, answeredAt, wallets }: MemberExplanation, nowMs: number): boolean =>
  answer !== null &&
  // A wallet may have been linked since.
  wallets.every((wallet) => wallet.answer !== null) &&
  answeredAt !== null &&
  Math.abs(nowMs - Date.parse(answeredAt)) < freshMs;

/**
 * A member's state and why, from the last findings (rulings R5 and R6); null: they have linked nothing in this server. Of the record
 * only what the schema names is sent.
 */
export async function explainMember(
  { db, collectionType, recheckIntervalMs }: ExplainingDeps,
  guildId: string,
  userId: string,
): Promise<MemberExplanation | null> {
  const record = await readMember(db, guildId, userId);
  if (record === null) return null;
  const { isOn } = await db.selectNoFrom(isSwitchedOn.as('isOn')).executeTakeFirstOrThrow();
  const member = { ...record, ...(await readRoleChange(db, record)), isBotOff: !isOn };
  const { guild, displayName } = member;
  const nouns = nounsFor(guild.nftName ?? 'the collection', guild.nftContract === collectionType);
  const findings = new Map(member.findings?.wallets.map((finding) => [finding.wallet, finding]));
  const wallets = member.wallets.map((each) => ({ ...each, finding: findings.get(each.wallet) ?? null }));
  const sentences = explain({ ...member, nouns, recheckIntervalMs, wallets });
  return {
    ...member,
    member: { userId, displayName },
    answeredAt: textOf(member.answeredAt),
    // Members who are not checked have no next check.
    nextCheckAt: isCheckable(member) ? textOf(member.checkDueAt) : null,
    wantsPayoutMessages: member.payoutMessagesSince !== null,
    removalDueAt: textOf(member.removalDueAt),
    sentences: [...sentences, ...undeliveredNotice(member)],
    wallets: wallets.map(({ wallet, linkedAt, finding, authorizedUntil }) => ({
      wallet,
      linkedAt: linkedAt.toISOString(),
      answer: finding?.answer ?? null,
      found: finding === null || finding.pieces === null ? null : foundText(finding.pieces, nouns),
      authorizedUntil: authorizedUntil instanceof Date ? authorizedUntil.toISOString() : authorizedUntil,
    })),
  };
}

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The pending change of the chosen role, why it failed or waits, and why the last message about losing the role did not arrive. */
async function readRoleChange(db: RolesDeps['db'], { guildId, userId, guild }: MemberRecord) {
  const theirs = { guildId, userId };
  const role = await db
    .selectFrom('discordMemberRoles as r')
    .innerJoin('discordGuilds as g', 'g.guildId', 'r.guildId')
    .select(['r.wanted', 'r.givenAt'])
    .select(
      sql<string | null>`coalesce(r.failure, case when r.wanted is not null then ${pauseReason} end)`.as('failure'),
    )
    .where((eb) => eb.and({ 'r.guildId': guildId, 'r.userId': userId, 'r.roleId': guild.roleId }))
    .executeTakeFirst();
  const notices = db.selectFrom('discordDirectMessages').select('failure').where('payout', 'is', null);
  const notice = await notices.where((eb) => eb.and(theirs)).executeTakeFirst();
  const { wanted, givenAt, failure: roleFailure } = role ?? { wanted: null, givenAt: null, failure: null };
  const isBeingGiven = wanted === 'grant-role' && roleFailure === null;
  const isGiven = wanted === null && givenAt !== null;
  const roleChange: RoleChange = isBeingGiven ? 'being-given' : isGiven ? 'given' : null;
  return { roleChange, roleFailure, noticeFailure: notice?.failure ?? null };
}
