import { transact, type Trx } from '../../db/transaction.ts';
import { requestCheck } from './check-requests.ts';
import type { AuditActor } from '../../audit/contract.ts';
import { lockMember, type MemberId, memberSubject, updateMember } from './member-store.ts';
import type { MemberRecord } from './rules/decide.ts';
import type { RolesDeps } from './role-jobs.ts';
import { walletsMax } from './rules/findings.ts';
import type { AuditTrail } from '../ports.ts';
import { requestRoleRemovals } from './member-roles.ts';

export interface LinkedWallet extends MemberId {
  /** Cleaned. */
  readonly displayName: string;
  /** Canonical. */
  readonly wallet: string;
  readonly scheme: string;
}

/**
 * Rulings R5: one wallet belongs to one member per server. If that member has left, it goes to the member who signs with it. At most
 * `walletsMax` per member. In the caller's transaction, which logs it; the member then becomes due for a check, which gives the role.
 */
export async function linkWallet(
  trx: Trx,
  audit: AuditTrail,
  link: LinkedWallet,
): Promise<'linked' | 'already-yours' | 'taken-by-another' | 'too-many'> {
  const { guildId, userId, wallet, scheme } = link;
  const owner = await ownerOf(trx, link);
  const isOthers = owner !== null && owner.userId !== userId;
  if (isOthers && owner.isInGuild) return 'taken-by-another';
  await lockOrAddMember(trx, link, owner);
  // The member is locked: no other wallet can be linked to them meanwhile.
  const theirs = await walletsOf(trx, link);
  if (theirs.length >= walletsMax && !theirs.includes(wallet)) return 'too-many';
  if (isOthers) await unlinkAbsent(trx, audit, link, owner);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('discordWallets')
    .values({ guildId, wallet, userId, scheme })
    .onConflict((conflict) => conflict.columns(['guildId', 'wallet']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) {
    // Wallets linked before are checked on request (explain-member.ts).
    if ((await ownerOf(trx, link))?.userId === userId) return 'already-yours';
    // Someone else was faster.
    if (theirs.length === 0) await dropUnchecked(trx, link);
    return 'taken-by-another';
  }
  await requestCheck(trx, link, 'verified');
  return 'linked';
}

/** Who has linked the wallet in this server; null: no one. */
async function ownerOf(trx: Trx, { guildId, wallet }: LinkedWallet): Promise<Owner | null> {
  const owners = trx
    .selectFrom('discordWallets')
    .innerJoin('discordMembers', (join) =>
      join
        .onRef('discordMembers.guildId', '=', 'discordWallets.guildId')
        .onRef('discordMembers.userId', '=', 'discordWallets.userId'),
    );
  const wallets = owners.where((eb) => eb.and({ 'discordWallets.guildId': guildId, wallet }));
  return (await wallets.select(['discordWallets.userId', 'isInGuild']).executeTakeFirst()) ?? null;
}

interface Owner {
  readonly userId: string;
  readonly isInGuild: boolean;
}

/** Unlinks the wallet of an owner who has left, unless they are back by now. */
async function unlinkAbsent(trx: Trx, audit: AuditTrail, link: LinkedWallet, owner: Owner): Promise<void> {
  const member = await lockMember(trx, link.guildId, owner.userId);
  const signer = { kind: 'discord', userId: link.userId, name: link.displayName } as const;
  if (member?.isInGuild === false) await unlinkLocked(trx, audit, member, link.wallet, signer);
}

async function walletsOf(trx: Trx, { guildId, userId }: MemberId): Promise<readonly string[]> {
  const wallets = trx
    .selectFrom('discordWallets')
    .select('wallet')
    .where((eb) => eb.and({ guildId, userId }));
  return (await wallets.execute()).map(({ wallet }) => wallet);
}

/** Locks the member, created if missing, and the wallet's owner. The member is in the server: a link ends when they leave. */
async function lockOrAddMember(
  trx: Trx,
  { guildId, userId, displayName }: LinkedWallet,
  owner: Owner | null,
): Promise<void> {
  const both = trx.selectFrom('discordMembers').select('userId').where('guildId', '=', guildId);
  const known = both.where('userId', 'in', [userId, owner?.userId ?? userId]);
  // Members are locked in order of their ids, as everywhere (decision 0028).
  await known.orderBy('userId').forNoKeyUpdate().execute();
  await trx
    .insertInto('discordMembers')
    .values({ guildId, userId, displayName })
    .onConflict((conflict) => conflict.columns(['guildId', 'userId']).doUpdateSet({ displayName, isInGuild: true }))
    .execute();
}

/** Deletes a member without wallets, unless they were checked before: then they may have the role. */
async function dropUnchecked(trx: Trx, { guildId, userId }: MemberId): Promise<void> {
  const members = trx.deleteFrom('discordMembers').where((eb) => eb.and({ guildId, userId }));
  await members.where('answeredAt', 'is', null).execute();
}

/** False: the wallet is not linked to this member. The role ends as after a sale: after two checks, never at once. */
export const unlinkWallet = (
  { db, audit }: Pick<RolesDeps, 'db' | 'audit'>,
  { guildId, userId }: MemberId,
  wallet: string,
  actor: AuditActor,
): Promise<boolean> =>
  transact(db, async (trx) => {
    const member = await lockMember(trx, guildId, userId);
    return member !== null && unlinkLocked(trx, audit, member, wallet, actor);
  });

async function unlinkLocked(
  trx: Trx,
  audit: AuditTrail,
  member: MemberRecord,
  wallet: string,
  actor: AuditActor,
): Promise<boolean> {
  const { guildId, userId } = member;
  const linked = trx.deleteFrom('discordWallets').where((eb) => eb.and({ guildId, userId, wallet }));
  if ((await linked.executeTakeFirst()).numDeletedRows === 0n) return false;
  if (member.wallets.length === 1) await updateMember(trx, member, { payoutMessagesSince: null });
  await requestCheck(trx, member, 'unlinked');
  const subject = memberSubject(member);
  await audit.record({ actor, action: 'discord-wallet-unlinked', subject, before: { wallet }, after: null }, trx);
  return true;
}

/** Fields in `before` and `after` of entries about a member. */
const personalFields = ['wallet'];

/**
 * 'Delete my data': the role is removed at once, the rows are deleted and the log of changes forgets the member, even while the chain
 * is down. False: there was nothing to delete, and nothing was changed.
 */
export const deleteMember = (deps: Pick<RolesDeps, 'db' | 'audit'>, member: MemberId, actor: AuditActor) =>
  transact(deps.db, (trx) => deleteIn(trx, deps.audit, member, actor));

async function deleteIn(trx: Trx, audit: AuditTrail, { guildId, userId }: MemberId, actor: AuditActor) {
  // Links first, as when one is used: a link is used before this, or not at all.
  const links = trx.deleteFrom('discordVerifications').where((eb) => eb.and({ guildId, userId }));
  const hadLinks = (await links.executeTakeFirst()).numDeletedRows > 0n;
  const member = await lockMember(trx, guildId, userId);
  if (member !== null) await deleteLocked(trx, member);
  const label = `a member of ${await guildNameOf(trx, guildId)}`;
  const subject = { kind: 'discord-member', id: `${guildId}/${userId}` };
  const person = { kind: 'discord', userId } as const;
  const forget = () => audit.redact({ subject, placeId: guildId, actor: person, label, fields: personalFields }, trx);
  // Log entries may outlive the rows, for instance of a server that the bot had left. Redacting them always adds an entry.
  if (member === null && !hadLinks && !(await forget())) return false;
  const before = { walletCount: member?.wallets.length ?? 0 };
  const entry = { actor, action: 'discord-member-deleted', subject: { ...subject, label }, before, after: null };
  await audit.record(entry, trx);
  // Includes the entry just made: the log keeps that someone deleted their data, but not who.
  await forget();
  return true;
}

async function guildNameOf(trx: Trx, guildId: string): Promise<string> {
  const guilds = trx.selectFrom('discordGuilds').where('guildId', '=', guildId);
  return (await guilds.select('name').executeTakeFirst())?.name ?? 'a server';
}

/** Deletes what is stored about a member of a server, except their links and the roles that the bot still has to remove. */
async function deleteLocked(trx: Trx, member: MemberRecord): Promise<void> {
  const { guildId, userId } = member;
  await requestRoleRemovals(trx, member);
  await trx
    .deleteFrom('discordMembers')
    .where((eb) => eb.and({ guildId, userId }))
    .execute();
  // With their last membership the records of sent messages go too: there is no one left to message twice.
  const messages = trx.deleteFrom('discordDirectMessages').where('userId', '=', userId);
  await messages
    .where((eb) => {
      const left = eb.selectFrom('discordMembers').select('userId').where('userId', '=', userId);
      return eb.or([eb.and([eb('guildId', '=', guildId), eb('payout', 'is', null)]), eb.not(eb.exists(left))]);
    })
    .execute();
  const waiting = trx.updateTable('discordDirectMessages').set({ dueAt: null, content: null });
  await waiting.where((eb) => eb.and({ guildId, userId })).execute();
}
