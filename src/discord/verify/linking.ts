import type { Kysely, Transaction } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import { typedTransaction } from '../../db/connect.ts';
import { openTransaction } from '../../db/open-transaction.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import { enqueueRoleChange } from '../roles/enqueue-actions.ts';
import { holdCase, type MemberCase } from '../roles/member-store.ts';
import type { Database } from '../../db/schema.ts';
import {
  deleteLinks,
  deleteMemberRows,
  deleteWallet,
  dropNewMember,
  holdMember,
  insertWallet,
  type LinkedWallet,
  ownerOfWallet,
  roleBeingGiven,
  walletsOf,
} from './wallet-store.ts';
import { dataDeleted } from '../roles/rules/action-verdict.ts';
import type { AuditTrail } from '../ports.ts';
import { memberSubject } from '../roles/audit-members.ts';
import type { RequestCheck } from '../roles/asked-checks.ts';
import { walletsMax } from './rules/verification-refusals.ts';

export interface LinkingDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly requestCheck: RequestCheck;
  readonly wake: () => void;
}

/** Who asked for it: the member in Discord, or an admin. */
type LinkActor = Parameters<AuditTrail['record']>[0]['actor'];

export interface Linking {
  /**
   * Rulings R5: one wallet, one member per server; at most `walletsMax` per member. In the caller's transaction, which logs it; the
   * member is then due for a check, so that the role comes by itself.
   */
  linkWallet(link: LinkedWallet, transaction: OpenTransaction): Promise<Linked>;
  /** False: it is not theirs. The role follows as after a sale: two checks, never at once. */
  unlinkWallet(guildId: string, userId: string, wallet: string, actor: LinkActor): Promise<boolean>;
  /**
   * 'Delete my data': the role is removed at once, the rows are deleted and the log of changes forgets the member, also while the chain
   * is down. False: there was nothing to delete, and nothing was changed.
   */
  deleteMember(guildId: string, userId: string, actor: LinkActor): Promise<boolean>;
}

const nameMax = 100;

export function createLinking(deps: LinkingDeps): Linking {
  return {
    linkWallet: (link, transaction) => linkIn(typedTransaction(transaction), deps, link),
    unlinkWallet: async (guildId, userId, wallet, actor) => {
      const isUnlinked = await unlink(deps, { guildId, userId, wallet, actor });
      if (isUnlinked) deps.wake();
      return isUnlinked;
    },
    deleteMember: async (guildId, userId, actor) => {
      const isDeleted = await deleteData(deps, { guildId, userId, actor });
      if (isDeleted) deps.wake();
      return isDeleted;
    },
  };
}

type Linked = 'linked' | 'already-yours' | 'taken-by-another' | 'too-many';

async function linkIn(trx: Kysely<Database>, { requestCheck }: LinkingDeps, link: LinkedWallet): Promise<Linked> {
  const { guildId, userId } = link;
  const owner = await ownerOfWallet(trx, link);
  if (owner !== null && owner !== userId) return 'taken-by-another';
  const isNew = await holdMember(trx, { ...link, displayName: cleanText(link.displayName, nameMax) });
  // The member is held: no wallet is linked for them meanwhile.
  const theirs = await walletsOf(trx, guildId, userId);
  if (theirs.length >= walletsMax && !theirs.includes(link.wallet)) return 'too-many';
  const linked = await insertWallet(trx, link);
  if (linked === 'taken-by-another') {
    // Someone else was faster: a member without wallets is not kept.
    if (isNew) await dropNewMember(trx, link);
    return linked;
  }
  // Wallets linked before are checked on request (asked-checks.ts).
  if (linked === 'linked') await requestCheck(trx, link, 'verified');
  return linked;
}

interface Asked {
  readonly guildId: string;
  readonly userId: string;
  readonly actor: LinkActor;
}

const unlink = (
  { db, audit, requestCheck }: LinkingDeps,
  { guildId, userId, wallet, actor }: Asked & { readonly wallet: string },
): Promise<boolean> =>
  inTransaction(db, async (opened, trx) => {
    const member = await holdCase(trx, guildId, userId);
    if (member === null || !(await deleteWallet(trx, { guildId, userId, wallet }))) return false;
    await requestCheck(trx, member, 'unlinked');
    const subject = memberSubject(member);
    await audit.record({ actor, action: 'discord-wallet-unlinked', subject, before: { wallet }, after: null }, opened);
    return true;
  });

const deleteData = (deps: LinkingDeps, asked: Asked): Promise<boolean> =>
  inTransaction(deps.db, (_opened, trx) => deleteIn(trx, deps, asked));

async function deleteIn(
  trx: Transaction<Database>,
  { audit }: LinkingDeps,
  { guildId, userId, actor }: Asked,
): Promise<boolean> {
  // Links first, as when one is used: it is used up before this, or not at all.
  const hadLinks = await deleteLinks(trx, guildId, userId);
  const member = await holdCase(trx, guildId, userId);
  if (member !== null) await deleteHeld(trx, member);
  const label = `a member of ${await guildNameOf(trx, guildId)}`;
  const subject = { kind: 'discord-member', id: `${guildId}/${userId}` };
  const person = { kind: 'discord', userId } as const;
  const forget = () =>
    audit.redact({ subject, placeId: guildId, actor: person, label, fields: personalFields }, openTransaction(trx));
  // Entries may outlive the rows, for instance of a server that the bot had left. The log changes with an entry or not at all.
  if (member === null && !hadLinks && !(await forget())) return false;
  const before = { walletCount: member?.wallets.length ?? 0 };
  const entry = { actor, action: 'discord-member-deleted', subject: { ...subject, label }, before, after: null };
  await audit.record(entry, openTransaction(trx));
  // Including the entry just made: that someone deleted their data stays known, but not who.
  await forget();
  return true;
}

export async function guildNameOf(trx: Kysely<Database>, guildId: string): Promise<string> {
  const guilds = trx.selectFrom('discordGuilds').where('guildId', '=', guildId);
  return (await guilds.select('name').executeTakeFirst())?.name ?? 'a server';
}

/** Fields in `before` and `after` of entries about a member. */
const personalFields = ['wallet'];

async function deleteHeld(
  trx: Kysely<Database>,
  { guildId, userId, hasRole, standing, guild }: MemberCase,
): Promise<void> {
  const given = await roleBeingGiven(trx, guildId, userId);
  await deleteMemberRows(trx, guildId, userId);
  // A role given by someone else is not the bot's to remove.
  const owned = hasRole !== false && standing !== 'none' ? guild.roleId : '';
  const roleId = given ?? owned;
  if (roleId === '') return;
  await enqueueRoleChange(trx, { guildId, userIds: [userId], roleId, kind: 'remove-role', cause: dataDeleted });
}
