import { type Kysely, sql } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { PaidPayout } from '../../payouts/payouts-contract.ts';
import type { AuditActor } from '../../audit/contract.ts';
import { holdCase, type MemberId, memberSubject, updateMember } from './member-store.ts';
import type { RolesDeps } from './role-jobs.ts';
import { payoutPaid } from './rules/action-verdict.ts';
import { paidText } from '../commands/rules/bot-texts.ts';

/** Direct messages to members who asked, in /wallets, to be told when a payout pays a wallet of theirs. */

/** Whether they are told from now on. Nothing changes for who has linked no wallet in this server. */
export const askForPayoutMessages =
  ({ db, audit }: Pick<RolesDeps, 'db' | 'audit'>) =>
  ({ guildId, userId }: MemberId, wants: boolean, actor: AuditActor): Promise<void> =>
    transact(db, async (trx) => {
      const member = await holdCase(trx, guildId, userId);
      if (member === null || member.wallets.length === 0) return;
      // Asked twice, it counts from the first time on.
      if (wants === (member.payoutMessagesSince !== null)) return;
      await updateMember(trx, member, { payoutMessagesSince: wants ? databaseNow : null });
      const [before, after] = [{ payoutMessages: !wants }, { payoutMessages: wants }];
      const action = 'discord-payout-messages-set';
      await audit.record({ actor, action, subject: memberSubject(member), before, after }, trx);
    });

/**
 * Queues the messages of a payout: one a person, whatever they have linked in however many servers, and however often this runs. Only of
 * what was paid after they asked for it and linked the wallet.
 */
export const tellPaid = (db: Kysely<Database>, payout: PaidPayout): Promise<void> =>
  transact(db, async (trx) => {
    const asking = await holdAsking(trx, payout);
    const told = await noteTold(trx, payout.id, [...new Set(asking.map(({ userId }) => userId))]);
    const messages = told.flatMap((userId) => {
      const theirs = asking.filter((each) => each.userId === userId);
      const [place] = theirs;
      if (place === undefined) return [];
      const wallets = new Set(theirs.map(({ wallet }) => wallet));
      const paid = payout.paid.filter(({ address }) => wallets.has(address));
      const openCount = new Set(theirs.flatMap(({ openWallets }) => openWallets)).size;
      const { guildId, guildName } = place;
      return [{ guildId, userId, content: paidText({ payout, paid, openCount, guildName }) }];
    });
    await enqueue(trx, messages);
  });

interface Asking extends MemberId {
  readonly guildName: string;
  readonly wallet: string;
  /** Linked, and not paid yet. */
  readonly openWallets: readonly string[];
}

/** Whom it pays and who asked, a row for each wallet; the members are held, in the order everywhere. */
async function holdAsking(trx: Trx, { id, paid, openAddresses }: PaidPayout): Promise<readonly Asking[]> {
  if (paid.length === 0) return [];
  const { rows } = await sql<Asking>`
    select m.guild_id, m.user_id, g.name as guild_name, w.wallet,
      array(select other.wallet from discord_wallets other where other.guild_id = m.guild_id
        and other.user_id = m.user_id and other.wallet = any(${[...openAddresses]}::text[])) as open_wallets
    from unnest(${paid.map(({ address }) => address)}::text[], ${paid.map(({ at }) => at)}::timestamptz[]) as p(wallet, paid_at)
      join discord_wallets w on w.wallet = p.wallet and w.linked_at <= p.paid_at
      join discord_members m on m.guild_id = w.guild_id and m.user_id = w.user_id and m.is_in_guild
        and m.payout_messages_since <= p.paid_at
      join discord_guilds g on g.guild_id = m.guild_id and g.left_at is null
    where not exists (select 1 from discord_payout_messages t where t.payout = ${id} and t.user_id = m.user_id)
    order by m.guild_id, m.user_id, w.wallet for no key update of m`.execute(trx);
  return rows;
}

/** Notes that they get a message, and returns those who had none before: each member gets one. */
async function noteTold(trx: Trx, payout: number, userIds: readonly string[]): Promise<readonly string[]> {
  if (userIds.length === 0) return [];
  const { rows } = await sql<{ userId: string }>`
    insert into discord_payout_messages (payout, user_id)
    select ${payout}, user_id from unnest(${[...userIds].sort()}::text[]) told(user_id)
    on conflict do nothing returning user_id`.execute(trx);
  return rows.map(({ userId }) => userId);
}

async function enqueue(trx: Trx, messages: readonly (MemberId & { readonly content: string })[]): Promise<void> {
  if (messages.length === 0) return;
  const of = (field: 'guildId' | 'userId' | 'content') => messages.map((message) => message[field]);
  await sql`
    insert into discord_actions (guild_id, user_id, kind, content, cause)
    select guild_id, user_id, 'direct-message', content, ${payoutPaid}
    from unnest(${of('guildId')}::text[], ${of('userId')}::text[], ${of('content')}::text[])
      message(guild_id, user_id, content)`.execute(trx);
}
