import { sql } from 'kysely';

import type { ActivityBatch, ActivityListener } from '../../market/contract.ts';
import { typedTransaction } from '../../db/connect.ts';

/**
 * Rulings R5: the wallets of a sale or a transfer are checked at once. Marks their members due in the transaction that stores the
 * events, with one statement for a batch; the checks come after the commit.
 */
export function createRoleListener(wake: () => void): ActivityListener {
  return {
    name: 'discord',
    recordBatch: async (batch, transaction) => {
      const moves = movesOf(batch);
      if (moves.length === 0) return;
      await sql`
        with moved as (
          select w.guild_id, w.user_id, bool_or(e.side = 'bought') as has_bought, bool_or(e.side = 'sold') as has_sold
          from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as e(wallet text, side text)
            join discord_wallets w on w.wallet = e.wallet
            join discord_guild_configs c on c.guild_id = w.guild_id
              and c.tracked_collection_id = ${batch.collection.id.toString()}
          group by w.guild_id, w.user_id
        ), due as (
          -- In one order, against deadlocks.
          select m.guild_id, m.user_id, moved.has_bought, moved.has_sold
          from discord_members m join moved on moved.guild_id = m.guild_id and moved.user_id = m.user_id
          where m.is_in_guild order by m.guild_id, m.user_id for no key update of m
        )
        update discord_members m set check_due_at = clock_timestamp(),
          check_cause = case when due.has_bought and due.has_sold then 'traded' when due.has_sold then 'sold' else 'bought' end
        from due where m.guild_id = due.guild_id and m.user_id = due.user_id`.execute(typedTransaction(transaction));
    },
    batchStored: wake,
  };
}

interface Move {
  readonly wallet: string;
  readonly side: 'bought' | 'sold';
}

/** Listings and bids change no owner. */
const movesOf = ({ events, transfers }: ActivityBatch): readonly Move[] => [
  ...events
    .filter(({ kind }) => kind === 'sale' || kind === 'mint')
    .flatMap(({ buyer, seller }) => moved(seller, buyer)),
  // Between two kiosks of one owner nothing changes hands.
  ...transfers
    .filter(({ sender, receiver }) => sender !== receiver)
    .flatMap(({ sender, receiver }) => moved(sender, receiver)),
];

const moved = (from: string | null, to: string | null): readonly Move[] => [
  ...(to === null ? [] : [{ wallet: to, side: 'bought' } as const]),
  ...(from === null ? [] : [{ wallet: from, side: 'sold' } as const]),
];
