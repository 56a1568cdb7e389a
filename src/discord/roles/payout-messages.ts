import { type Kysely, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { PaidPayout } from '../../payouts/payouts-contract.ts';
import type { AuditActor } from '../../audit/contract.ts';
import { lockMember, type MemberId, memberSubject, updateMember } from './member-store.ts';
import type { RolesDeps } from './role-jobs.ts';
import { paidText } from '../bot-texts.ts';

/** Direct messages to members who asked in /wallets to be told when a payout pays one of their wallets. */

/** Switches the messages on or off. Does nothing for members without a linked wallet in this server. */
export const askForPayoutMessages = (
  { db, audit }: Pick<RolesDeps, 'db' | 'audit'>,
  { guildId, userId }: MemberId,
  wants: boolean,
  actor: AuditActor,
): Promise<void> =>
  transact(db, async (trx) => {
    const member = await lockMember(trx, guildId, userId);
    if (member === null || member.wallets.length === 0) return;
    // If asked twice, the first time counts.
    if (wants === (member.payoutMessagesSince !== null)) return;
    await updateMember(trx, member, { payoutMessagesSince: wants ? databaseNow : null });
    const entry = { actor, action: 'discord-payout-messages-set', subject: memberSubject(member) };
    const change = { before: { payoutMessages: !wants }, after: { payoutMessages: wants } };
    await audit.record({ ...entry, ...change }, trx);
  });

/**
 * Queues the messages of a payout: one per person, however many wallets and servers they have, and however often this runs. It covers
 * only what was paid after they asked for it and linked the wallet.
 */
export const enqueuePaidMessages = (db: Kysely<Database>, payout: PaidPayout): Promise<void> =>
  transact(db, async (trx) => {
    const members = await lockPaidMembers(trx, payout);
    const messages = [...Map.groupBy(members, ({ userId }) => userId)].flatMap(([userId, theirs]) => {
      const [place] = theirs;
      if (place === undefined) return [];
      const wallets = new Set(theirs.map(({ wallet }) => wallet));
      const paid = payout.paid.filter(({ address }) => wallets.has(address));
      const openCount = new Set(theirs.flatMap(({ openWallets }) => openWallets)).size;
      const { guildId, guildName } = place;
      return [{ guildId, userId, content: paidText({ payout, paid, openCount, guildName }) }];
    });
    await enqueue(trx, payout.id, messages);
  });

interface PaidMember extends MemberId {
  readonly guildName: string;
  readonly wallet: string;
  /** Linked, and not paid yet. */
  readonly openWallets: readonly string[];
}

/** The paid members who asked for it, one row per wallet; the members are locked in the usual order. */
async function lockPaidMembers(trx: Trx, { id, paid, openAddresses }: PaidPayout): Promise<readonly PaidMember[]> {
  if (paid.length === 0) return [];
  const { rows } = await sql<PaidMember>`
    select m.guild_id, m.user_id, g.name as guild_name, w.wallet,
      array(select other.wallet from discord_wallets other where other.guild_id = m.guild_id
        and other.user_id = m.user_id and other.wallet = any(${[...openAddresses]}::text[])) as open_wallets
    from unnest(${paid.map(({ address }) => address)}::text[], ${paid.map(({ at }) => at)}::timestamptz[]) as p(wallet, paid_at)
      join discord_wallets w on w.wallet = p.wallet and w.linked_at <= p.paid_at
      join discord_members m on m.guild_id = w.guild_id and m.user_id = w.user_id and m.is_in_guild
        and m.payout_messages_since <= p.paid_at
      join discord_guilds g on g.guild_id = m.guild_id and g.left_at is null
    where not exists (select 1 from discord_direct_messages t where t.payout = ${id} and t.user_id = m.user_id)
    order by m.guild_id, m.user_id, w.wallet for no key update of m`.execute(trx);
  return rows;
}

/** One message per member and payout: members who already have theirs are skipped. */
async function enqueue(trx: Trx, payout: number, messages: readonly (MemberId & { readonly content: string })[]) {
  if (messages.length === 0) return;
  const of = (field: 'guildId' | 'userId' | 'content') => messages.map((message) => message[field]);
  await sql`
    insert into discord_direct_messages (payout, user_id, guild_id, content, due_at)
    select ${payout}, user_id, guild_id, content, clock_timestamp()
    from unnest(${of('guildId')}::text[], ${of('userId')}::text[], ${of('content')}::text[])
      message(guild_id, user_id, content) order by user_id
    on conflict do nothing`.execute(trx);
}
