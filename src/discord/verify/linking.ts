import { transact, type Trx } from '../../db/transaction.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { RequestCheck } from '../roles/check-requests.ts';
import type { LinkActor } from '../roles/delete-member.ts';
import { holdCase, type MemberId, memberSubject, updateMember } from '../roles/member-store.ts';
import type { RolesDeps } from '../roles/job-names.ts';
import { walletsMax } from './rules/verification-texts.ts';

interface LinkedWallet extends MemberId {
  readonly displayName: string;
  /** Canonical. */
  readonly wallet: string;
  readonly scheme: string;
}

type Linked = 'linked' | 'already-yours' | 'taken-by-another' | 'too-many';

const nameMax = 100;

/**
 * Rulings R5: one wallet, one member per server; at most `walletsMax` per member. In the caller's transaction, which logs it; the
 * member is then due for a check, so that the role comes by itself.
 */
export const linkWallet =
  (requestCheck: RequestCheck) =>
  async (link: LinkedWallet, trx: Trx): Promise<Linked> => {
    const { guildId, userId, wallet, scheme } = link;
    const owner = await ownerOf(trx, link);
    if (owner !== null && owner !== userId) return 'taken-by-another';
    await holdMember(trx, link);
    // The member is held: no wallet is linked for them meanwhile.
    const theirs = await walletsOf(trx, link);
    if (theirs.length >= walletsMax && !theirs.includes(wallet)) return 'too-many';
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('discordWallets')
      .values({ guildId, wallet, userId, scheme })
      .onConflict((conflict) => conflict.columns(['guildId', 'wallet']).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) {
      // Wallets linked before are checked on request (check-requests.ts).
      if ((await ownerOf(trx, link)) === userId) return 'already-yours';
      // Someone else was faster.
      if (theirs.length === 0) await dropUnchecked(trx, link);
      return 'taken-by-another';
    }
    await requestCheck(trx, link, 'verified');
    return 'linked';
  };

/** Who has linked the wallet in this server; null: no one. */
async function ownerOf(trx: Trx, { guildId, wallet }: LinkedWallet): Promise<string | null> {
  const wallets = trx.selectFrom('discordWallets').select('userId').where('guildId', '=', guildId);
  return (await wallets.where('wallet', '=', wallet).executeTakeFirst())?.userId ?? null;
}

async function walletsOf(trx: Trx, { guildId, userId }: MemberId): Promise<readonly string[]> {
  const wallets = trx.selectFrom('discordWallets').select('wallet').where('guildId', '=', guildId);
  return (await wallets.where('userId', '=', userId).execute()).map(({ wallet }) => wallet);
}

/** Locks the member, created if missing. They are in the server: that is where they asked to verify. */
async function holdMember(trx: Trx, link: LinkedWallet): Promise<void> {
  const { guildId, userId } = link;
  const displayName = cleanText(link.displayName, nameMax);
  await trx
    .insertInto('discordMembers')
    .values({ guildId, userId, displayName })
    .onConflict((conflict) => conflict.columns(['guildId', 'userId']).doUpdateSet({ displayName, isInGuild: true }))
    .execute();
}

/** A member without wallets is not kept, unless they were checked before: then they may have the role. */
async function dropUnchecked(trx: Trx, { guildId, userId }: MemberId): Promise<void> {
  const members = trx.deleteFrom('discordMembers').where('guildId', '=', guildId).where('userId', '=', userId);
  await members.where('answeredAt', 'is', null).execute();
}

/** False: it is not theirs. */
export const unlinkWallet = (
  { db, audit, requestCheck }: Pick<RolesDeps, 'db' | 'audit'> & { readonly requestCheck: RequestCheck },
  { guildId, userId, wallet, actor }: MemberId & { readonly wallet: string; readonly actor: LinkActor },
): Promise<boolean> =>
  transact(db, async (trx) => {
    const member = await holdCase(trx, guildId, userId);
    if (member === null) return false;
    const wallets = trx.deleteFrom('discordWallets').where('guildId', '=', guildId).where('userId', '=', userId);
    const { numDeletedRows } = await wallets.where('wallet', '=', wallet).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    if (member.wallets.length === 1) await updateMember(trx, member, { payoutMessagesSince: null });
    await requestCheck(trx, member, 'unlinked');
    const subject = memberSubject(member);
    await audit.record({ actor, action: 'discord-wallet-unlinked', subject, before: { wallet }, after: null }, trx);
    return true;
  });
